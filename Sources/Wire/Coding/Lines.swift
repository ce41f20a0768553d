import JSON
package import Vocabulary

/// Encodes a message as one line with its line feed, to be sent to any number of peers.
package func encode(_ message: ServerMessage) -> [UInt8] {
  line(message)
}

/// Encodes a message as one line with its line feed.
package func encode(_ message: ClientMessage) -> [UInt8] {
  line(message)
}

private func line(_ message: some JSONWritable) -> [UInt8] {
  // Most messages are shorter; the array that is written here is the one that is sent.
  var writer = JSONWriter(capacity: 256)
  message.write(to: &writer)
  writer.endLine()
  return writer.bytes
}

// MARK: Decoding

/// Decodes the lines that a server receives.
///
/// It is confined to one thread; a loop has one for all its connections.
package struct ClientLineDecoder: ~Copyable {
  private var parser: JSONParser
  private let bounds: FieldBounds

  /// Makes a decoder for a server with these limits.
  package init(limits: Limits) {
    parser = JSONParser(maximumBytes: limits.lineBytes)
    bounds = FieldBounds(limits)
  }

  /// Decodes a line without its ending.
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

/// Decodes the lines that a client receives.
///
/// It is confined to one thread, like ``ClientLineDecoder``.
package struct ServerLineDecoder: ~Copyable {
  private var parser: JSONParser

  /// Makes a decoder for lines up to this length: a snapshot of the largest session.
  package init(maximumBytes: Int) {
    parser = JSONParser(
      maximumBytes: maximumBytes, maximumDepth: JSONParser.maximumWrittenDepth)
  }

  /// Decodes a line without its ending.
  ///
  /// - Throws: what is wrong with it; `unknownType` comes from a newer server, and should be
  ///   ignored.
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

/// The answer to a line that is not a valid message.
package struct MalformedLine: Error, Equatable, Sendable {
  /// The request's id if it could be read, so that even an invalid request gets its answer.
  package let request: RequestID?
  package let error: ProtocolError

  package init(request: RequestID?, error: ProtocolError) {
    self.request = request
    self.error = error
  }
}

extension ProtocolError {
  /// The error to answer a flaw with.
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

  /// The error to answer an unknown type with.
  static func unknownType(_ type: String) -> ProtocolError {
    ProtocolError(.unknownType, "there is no message of the type '\(type)'", field: "type")
  }
}

extension JSONObject {
  /// The message's type, limited to a length that fits every type and an error message.
  func messageType() throws(DecodingFlaw) -> String {
    try string("type", maximum: 64)
  }

  /// The request's id, if it can be read, even if the line has other flaws.
  func readableRequestID() -> RequestID? {
    do throws(DecodingFlaw) { return try requestID() } catch { return nil }
  }
}
