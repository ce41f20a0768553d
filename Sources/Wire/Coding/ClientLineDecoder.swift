import JSON
package import Vocabulary

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
      guard let type = ClientMessageType.spelled[name] else {
        return .failure(
          MalformedLine(request: object.readableRequestID(), error: .unknownType(name)))
      }
      return .success(try ClientMessage(type, decoding: object, within: bounds))
    } catch {
      return .failure(
        MalformedLine(request: object.readableRequestID(), error: ProtocolError(error)))
    }
  }
}

@available(*, unavailable) extension ClientLineDecoder: Sendable {}
