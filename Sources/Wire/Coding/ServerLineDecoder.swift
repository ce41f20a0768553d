import JSON

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
        guard let type = ServerMessageType.spelled[name] else {
          return .failure(
            MalformedLine(request: object.readableRequestID(), error: .unknownType(name)))
        }
        return .success(try ServerMessage(type, decoding: object))
      }
    } catch {
      throw MalformedLine(request: nil, error: ProtocolError(error))
    }
    return try outcome.get()
  }
}

@available(*, unavailable) extension ServerLineDecoder: Sendable {}
