import JSON
package import Vocabulary

/// The message as the bytes of one line, its line feed included: to be encoded once and sent to
/// any number of peers.
package func encode(_ message: ServerMessage) -> [UInt8] {
  line(message)
}

/// The message as the bytes of one line, its line feed included.
package func encode(_ message: ClientMessage) -> [UInt8] {
  line(message)
}

private func line(_ message: some JSONWritable) -> [UInt8] {
  // Most messages are shorter; the array that grows here is the one that is sent.
  var writer = JSONWriter(capacity: 256)
  message.write(to: &writer)
  writer.endLine()
  return writer.bytes
}

// MARK: Reading

/// Reads the lines of clients: what a server does with each line it gets.
///
/// Confined to one thread; a loop keeps one for all its connections.
package struct ClientLineDecoder: ~Copyable {
  private var parser: JSONParser
  private let bounds: FieldBounds

  /// A decoder for a server with these limits.
  package init(limits: Limits) {
    parser = JSONParser(maximumBytes: limits.lineBytes)
    bounds = FieldBounds(limits)
  }

  /// The message that a line, without its ending, holds.
  ///
  /// - Throws: the error to answer with, and the id of the request if it could be read.
  package mutating func decode(
    _ line: Span<UInt8>
  ) throws(MalformedLine) -> ClientMessage {
    let bounds = bounds
    let outcome: Result<ClientMessage, MalformedLine>
    do throws(DecodingFlaw) {
      outcome = try parser.parse(line) { (object) throws(DecodingFlaw) in
        Self.outcome(object, within: bounds)
      }
    } catch {
      throw MalformedLine(request: nil, error: ProtocolError(error))
    }
    return try outcome.get()
  }

  private static func outcome(
    _ object: JSONObject, within bounds: FieldBounds
  ) -> Result<ClientMessage, MalformedLine> {
    do throws(DecodingFlaw) {
      let name = try object.messageType()
      guard let read = ClientMessage.cases[name] else {
        return .failure(
          MalformedLine(request: object.readableRequestID(), error: .unknownType(name)))
      }
      return .success(try read(object, bounds))
    } catch {
      return .failure(
        MalformedLine(request: object.readableRequestID(), error: ProtocolError(error)))
    }
  }
}

@available(*, unavailable) extension ClientLineDecoder: Sendable {}

/// Reads the lines of a server: what a client does with each line it gets.
///
/// Confined to one thread, like ``ClientLineDecoder``.
package struct ServerLineDecoder: ~Copyable {
  private var parser: JSONParser

  /// A decoder for lines of at most this many bytes: a snapshot of the largest session.
  package init(maximumBytes: Int) {
    parser = JSONParser(maximumBytes: maximumBytes)
  }

  /// The message that a line, without its ending, holds.
  ///
  /// - Throws: what is wrong with it; `unknownType` is a newer server's, and to be ignored.
  package mutating func decode(
    _ line: Span<UInt8>
  ) throws(MalformedLine) -> ServerMessage {
    let outcome: Result<ServerMessage, MalformedLine>
    do throws(DecodingFlaw) {
      outcome = try parser.parse(line) { (object) throws(DecodingFlaw) in
        let name = try object.messageType()
        guard let read = ServerMessage.cases[name] else {
          return .failure(
            MalformedLine(request: object.readableRequestID(), error: .unknownType(name)))
        }
        return .success(try read(object, .line))
      }
    } catch {
      throw MalformedLine(request: nil, error: ProtocolError(error))
    }
    return try outcome.get()
  }
}

@available(*, unavailable) extension ServerLineDecoder: Sendable {}

/// What is said to the sender of a line that is no message.
package struct MalformedLine: Error, Equatable, Sendable {
  /// The request's id, where it could be read: even a bad request gets its one answer.
  package let request: RequestID?
  package let error: ProtocolError

  /// A line that is no message, for this reason.
  package init(request: RequestID?, error: ProtocolError) {
    self.request = request
    self.error = error
  }
}

extension ProtocolError {
  /// The error that a flaw of a line is to its sender.
  init(_ flaw: DecodingFlaw) {
    switch flaw {
    case .tooLong(field: "", let limit): self.init(.lineTooLong, limit: limit)
    case .notJSON, .wrongType(field: "", _): self.init(.notJSON, flaw.description)
    case .tooLong(let field, let limit):
      self.init(.invalidField, flaw.description, field: field, limit: limit)
    case .missing(let field), .wrongType(let field, _), .outOfRange(let field, _):
      self.init(.invalidField, flaw.description, field: field)
    }
  }

  /// The error that a type nobody knows is to its sender.
  static func unknownType(_ type: String) -> ProtocolError {
    ProtocolError(.unknownType, "there is no message of the type '\(type)'", field: "type")
  }
}

extension JSONObject {
  /// The message's type; long enough for every one there is, and short enough to be told back.
  func messageType() throws(DecodingFlaw) -> String {
    try string("type", maximum: 64)
  }

  /// The request's id if it is one, whatever else is wrong with the line.
  func readableRequestID() -> RequestID? {
    do throws(DecodingFlaw) { return try requestID() } catch { return nil }
  }
}
