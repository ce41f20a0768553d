import EventLoops
import Scenarios
import Stages
import Vocabulary

/// The phases that change more than whether players run.
extension ComparisonScript {
  mutating func pause(
    _ one: SyncplayClientProcess, followedBy other: SyncplayClientProcess
  ) throws(ComparisonFailure) {
    tell("pause")
    let cue = loop.now
    one.press(.pause)
    try wait(until: "both stand", of: other) { stage.stands(one) && stage.stands(other) }
    // Some clients are put right after a moment.
    try run(for: Self.length)
    let heads = playheads(one, other)
    add(
      "pause", "the other one stands after",
      heads.firstInstant(from: cue) { $0.stands(other.name) })
    figures.append(
      ComparisonFigure("pause", "frames apart then", heads.framesApart, target: .better))
  }

  mutating func seek(
    _ phase: String, _ one: SyncplayClientProcess, followedBy other: SyncplayClientProcess,
    isMeasured: Bool = true
  ) throws(ComparisonFailure) {
    tell(phase)
    let cue = loop.now
    one.press(.seek(Self.target))
    try wait(until: "both are there", of: other) {
      [one, other].allSatisfy { client in
        stage.runs(client) && stage.place(of: client).map(Self.isNearTarget) == true
      }
    }
    try run(for: Self.length)
    guard isMeasured else { return }
    let heads = playheads(one, other)
    add(
      phase, "the other one is there after",
      heads.firstInstant(from: cue) { heads in
        heads.place(of: other.name).map(Self.isNearTarget) == true
      })
    addSpread(phase, heads, from: cue + Self.settling * 2)
  }

  private static func isNearTarget(_ place: MediaTime) -> Bool {
    place >= target && place < target + patience
  }

  /// Somebody comes, stays a little, and goes.
  mutating func joinLate(
    _ number: Int, beside one: SyncplayClientProcess, _ other: SyncplayClientProcess
  ) throws(ComparisonFailure) {
    let phase = "late join \(number)"
    // Thrown back by the one before, they go on from where they were.
    if stage.place(of: one).map(Self.isNearTarget) != true {
      try start("after join \(number - 1)", one, followedBy: other, isMeasured: false)
      try seek("after join \(number - 1)", one, followedBy: other, isMeasured: false)
    }
    tell(phase)
    let begin = loop.now
    let late = try enter(
      "eve\(number)", with: films.first,
      NetworkConditions(delay: Self.lateDelay, jitter: Self.jitter),
      seed: UInt64(number) + 2)
    try wait(until: "\(late.name) has the film", of: late) { stage.isSettled(late) }
    let arrival = loop.now
    // Long enough for any throw back, and for the client to get there.
    try run(for: Self.length * 2)
    let heads = playheads(one, other)
    figures.append(
      ComparisonFigure(
        phase, "others moved by, at most", heads.displacement(from: begin), target: .atMost(250)))
    let all = playheads(one, other, late)
    // Nothing to compare: those who are all thrown back are together at once.
    figures.append(
      ComparisonFigure(
        phase, "the late one is with them after",
        all.firstInstant(from: arrival) { $0.areTogether(within: 1000) }, target: nil))
    late.close()
    try wait(until: "\(late.name) is gone", of: late) { late.hasEnded }
  }

  mutating func next(
    _ one: SyncplayClientProcess, followedBy other: SyncplayClientProcess
  ) throws(ComparisonFailure) {
    let phase = "next film"
    tell(phase)
    // Whatever stands in the list already is not taken twice.
    for film in [films.first, films.second] { one.queue(film) }
    try run(for: Self.settling * 2)
    let cue = loop.now
    one.select(2)
    let notice = "\(other.name) is playing '\(films.second)'"
    try wait(until: notice, of: other) { other.words.contains(notice) }
    try run(for: Self.settling * 2)
    one.press(.play)
    try wait(until: "both run", of: other) { stage.runs(one) && stage.runs(other) }
    let begin = loop.now + Self.settling
    try run(for: Self.length)
    let heads = playheads(one, other)
    add(
      phase, "the other one is at its beginning after",
      heads.firstInstant(from: cue) { heads in
        heads.place(of: other.name).map { $0 < .seconds(10) } == true
      })
    addSpread(phase, heads, from: begin)
  }
}
