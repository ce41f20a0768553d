import EventLoops
import Scenarios
import Stages
import Vocabulary

// The phases of those who come, and come back.

extension ComparisonScript {
  /// What nobody who comes may move the others by, in milliseconds.
  private static let stillness = 250.0
  private static let moved = "others moved by, at most"

  /// Somebody comes, stays a little, and goes.
  mutating func joinLate(beside cast: Cast) throws(ComparisonFailure) {
    lateCount += 1
    let begin = loop.now
    let late = try enter(
      "eve\(lateCount)", with: film,
      NetworkConditions(delay: Self.lateDelay, jitter: Self.jitter),
      seed: UInt64(Self.names.count + lateCount))
    try wait(until: "\(late.name) has the film", of: late) { stage.isSettled(late) }
    let arrival = loop.now
    // Long enough for any throw back, and for the client to get there.
    try run(for: Self.length * 2)
    figures.add(
      ComparisonFigure(
        "late join", Self.moved, [playheads(cast.all).displacement(from: begin)], by: .largest,
        target: .atMost(Self.stillness)))
    // Nothing to compare: those who are all thrown back are together at once.
    figures.add(
      ComparisonFigure(
        "late join", "the late one is with them after",
        [
          playheads(cast.all + [late]).firstInstant(from: arrival) {
            $0.areTogether(within: 1000)
          }
        ], target: nil))
    late.close()
    try wait(until: "\(late.name) is gone", of: late) { late.hasEnded }
  }

  /// Somebody's line is cut, while all play, and comes back.
  mutating func cut(_ cast: Cast) throws(ComparisonFailure) {
    let others = cast.others(than: cast.last)
    let before = arrivals(of: cast.last)
    let begin = loop.now
    cast.last.cutNetwork()
    try run(for: Self.settling * 3)
    cast.last.restoreNetwork()
    try wait(until: "\(cast.last.name) is back", of: cast.last) {
      arrivals(of: cast.last) > before
    }
    let arrival = loop.now
    try run(for: Self.length)
    figures.add(
      ComparisonFigure(
        "cut line", Self.moved, [playheads(others).displacement(from: begin)], by: .largest,
        target: .atMost(Self.stillness)))
    addSpread("cut line", playheads(cast.all), from: arrival + Self.settling)
  }

  private func arrivals(of client: SyncplayClientProcess) -> Int {
    client.words.split(separator: "Successfully connected").count
  }
}
