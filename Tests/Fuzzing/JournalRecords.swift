import Coordination
import Journals

/// The bodies of a journal's rows.
///
/// An input is a word for what it is, such as `groupEvent`, and the body.
final class JournalRecords: FuzzTarget {
  static let name = "records"
  static let claim = "a journal's record that is read is written, and read alike again"

  private var reader = RecordReader()
  private var writer = RecordWriter()

  static func seeds() throws -> [[UInt8]] { try Seeds.journalRecords() }

  func check(_ input: [UInt8]) throws {
    guard let space = input.firstIndex(of: UInt8(ascii: " ")) else { return }
    let word = String(shown: input[..<space])
    // SQLite gives texts; bytes that are no UTF-8 are repaired before anybody reads them.
    let body = String(shown: input[(space + 1)...])
    for kind in AggregateKind.allCases {
      switch word {
      case "\(kind.rawValue)Event": try checkEvent(body, of: kind)
      case "\(kind.rawValue)State": try checkState(body, of: kind)
      default: break
      }
    }
    if word == "outcome" { try checkOutcome(body) }
  }

  private func checkEvent(_ body: String, of kind: AggregateKind) throws(BrokenClaim) {
    func read(_ text: String) throws(BrokenClaim) -> AggregateEvent? {
      try readable { try reader.event(text, of: kind, format: JournalFormat.current) }
    }
    guard let event = try read(body) else { return }
    let text = writer.text(of: event)
    let again = try read(text)
    try require(again == event, else: "\(event) is read as \(again, default: "a flaw")")
    try require(again.map { writer.text(of: $0) } == text, else: "\(text) is written otherwise")
  }

  private func checkState(_ body: String, of kind: AggregateKind) throws(BrokenClaim) {
    func read(_ text: String) throws(BrokenClaim) -> AggregateState? {
      try readable { try reader.state(text, of: kind, format: JournalFormat.current) } ?? nil
    }
    guard let state = try read(body) else { return }
    let text = writer.text(of: state)
    let again = try read(text)
    try require(again == state, else: "\(state) is read as \(again, default: "a flaw")")
    try require(again.map { writer.text(of: $0) } == text, else: "\(text) is written otherwise")
  }

  private func checkOutcome(_ body: String) throws(BrokenClaim) {
    func read(_ text: String) throws(BrokenClaim) -> RequestOutcome? {
      try readable { try reader.outcome(text, format: JournalFormat.current) }
    }
    guard let outcome = try read(body) else { return }
    // A space leaves the text to the parser, which the most frequent answers do without.
    let parsed = try read(" " + body)
    try require(parsed == outcome, else: "the short way reads \(outcome)")
    let text = writer.text(of: outcome)
    let again = try read(text)
    try require(again == outcome, else: "\(outcome) is read as \(again, default: "a flaw")")
  }

  /// What was read; `nil` if it was refused with a sentence.
  private func readable<Value>(_ read: () throws -> Value) throws(BrokenClaim) -> Value? {
    do { return try read() } catch let error as UnreadableRecord {
      try require(!error.description.isEmpty, else: "a record is refused without a sentence")
      return nil
    } catch {
      throw BrokenClaim("\(error) is not what a reader throws")
    }
  }
}
