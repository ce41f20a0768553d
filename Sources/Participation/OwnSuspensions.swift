import Playback

/// This player's own suspensions: those that the follower requested, until the server knows that
/// they are over, and those of which the server is not told.
///
/// The server numbers a suspension in its answer. One that is over before then is ended as soon as
/// its number is known; one that begins again before then is the same, because the server has one
/// for a reason.
struct OwnSuspensions: Equatable, Sendable {
  private struct Open: Equatable, Sendable {
    var id: SuspensionID?
    var isOver = false
    /// How many requests for it are not answered.
    var asked = 1
  }

  private var open: [SuspensionReason: Open] = [:]
  /// Why the follower is suspended; it is so for one reason at a time.
  private var reason: SuspensionReason?
  /// Suspensions that the server was asked to end.
  private var ending: Set<SuspensionID> = []
  /// Whether a person moved the player while the connection was down.
  private var isAstray = false
  /// Whether this spectator has stepped out.
  private var isOut = false

  /// Begins a suspension of the follower.
  mutating func begin(_ reason: SuspensionReason) {
    open[reason] = Open(asked: (open[reason]?.asked ?? 0) + 1)
    self.reason = reason
  }

  /// Discards a suspension that the server does not have; it may yet grant the one asked for next.
  mutating func drop(_ reason: SuspensionReason) {
    open[reason]?.asked -= 1
    if open[reason]?.asked == 0, open[reason]?.id == nil { open[reason] = nil }
  }

  /// Records a suspension's number; returns it if it has to be ended on the server, because it is
  /// over already.
  ///
  /// - Parameter standing: This device's suspensions that are open on the server.
  mutating func name(
    _ reason: SuspensionReason, _ number: SuspensionID, standing: [Suspension]
  ) -> SuspensionID? {
    guard var own = open[reason] else { return nil }
    own.asked -= 1
    // A number that is being ended answers a request from before its end.
    if !ending.contains(number) { own.id = number }
    open[reason] = own
    return own.isOver ? end(reason, standing: standing) : nil
  }

  /// Ends the follower's suspension; returns the number to end on the server, if it is known.
  ///
  /// - Parameter standing: This device's suspensions that are open on the server.
  mutating func end(standing: [Suspension]) -> SuspensionID? {
    guard let reason else { return nil }
    self.reason = nil
    return end(reason, standing: standing)
  }

  private mutating func end(
    _ reason: SuspensionReason, standing: [Suspension]
  ) -> SuspensionID? {
    guard var own = open[reason] else { return nil }
    let id = own.id
    (own.id, own.isOver) = (nil, true)
    // The answer that is still due may name another one.
    open[reason] = own.asked > 0 ? own : nil
    guard let id else { return nil }
    ending = ending.intersection(standing.map(\.id)).union([id])
    return id
  }

  mutating func goAstray() { isAstray = true }
  mutating func comeBack() { isAstray = false }
  mutating func stepOut(_ isOut: Bool) { self.isOut = isOut }

  /// Whether a person or the app detached the player, not the follower or the server's barrier.
  ///
  /// - Parameter standing: This device's suspensions that are open on the server.
  func isDetachedByChoice(standing: [Suspension]) -> Bool {
    isAstray || isOut || standing.contains { !$0.isImposed && !covers($0) }
  }

  /// Whether a suspension that ended was the follower's, and the person ended it.
  func isTaken(_ ended: Suspension) -> Bool {
    !ended.isImposed && covers(ended) && !ending.contains(ended.id)
  }

  /// Whether the follower requested this suspension.
  private func covers(_ suspension: Suspension) -> Bool {
    if ending.contains(suspension.id) { return true }
    return open[suspension.reason].map { ($0.id ?? suspension.id) == suspension.id } ?? false
  }
}
