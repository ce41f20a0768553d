import GRDB

/// The answers that are not in the rings of their devices yet, by the streams of the devices.
///
/// All lie in one array, those of a device as a chain: a start with hundreds of thousands of them
/// makes no array for each device.
struct UnfiledAnswers: Sendable {
  private var links: [Link] = []
  /// Where the last answer of each device lies.
  private var last: [Int64: Int] = [:]

  private struct Link: Sendable {
    let answer: JournalRow.Answer
    /// Where the one before it of the same device lies.
    let previous: Int?
  }

  /// Those of a device, in no order.
  subscript(device: Int64) -> [JournalRow.Answer] {
    var found: [JournalRow.Answer] = []
    var place = last[device]
    while let here = place {
      found.append(links[here].answer)
      place = links[here].previous
    }
    return found
  }

  mutating func add(_ answer: JournalRow.Answer) {
    let previous = last.updateValue(links.count, forKey: answer.device)
    links.append(Link(answer: answer, previous: previous))
  }

  /// Adds what a statement selects, whose first columns are an answer's.
  ///
  /// - Throws: ``Damage`` at a row that has changed.
  mutating func add(
    _ sql: String, _ arguments: StatementArguments = [], from database: Database
  ) throws {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { add(try JournalRow.Answer(row)) }
  }

  /// A device's answers as they will be in its ring, by their numbers.
  func filed(into ring: [JournalRow.Answer], of device: Int64) -> [JournalRow.Answer] {
    let late = self[device]
    guard !late.isEmpty else { return ring }
    let places = Dictionary((ring + late).map { ($0.slot, $0) }) { $0.number < $1.number ? $1 : $0 }
    return places.values.sorted { ($0.number, $0.slot) < ($1.number, $1.slot) }
  }
}
