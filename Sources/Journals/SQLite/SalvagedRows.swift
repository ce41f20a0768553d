import GRDB

/// The rows of one stream, as far as they can be read.
struct SalvagedRows {
  private var snapshot: JournalRow.Record?
  /// Events that the snapshot holds already; some may be missing.
  private var history: [JournalRow.Record] = []
  /// The events behind the snapshot, or from the first one on, without a gap.
  private var tail: [JournalRow.Record] = []
  private var answers: [JournalRow.Answer] = []
  /// Whether all of it can be read, but for history.
  private(set) var isWhole: Bool
  /// Whether it can be gone on from where it once was.
  private(set) var isGoingOn: Bool

  /// The number of the last event that it goes on from.
  var last: Int64 { tail.last?.seq ?? snapshot?.seq ?? 0 }

  /// - Parameters:
  ///   - ring: how many answers a device has, once it has asked as often.
  ///   - soundAnswers: of which answers none is missing unseen: without recent ones no device's are
  ///     all there, without those in rings only a full ring is believed.
  init(
    of stream: JournalRow.Stream, in old: DamagedRows, ring: Int,
    soundAnswers: (inRings: Bool, recent: Bool)
  ) {
    let id = stream.id
    let snapshots = old.values(JournalSQL.snapshot, [id]) { try JournalRow.Record($0, of: id) }
    snapshot = snapshots.values.first
    let start = snapshot?.seq ?? 0
    let events = old.values(JournalSQL.events, [id, start]) { try JournalRow.Record($0, of: id) }
    for event in events.values where event.seq == start + Int64(tail.count) + 1 {
      tail.append(event)
    }
    if start > 0 {
      history = old.values(JournalSQL.events, [id, 0]) { try JournalRow.Record($0, of: id) }.values
        .filter { $0.seq <= start }
    }
    let late = old.answers(of: id)
    answers = late.values
    let hasBeginning = snapshot != nil || tail.first?.seq == 1
    isWhole =
      hasBeginning && events.areAll && tail.count == events.values.count && late.areAll
    isGoingOn = hasBeginning
    guard stream.kind == AggregateKind.device.rawValue else { return }
    isWhole =
      isWhole && Self.isWhole(answers, ring: ring) && soundAnswers.recent
      && (soundAnswers.inRings || answers.count >= ring)
    isGoingOn = isWhole
  }

  /// Answers are numbered, and a full ring has no gap.
  private static func isWhole(_ answers: [JournalRow.Answer], ring: Int) -> Bool {
    guard let newest = answers.last?.number else { return true }
    let oldest = max(1, newest - Int64(ring) + 1)
    return answers.map(\.number).suffix(ring).elementsEqual(oldest...newest)
  }

  /// Puts them into a new file, under the same id: their sums stay what they are.
  func insert(_ stream: JournalRow.Stream, into new: Database) throws {
    try new.insert(stream.id, stream.kind, stream.name, began: stream.began)
    for event in history + tail {
      try new.insertEvent(
        event.seq, of: stream.id, at: event.at, format: event.format, event.body)
    }
    if let snapshot {
      try new.replaceSnapshot(
        snapshot.seq, of: stream.id, at: snapshot.at, format: snapshot.format, snapshot.body)
    }
    for answer in answers {
      try new.replaceAnswer(
        answer.number, of: stream.id, at: answer.slot, to: answer.request, format: answer.format,
        answer.body)
    }
  }
}
