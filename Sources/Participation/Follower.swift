package import Playback
package import Vocabulary

/// Keeps one player on one item's ``Timeline``.
///
/// It pauses the player on the group's frame, starts it at the group's instant, trims its rate
/// while it plays, and reports to the server.
///
/// One rule, `steer`, does all of this: it compares the timeline with the commands already given
/// to the player, and outputs the difference. Every input ends there, so inputs may arrive in any
/// order and repeat. At most one seek is outstanding. Timeline changes that arrive meanwhile take
/// effect when the seek ends.
///
/// A playing player is moved in the same way as a late joiner: pause, seek to the group's position
/// after the learned cost of a seek, wait there for the group, start. The wait makes the start
/// exact although the player's seeks are not.
///
/// The follower is pure: hand it inputs, carry out its outputs, and send ``Input/deadlineReached``
/// once ``nextDeadline`` has passed.
package struct Follower: Equatable, Sendable {
  /// The follower's state relative to the timeline.
  enum Stage: Equatable, Sendable {
    /// There is nothing to do, or nothing can be done.
    case idle
    /// Paused at the timeline's position.
    case resting
    /// Paused at a position ahead of the group; starts at this time.
    case waiting(until: HostTime)
    /// Plays on the current line.
    case running
    /// Switches to a line that starts in the future; until then it plays on as before.
    case turning(into: LocalLine)
    /// A person moved the player; at this time the timeline takes over again, unless the group
    /// answers sooner.
    case yielded(until: HostTime)
  }

  /// A command of the follower that the player has not echoed yet.
  enum Echo: Equatable, Sendable { case paused, unpaused }

  struct LoadedItem: Equatable, Sendable {
    let duration: Duration?
    let rates: ClosedRange<Rate>
  }

  struct Seek: Equatable, Sendable {
    let target: MediaTime
    let asked: HostTime
  }

  /// The position of a paused player: the seek's target and the position where it landed.
  struct Landing: Equatable, Sendable {
    let target: MediaTime
    let position: MediaTime
  }

  struct Reading: Equatable, Sendable {
    var position: MediaTime
    var at: HostTime
  }

  /// A start whose actual cost the next readings will show.
  struct Start: Equatable, Sendable {
    let assumedCost: Duration
    let lateness: Duration
  }

  /// How long the follower waits for the group's answer to a person's key press.
  static let patience = Duration.seconds(3)
  /// A seek that takes longer counts as lost.
  static let seekTimeout = Duration.seconds(10)
  /// How long a player that cannot keep up is suspended.
  static let retreat = Duration.seconds(30)
  /// A start up to this late is corrected by rate; a later one needs a seek.
  static let tolerableLateness = Duration.milliseconds(40)
  /// A player further than this from its line, as it starts or turns, seeks instead of being
  /// trimmed; as it starts, if this minute's seeks allow it.
  static let tolerableTurn = Duration.milliseconds(250)
  /// The longest wait at a landing position; for a longer one, another seek is better.
  static let longestWait = Duration.milliseconds(500)
  /// The limit of consecutive seeks that land too late or too far ahead.
  ///
  /// After that the player starts and is trimmed, or waits.
  static let seekAttempts = 3

  var playerOffset: Duration
  var timeline: Timeline?
  var clock: ClockEstimate?
  var isSuspended = false

  var item: LoadedItem?
  var stage = Stage.idle
  var isRunning = false
  var isStalled = false
  /// Whether the item ended under this timeline, so that the player is not started again.
  var hasEnded = false
  /// The suspension that this follower requested and has to end.
  var ownSuspension: SuspensionReason?
  var retreatEnds: HostTime?
  var rate = 1.0
  var echoes: [Echo] = []
  var commandedAt: HostTime?
  var seek: Seek?
  /// The targets of seeks that timed out; the player may still report that they finished.
  var abandonedSeeks: [MediaTime] = []
  /// Whether the player is repositioned from scratch when the seek ends.
  var reappliesLater = false
  var landing: Landing?
  var reading: Reading?
  var line: LocalLine?
  var start: Start?
  var attempts = 0
  var statusAt: HostTime?
  /// Whether a barrier waits for this follower's ready report.
  var owesReady = false

  var drift = DriftController(measurementNoise: .zero, canChangeRate: false)
  /// The learned cost of a seek on this player.
  package internal(set) var seekCost = LearnedCost.seeking
  /// The learned cost of a start on this player.
  package internal(set) var startCost = LearnedCost.starting

  /// A follower without a timeline.
  ///
  /// - Parameter playerOffset: The delay between the position that the player reports and its
  ///   audible sound, for example with a soundbar or over Bluetooth. The player runs ahead by this
  ///   much.
  package init(playerOffset: Duration = .zero) {
    self.playerOffset = playerOffset
  }

  /// Handles one input and returns the outputs to carry out.
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
    case .released:
      (ownSuspension, retreatEnds) = (nil, nil)
      return isSuspended ? suspend(false, at: now) : []
    case .reapply: return isYielded ? [] : reapply(at: now)
    case .deadlineReached: return meetDeadlines(at: now)
    }
  }

  /// When ``Input/deadlineReached`` is due; `nil` while no deadline is set.
  package var nextDeadline: HostTime? {
    var deadlines = [drift.nextDeadline, retreatEnds, seek.map { $0.asked + Self.seekTimeout }]
    switch stage {
    case .waiting(let moment), .yielded(let moment): deadlines.append(moment)
    case .turning(let next): deadlines.append(next.start)
    case .idle, .resting, .running: break
    }
    return deadlines.compactMap { $0 }.min()
  }

  /// The expected position of the player; `nil` without a timeline.
  package func expectedPosition(at now: HostTime) -> MediaTime? {
    guard let timeline, let clock else { return nil }
    guard case .playing(let anchor) = timeline.phase else {
      return timeline.position(at: clock.instant(at: now))
    }
    return localLine(anchor, clock: clock).position(at: now)
  }

  /// Whether the follower leaves the player alone.
  var isDetached: Bool { isSuspended || isStalled || ownSuspension != nil }

  var isYielded: Bool {
    if case .yielded = stage { true } else { false }
  }

  /// The item's duration as the group knows it, or else as the player reports it.
  var duration: Duration? { timeline?.duration ?? item?.duration }

  func localLine(_ anchor: TimelineAnchor, clock: ClockEstimate) -> LocalLine {
    LocalLine(anchor: anchor, clock: clock, duration: duration, playerOffset: playerOffset)
  }

  /// The estimated position of the player, from its last reading and the commanded rate.
  func believedPosition(at now: HostTime) -> MediaTime? {
    guard let reading else { return landing?.position }
    guard isRunning, !isStalled, now > reading.at else { return reading.position }
    return reading.position + (now - reading.at) * rate
  }

  private mutating func follow(_ next: Timeline?, at now: HostTime) -> [Output] {
    if next?.seq != timeline?.seq {
      (attempts, hasEnded) = (0, false)
      switch next?.phase {
      case .preparing: owesReady = true
      case .playing: break  // A ready report that is still due remains due.
      case .paused, .ended, nil: owesReady = false
      }
    }
    // A doubt of the length, say, is no answer to a person's key; the same timeline again is a
    // refusal.
    let isAnswer = next?.seq != timeline?.seq || next == timeline
    timeline = next
    if next == nil { return leaveAlone(at: now) }
    if isYielded {
      guard isAnswer else { return [] }
      stage = .idle
    }
    let outputs = stepInForRate()
    return outputs + catchUp(at: now)
  }

  private mutating func suspend(_ suspended: Bool, at now: HostTime) -> [Output] {
    isSuspended = suspended
    if suspended { return leaveAlone(at: now) }
    landing = seek == nil ? nil : landing
    line = nil
    return catchUp(at: now)
  }

  /// Stops steering the player and resets its rate to the group's.
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
      // Limits the list in case the player never reports the end of a seek.
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
  /// An input of a follower.
  package enum Input: Equatable, Sendable {
    /// The item's timeline as last received; `nil` while the item is not current.
    ///
    /// Sending the same timeline again returns the player to it, for example after a refused
    /// intent. A changed timeline of the same number does not end the wait for the group's answer
    /// to a person's key press.
    case timeline(Timeline?, clock: ClockEstimate)
    /// A better estimate of the group's time.
    case clock(ClockEstimate)
    /// The delay between the reported position and the audible sound, as the person set it.
    case playerOffset(Duration)
    /// An event of the player.
    case player(PlayerEvent)
    /// Whether a suspension other than this follower's own is open.
    case suspended(Bool)
    /// The session is over for this device, and the follower's own suspension with it.
    case released
    /// The player's actual state is uncertain: command it again.
    case reapply
    /// ``Follower/nextDeadline`` has passed, or may have.
    case deadlineReached
  }

  /// An output of a follower.
  package enum Output: Equatable, Sendable {
    /// For the player: commands, in this order.
    case player(PlayerCommand)
    /// For the server: a report about this participant's playback.
    case report(Report)
    /// For the server: a person's request to the group.
    case intent(Intent)
    /// For the server: begin a suspension.
    case suspend(SuspensionReason)
    /// For the server: end the suspension that this follower requested.
    case endSuspension
    /// For diagnostics: the correction of an error of this size.
    case correction(Correction, error: Duration)
    /// For displays: the player's position minus its expected position.
    ///
    /// Sent about once a second while playing; the value is the typical error of the last
    /// readings.
    case status(error: Duration)
  }

  /// A report of a follower.
  package enum Report: Equatable, Sendable {
    /// Positioned, buffered and able to start: answers the timeline with this sequence number.
    case ready(seq: Int)
    /// The item ended here, under the timeline with this sequence number.
    case ended(seq: Int)
  }

  /// A person's request to the group, made with the player's own controls.
  package enum Intent: Equatable, Sendable {
    /// Everyone should play.
    case play
    /// Everyone should pause at the frame that was visible here.
    case pause(at: MediaTime)
    /// Everyone should seek to this position.
    case seek(to: MediaTime)
    /// Everyone should play at this rate.
    case setRate(Rate)
  }

  /// A correction of the player during playback.
  package enum Correction: Equatable, Sendable {
    /// Plays at this factor of the group's rate for a while.
    case rate(Double)
    /// Plays at exactly the group's rate again.
    case groupRate
    /// Seeks ahead by this much and waits for the group there.
    case seek(leadingBy: Duration)
    /// Started late by the error, which is too small for a seek.
    case startedLate
    /// Begins a suspension because the player cannot keep up.
    case gaveUp
  }
}
