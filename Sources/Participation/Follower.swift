package import Playback
package import Vocabulary

/// Keeps one player on one item's ``Timeline``: pauses it on the group's frame, starts it at the
/// group's instant, trims it while it runs, and tells the server what it must know.
///
/// Everything is one rule, `steer`: compare what the timeline wants with what the player was told,
/// and ask for the difference. Every input ends there, so inputs may come in any order and repeat.
/// At most one seek is outstanding; whatever the timeline became meanwhile is dealt with when it
/// is over.
///
/// A running player is moved by the same way as a late joiner's: pause, seek to where the group
/// will be after the learned cost of a seek, wait there for the group, start. The wait makes the
/// start exact although no player's seek is.
///
/// Pure: hand it inputs, carry out its outputs, and hand it ``Input/deadlineReached`` once
/// ``nextDeadline`` has passed.
package struct Follower: Equatable, Sendable {
  /// What the follower is doing about the timeline.
  enum Stage: Equatable, Sendable {
    /// Nothing to do, or nothing can be done.
    case idle
    /// Paused where the timeline wants it.
    case resting
    /// Placed, and starts at that moment.
    case waiting(until: HostTime)
    /// On the line.
    case running
    /// Will take up a line that begins in the future; until then it runs on as it did.
    case turning(into: LocalLine)
    /// A person moved the player, and the group has yet to answer; then the timeline rules again.
    case yielded(until: HostTime)
  }

  /// A command of ours that the player has yet to echo.
  enum Echo: Equatable, Sendable { case paused, unpaused }

  struct LoadedItem: Equatable, Sendable {
    let duration: Duration?
    let canChangeRate: Bool
  }

  struct Seek: Equatable, Sendable {
    let target: MediaTime
    let asked: HostTime
  }

  /// Where a paused player stands: what it was asked for and where that led.
  struct Place: Equatable, Sendable {
    let target: MediaTime
    let landed: MediaTime
  }

  struct Reading: Equatable, Sendable {
    var place: MediaTime
    var at: HostTime
  }

  /// A start whose cost the next readings will show.
  struct Start: Equatable, Sendable {
    let assumedCost: Duration
    let lateness: Duration
  }

  /// How long a person's key waits for the group's answer before the timeline rules again.
  static let patience = Duration.seconds(3)
  /// A seek that takes longer has been lost.
  static let seekTimeout = Duration.seconds(10)
  /// How long a player that cannot keep up is left alone.
  static let retreat = Duration.seconds(30)
  /// A start this late is trimmed by rate; a later one is worth a seek.
  static let tolerableLateness = Duration.milliseconds(40)
  /// A running player this far from a new timeline is moved at once instead of trimmed.
  static let tolerableTurn = Duration.milliseconds(250)
  /// Waiting longer than this at a landing place would be worse than seeking again, a few times.
  static let longestWait = Duration.milliseconds(500)
  /// Places in a row that come too late, or too far ahead, before the player is started anyway and
  /// trimmed, or waits.
  static let placingAttempts = 3

  var playerOffset: Duration
  var timeline: Timeline?
  var clock: ClockEstimate?
  var isSuspended = false

  var item: LoadedItem?
  var stage = Stage.idle
  var isRunning = false
  var isStalled = false
  /// Whether the item ran out under this timeline: nothing catches up with an end.
  var hasEnded = false
  /// The suspension this follower asked for and has to end.
  var ownSuspension: SuspensionReason?
  var retreatEnds: HostTime?
  var rate = 1.0
  var echoes: [Echo] = []
  var commandedAt: HostTime?
  var seek: Seek?
  /// The targets of seeks that timed out; the player may still report their ends.
  var abandonedSeeks: [MediaTime] = []
  /// Whether the player is to be brought to the timeline anew once the seek is over.
  var reappliesLater = false
  var place: Place?
  var reading: Reading?
  var line: LocalLine?
  var start: Start?
  var attempts = 0
  var statusAt: HostTime?
  /// Whether a barrier waits for a report this follower has yet to make.
  var owesReady = false

  var drift = DriftController(measurementNoise: .zero, canChangeRate: false)
  /// What seeking costs this player, as learned so far.
  package internal(set) var seekCost = LearnedCost.seeking
  /// What starting costs this player, as learned so far.
  package internal(set) var startCost = LearnedCost.starting

  /// A follower with nothing to follow.
  ///
  /// - Parameter playerOffset: How much later than the player says its sound comes out, on a
  ///   soundbar or over Bluetooth; the player runs ahead by as much.
  package init(playerOffset: Duration = .zero) {
    self.playerOffset = playerOffset
  }

  /// Takes one input in and says what is to be done about it.
  package mutating func handle(_ input: Input, at now: HostTime) -> [Output] {
    switch input {
    case .timeline(let timeline, let clock):
      self.clock = clock
      return follow(timeline, at: now)
    case .clock(let clock):
      self.clock = clock
      return isYielded ? [] : steer(at: now)
    case .playerOffset(let offset):
      playerOffset = offset
      return isYielded ? [] : steer(at: now)
    case .player(let event): return handle(event, at: now)
    case .suspended(let isSuspended):
      guard isSuspended != self.isSuspended else { return [] }
      return suspend(isSuspended, at: now)
    case .reapply: return isYielded ? [] : reapply(at: now)
    case .deadlineReached: return meetDeadlines(at: now)
    }
  }

  /// When the follower next wants ``Input/deadlineReached``; `nil` while only others can move it.
  package var nextDeadline: HostTime? {
    var deadlines = [drift.nextDeadline, retreatEnds, seek.map { $0.asked + Self.seekTimeout }]
    switch stage {
    case .waiting(let moment), .yielded(let moment): deadlines.append(moment)
    case .turning(let next): deadlines.append(next.start)
    case .idle, .resting, .running: break
    }
    return deadlines.compactMap { $0 }.min()
  }

  /// Where the player should be at a moment; `nil` with nothing to follow.
  package func expectedPlace(at now: HostTime) -> MediaTime? {
    guard let timeline, let clock else { return nil }
    guard case .playing(let anchor) = timeline.phase else {
      return timeline.position(at: clock.instant(at: now))
    }
    return localLine(anchor, clock: clock).position(at: now)
  }

  /// Whether the player is left to itself.
  var isDetached: Bool { isSuspended || isStalled || ownSuspension != nil }

  var isYielded: Bool {
    if case .yielded = stage { true } else { false }
  }

  /// The item's length, as the group or else the player knows it.
  var duration: Duration? { timeline?.duration ?? item?.duration }

  func localLine(_ anchor: TimelineAnchor, clock: ClockEstimate) -> LocalLine {
    LocalLine(anchor: anchor, clock: clock, duration: duration, playerOffset: playerOffset)
  }

  /// Where the player must be by now, from its last reading and the rate it was told.
  func believedPlace(at now: HostTime) -> MediaTime? {
    guard let reading else { return place?.landed }
    guard isRunning, !isStalled, now > reading.at else { return reading.place }
    return reading.place + (now - reading.at) * rate
  }

  private mutating func follow(_ next: Timeline?, at now: HostTime) -> [Output] {
    if next?.seq != timeline?.seq {
      (attempts, hasEnded) = (0, false)
      switch next?.phase {
      case .preparing: owesReady = true
      case .playing: break  // Who missed the barrier still owes the report.
      case .paused, .ended, nil: owesReady = false
      }
    }
    timeline = next
    if next == nil { return leaveAlone(at: now) }
    if isYielded { stage = .idle }
    let outputs = stepInForRate()
    return outputs + catchUp(at: now)
  }

  private mutating func suspend(_ suspended: Bool, at now: HostTime) -> [Output] {
    isSuspended = suspended
    if suspended { return leaveAlone(at: now) }
    place = seek == nil ? nil : place
    line = nil
    return catchUp(at: now)
  }

  /// Lets go of the player, at the group's own rate and nothing else of ours on it.
  mutating func leaveAlone(at now: HostTime) -> [Output] {
    let isTrimmed = drift.factor != 1
    drift.reset(at: now)
    stage = .idle
    start = nil
    reappliesLater = false
    guard isTrimmed, let line else { return [] }
    return setRate(line.anchor.rate.factor)
  }

  private mutating func meetDeadlines(at now: HostTime) -> [Output] {
    var outputs: [Output] = []
    if let lost = seek, lost.asked + Self.seekTimeout <= now {
      seek = nil
      // A player that never reports an end must not grow the list.
      if abandonedSeeks.count >= 32 { abandonedSeeks.removeFirst() }
      abandonedSeeks.append(lost.target)
      outputs += reappliesLater ? reapply(at: now) : steer(at: now)
    }
    if let retreatEnds, retreatEnds <= now { outputs += comeBack(at: now) }
    if let due = drift.nextDeadline, due <= now {
      outputs += carryOut(drift.deadlineReached(at: now), error: .zero, at: now)
    }
    switch stage {
    case .waiting(let moment) where moment <= now: outputs += steer(at: now)
    case .turning(let next) where next.start <= now: outputs += take(next, at: now)
    case .yielded(let moment) where moment <= now:
      stage = .idle
      line = nil
      outputs += steer(at: now)
    default: break
    }
    return outputs
  }
}

extension Follower {
  /// What reaches a follower.
  package enum Input: Equatable, Sendable {
    /// The item's timeline, as the server last told it; `nil` while the item is not current.
    ///
    /// The same timeline again puts the player back on it: after an intent was refused.
    case timeline(Timeline?, clock: ClockEstimate)
    /// A better estimate of the group's time.
    case clock(ClockEstimate)
    /// How much later than the player says its sound comes out, as the person set it.
    case playerOffset(Duration)
    /// Something the player told.
    case player(PlayerEvent)
    /// Whether a suspension other than this follower's own is open.
    case suspended(Bool)
    /// The player may be elsewhere than it was told: command it anew.
    case reapply
    /// ``Follower/nextDeadline`` has passed, or may have.
    case deadlineReached
  }

  /// What a follower wants done.
  package enum Output: Equatable, Sendable {
    /// For the player, in this order.
    case player(PlayerCommand)
    /// For the server: how this participant stands to its timeline.
    case report(Report)
    /// For the server: what the person wants of the group.
    case intent(Intent)
    /// For the server: step out of coordinated playback.
    case suspend(SuspensionReason)
    /// For the server: the suspension this follower asked for is over.
    case endSuspension
    /// For people who ask why: what was done about an error of that size.
    case correction(Correction, error: Duration)
    /// For displays, about once a second while running: where the player is less where it should
    /// be, with the typical error of its last readings.
    case status(error: Duration)
  }

  /// What a follower reports.
  package enum Report: Equatable, Sendable {
    /// Placed, buffered, able to start: answers the timeline of that number.
    case ready(seq: Int)
    /// The item ran to its end here, under the timeline of that number.
    case ended(seq: Int)
  }

  /// What a person asked for with the player's own keys.
  package enum Intent: Equatable, Sendable {
    /// Everyone should run.
    case play
    /// Everyone should stop at the frame that was seen here.
    case pause(at: MediaTime)
    /// Everyone should go there.
    case seek(to: MediaTime)
    /// Everyone should run at this rate.
    case setRate(Rate)
  }

  /// Why the player was touched while it ran.
  package enum Correction: Equatable, Sendable {
    /// Runs at this factor of the group's rate for a while.
    case rate(Double)
    /// Runs at exactly the group's rate again.
    case groupRate
    /// Seeks ahead by this much and waits for the group there.
    case seek(leadingBy: Duration)
    /// Started late by the error, less than is worth a seek.
    case startedLate
    /// Steps out for a while: it cannot keep up.
    case gaveUp
  }
}
