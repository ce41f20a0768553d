import Coordination
import JSON
import Journals
import Vocabulary

/// A server's start from a journal, whose rows are whole but say anything.
///
/// An input is an exported journal: a line for each row. Lines that cannot be read are left out.
final class JournalStreams: FuzzTarget {
  static let name = "journal"
  static let claim =
    "a server starts from any rows that can be read, or says which stream is broken"

  private var parser = JSONParser(maximumBytes: 64 * 1024)
  private var reader = RecordReader()
  private static let now = Instant(microseconds: 1_795_255_000_000_000)

  static func seeds() throws -> [[UInt8]] { try Seeds.journals() }

  /// A stream as far as it was read.
  private struct Stream {
    let aggregate: AggregateID
    var snapshot: AggregateState?
    /// Its events, and the number that each says it has.
    var events: [(seq: Int, event: RecordedEvent)] = []

    /// The events behind the snapshot.
    var later: [RecordedEvent] {
      events.filter { $0.seq > snapshot?.seq ?? 0 }.map(\.event)
    }
  }

  func check(_ input: [UInt8]) throws {
    var streams: [Int: Stream] = [:]
    for line in input.split(separator: UInt8(ascii: "\n")) { take(Array(line), &streams) }
    var journal = CheckedJournal()
    for (_, stream) in streams.sorted(by: { $0.key < $1.key }) {
      _ = journal.add(stream.aggregate, stream.later, after: stream.snapshot)
    }
    var world = World(at: Self.now, journal: journal)
    try world.restart()
    try world.pass(.seconds(86_400))
    try world.restart()
  }

  private func take(_ line: [UInt8], _ streams: inout [Int: Stream]) {
    do throws(DecodingFlaw) {
      let row = try parser.parse(line.span) { (object) throws(DecodingFlaw) in
        try ExportedLine(decoding: object)
      }
      switch row {
      case .stream(let number, let kind, let name, _, _):
        guard let kind = AggregateKind(rawValue: kind), streams[number] == nil else { return }
        streams[number] = Stream(aggregate: AggregateID(kind, name))
      case .event(let number, let seq, let at, let body):
        guard let kind = streams[number]?.aggregate.kind, let event = event(body, of: kind) else {
          return
        }
        streams[number]?.events.append((seq, RecordedEvent(at: at, event: event)))
      case .snapshot(let number, _, _, let body):
        guard let stream = streams[number], let state = state(body, of: stream.aggregate.kind)
        else {
          return
        }
        // A snapshot of another aggregate would not be found under its stream.
        if state.aggregate == stream.aggregate { streams[number]?.snapshot = state }
      case .header, .clock, .answer, .end: break
      }
    } catch {}
  }

  private func event(_ body: ExportedBody, of kind: AggregateKind) -> AggregateEvent? {
    do { return try reader.event(body.text, of: kind, format: body.format) } catch {
      return nil
    }
  }

  private func state(_ body: ExportedBody, of kind: AggregateKind) -> AggregateState? {
    do { return try reader.state(body.text, of: kind, format: body.format) } catch {
      return nil
    }
  }
}
