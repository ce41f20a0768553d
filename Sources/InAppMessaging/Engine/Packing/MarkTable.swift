internal import Vocabulary

/// The last event of each source.
///
/// Three devices with identifiers as long as a UUID take 220 bytes instead of 430 in a sorted
/// array.
package struct MarkTable: Equatable, Sendable {
  private var table = PackedTable()

  /// No events.
  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { table.isEmpty }

  /// How many sources there are.
  package var count: Int { table.count }

  /// The mark of a source; assigning `nil` removes it.
  package subscript(source: EventSource) -> EventMark? {
    get { table.value(of: source.text, source.kind).map(EventMark.init(packed:)) }
    set { table.set(newValue?.packed, of: source.text, source.kind) }
  }
}

extension MarkTable: Sequence {
  /// Iterates over sources and marks, in the order of the sources.
  package func makeIterator() -> some IteratorProtocol<(key: EventSource, value: EventMark)> {
    sequence(state: 0) { [table] place in
      table.entry(at: &place).map { entry in
        (
          entry.kind == 0
            ? .client(DeviceID(entry.key)) : .participant(ParticipantID(entry.key)),
          EventMark(packed: entry.value)
        )
      }
    }
  }
}

extension EventSource {
  fileprivate var kind: UInt8 {
    switch self {
    case .client: 0
    case .participant: 1
    }
  }

  fileprivate var text: String {
    switch self {
    case .client(let device): device.text
    case .participant(let participant): participant.text
    }
  }
}

extension EventMark {
  fileprivate init(packed bytes: ArraySlice<UInt8>) {
    var rest = bytes
    epoch = rest.takeNumber()
    sequence = Int(truncatingIfNeeded: rest.takeNumber())
    at = Instant(microseconds: Int64(truncatingIfNeeded: rest.takeNumber()))
  }

  fileprivate var packed: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    bytes.appendNumber(epoch)
    bytes.appendNumber(UInt64(bitPattern: Int64(sequence)))
    bytes.appendNumber(UInt64(bitPattern: at.microseconds))
    return bytes
  }
}
