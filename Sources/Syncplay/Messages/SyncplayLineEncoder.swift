import JSON

/// Writes lines to clients: raw UTF-8, CRLF, and never longer than clients take.
package struct SyncplayLineEncoder: Sendable {
  private var writer = JSONWriter()

  /// An encoder; a loop keeps one for all its connections.
  package init() {}

  /// The message's line with its ending; empty if it cannot be told, for no client would live
  /// through a longer line.
  ///
  /// A List is trimmed until it fits. Whatever else has parts that peers chose was bounded when it
  /// came in, so that it fits: a playlist that would not is refused.
  package mutating func encode(_ message: SyncplayServerMessage) -> [UInt8] {
    if case .list(let rooms) = message {
      SyncplayList.fitting(rooms, in: SyncplayLimits.lineBytes, &writer)
    } else {
      writer.removeAll()
      message.write(to: &writer)
    }
    guard writer.bytes.count <= SyncplayLimits.lineBytes else { return [] }
    writer.endNetworkLine()
    return writer.bytes
  }

  /// How many bytes a message takes, without its ending.
  mutating func length(of message: SyncplayServerMessage) -> Int {
    writer.removeAll()
    message.write(to: &writer)
    return writer.bytes.count
  }
}
