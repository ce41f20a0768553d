import JSON

/// Writes lines to clients: raw UTF-8, CRLF, and never longer than clients take.
package struct SyncplayLineEncoder: Sendable {
  private var writer = JSONWriter()
  /// What all who are told at one instant are told alike, and what all in one room are.
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

  /// The State's line with its ending; empty if it cannot be told, as of any message.
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

  /// The message's line with its ending; empty if it cannot be told, for no client would live
  /// through a longer line.
  ///
  /// A List is trimmed until it fits. Whatever else has parts that peers chose was bounded when it
  /// came in, so that it fits: a playlist that would not is refused.
  package mutating func encode(_ message: SyncplayServerMessage) -> [UInt8] {
    writer.removeAll()
    switch message {
    case .list(let rooms): SyncplayList.fitting(rooms, in: SyncplayLimits.lineBytes, &writer)
    default: message.write(to: &writer)
    }
    return line()
  }

  /// How many bytes a message takes, without its ending.
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

/// A part of lines that is the same in many of them in a row: written once, and copied.
struct RepeatedPart<Key: Equatable & Sendable>: Sendable {
  private var key: Key?
  private var text: [UInt8] = []

  /// Appends the part: what was written for this key, if that was the last one, else what is
  /// written now, which has to end with an element.
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
