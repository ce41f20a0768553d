import JSON

/// Encodes lines to clients: raw UTF-8 with CRLF, never longer than clients accept.
package struct SyncplayLineEncoder: Sendable {
  private var writer = JSONWriter()
  /// The parts of a State that are reused: one for all clients told at the same instant, one for
  /// all clients in the same room.
  private var stamp = RepeatedPart<Double>()
  private var place = RepeatedPart<Place>()

  private struct Place: Equatable {
    let position: Double
    let isPaused: Bool
    let isSeek: Bool
    let setBy: String?
  }

  /// An encoder; a loop keeps one for all its connections.
  package init() {}

  /// The line of a State with its line ending; empty if the line would be too long.
  package mutating func encode(_ state: SyncplayServerState) -> [UInt8] {
    writer.removeAll()
    stamp.append(state.stamp, to: &writer) { state.writeStamp(to: &$0) }
    state.writePing(to: &writer)
    let told = Place(
      position: state.position, isPaused: state.isPaused, isSeek: state.isSeek, setBy: state.setBy)
    place.append(told, to: &writer) { state.writePlace(to: &$0) }
    state.writeCounters(to: &writer)
    return line()
  }

  /// The line of a message with its line ending; empty if it would be too long, because clients
  /// disconnect at a longer line.
  ///
  /// A List is trimmed until it fits. Other parts that peers choose are bounded when they come in;
  /// a playlist that would not fit is refused.
  package mutating func encode(_ message: SyncplayServerMessage) -> [UInt8] {
    writer.removeAll()
    switch message {
    case .list(let rooms): SyncplayList.fitting(rooms, in: SyncplayLimits.lineBytes, &writer)
    default: message.write(to: &writer)
    }
    return line()
  }

  /// The length of a message's line in bytes, without the line ending.
  mutating func length(of message: SyncplayServerMessage) -> Int {
    writer.removeAll()
    message.write(to: &writer)
    return writer.bytes.count
  }

  private mutating func line() -> [UInt8] {
    guard writer.bytes.count <= SyncplayLimits.lineBytes else { return [] }
    writer.endNetworkLine()
    return writer.bytes
  }
}

/// Text that recurs in consecutive lines; it is written once and then copied.
struct RepeatedPart<Key: Equatable & Sendable>: Sendable {
  private var key: Key?
  private var text: [UInt8] = []

  /// Appends the part: the stored text if the key is the same as in the last call, otherwise newly
  /// written text, which has to end with an element.
  mutating func append(
    _ key: Key, to writer: inout JSONWriter, writing write: (inout JSONWriter) -> Void
  ) {
    guard self.key != key else { return writer.again(text) }
    let start = writer.bytes.count
    write(&writer)
    self.key = key
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: writer.bytes[start...])
  }
}
