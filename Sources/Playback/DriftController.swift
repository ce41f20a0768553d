package import Vocabulary

/// Keeps a running player on the group's line: leaves small errors alone, trims middling ones by a
/// rate within ±5 %, jumps over large ones.
///
/// A correction by rate is a *nudge*: it begins when the median of the last readings leaves
/// ``DriftBands/engage``, runs at a fixed offset of 1 … 5 % that may only shrink, and ends at
/// exactly the group's rate.
///
/// ## Why it ends
/// 1. *Every nudge ends.* It carries a deadline that is never extended. Before that it ends when
///    the error is inside ``DriftBands/release``, has changed its sign, or has doubled.
/// 2. *A nudge makes at most five rate changes.* Its offset only shrinks, by half at least and to
///    1 % at least: 5, 2.5, 1.25, 1, and then none.
/// 3. *No nudge begets the next.* A rate honoured to ±0.5 % moves the player by 0.5 … 1.5 % during
///    the last step. Let the command take 100 ms to act, and the error overshoots by at most
///    100 ms × 1.5 % = 1.5 ms, and by the error of the readings. That is inside the engage band
///    (at least 3 ms, and 3.3 times the readings' deviation), where nothing begins. So only
///    something from outside (skew between the clocks, a stall) starts another.
/// 4. *Nudges are rare even if all this were wrong.* Two begin at least four seconds apart; three
///    that miss their deadlines in a row show that the player ignores rates, and from then on it
///    is corrected by seeks alone, of which ``SeekBudget`` allows six a minute.
///
/// Feed it every reading of a running player; call ``deadlineReached(at:)`` at ``nextDeadline``.
package struct DriftController: Equatable, Sendable {
  /// What to do about an error.
  package enum Correction: Equatable, Sendable {
    /// Nothing new.
    case none
    /// Run at this factor of the group's rate; 1 ends a correction.
    case rate(Double)
    /// Seek to where the group will be after this long, then call ``DriftController/reset(at:)``.
    case seek(leadingBy: Duration)
    /// Six seeks within a minute did not help.
    case cannotKeepUp
  }

  /// One correction by rate.
  private struct Nudge: Equatable, Sendable {
    /// The signed offset from the group's rate.
    var offset: Double
    /// Where the player is thought to be against the line, in seconds.
    var error: Double
    let initialError: Double
    var updatedAt: HostTime
    /// When the error will be used up.
    var ends: HostTime
    /// When it ends whatever happened.
    let deadline: HostTime
  }

  static let largestOffset = 0.05
  /// Twice the 0.5 % to which players honour a rate, so that no nudge goes the wrong way.
  static let smallestOffset = 0.01
  /// A nudge that has less than this to go halves its offset, so that it ends gently.
  private static let gentleEnd = 0.5
  /// The error at which the offset is 1 per second of error: 20 ms are undone at 2 %.
  private static let horizon = 1.0
  /// The time a rate, a start or a seek may take to show in the readings.
  private static let settling = Duration.milliseconds(300)
  private static let pauseBetweenNudges = Duration.seconds(4)
  private static let readingsKept = 5
  private static let readingsNeeded = 3
  private static let failuresAllowed = 3

  private let noise: Duration
  private let canChangeRate: Bool
  private var nudge: Nudge?
  private var readings: [Duration] = []
  private var blindUntil: HostTime?
  private var nextNudge: HostTime?
  private var missedDeadlines = 0
  private var budget = SeekBudget()

  /// A controller for a player whose readings have this standard deviation.
  package init(measurementNoise: Duration, canChangeRate: Bool) {
    noise = measurementNoise
    self.canChangeRate = canChangeRate
  }

  /// The bands in force; a player that turned out to ignore rates has those of one without.
  package var bands: DriftBands {
    DriftBands(measurementNoise: noise, canChangeRate: usesRates)
  }

  /// The factor of the group's rate at which the player should run now.
  package var factor: Double { nudge.map { 1 + $0.offset } ?? 1 }

  /// The median of the last readings; `nil` while there are too few since something changed.
  package var error: Duration? {
    readings.count < Self.readingsNeeded ? nil : readings.sorted()[readings.count / 2]
  }

  /// When the running nudge will have used its error up; `nil` without one.
  package var nextDeadline: HostTime? { nudge.map { min($0.ends, $0.deadline) } }

  private var usesRates: Bool { canChangeRate && missedDeadlines < Self.failuresAllowed }

  /// Forgets readings and any nudge, after the player was started, paused, moved, or had its rate
  /// set: the caller has put it at exactly the group's rate, and looks again once that shows.
  package mutating func reset(at now: HostTime) {
    nudge = nil
    settle(at: now)
  }

  /// Takes in one reading.
  ///
  /// - Parameters:
  ///   - error: Where the player is, less where it should be: positive if it is ahead.
  ///   - rate: The group's rate.
  ///   - seekCost: What a seek costs this player, as learned so far.
  ///   - now: When the reading was true.
  package mutating func correct(
    error: Duration, rate: Rate, seekCost: Duration, at now: HostTime
  ) -> Correction {
    if let blindUntil, now < blindUntil { return .none }
    if nudge != nil { return steer(error: error, rate: rate, at: now) }
    readings.append(error)
    if readings.count > Self.readingsKept { readings.removeFirst() }
    guard let typical = self.error else { return .none }
    if typical.magnitude > bands.seek { return jump(cost: seekCost, at: now) }
    guard usesRates, typical.magnitude > bands.engage else { return .none }
    if let nextNudge, now < nextNudge { return .none }
    return begin(error: typical.inSeconds, rate: rate, at: now)
  }

  /// Ends a nudge whose time is over.
  package mutating func deadlineReached(at now: HostTime) -> Correction {
    guard let nudge, let due = nextDeadline, due <= now else { return .none }
    return end(missed: nudge.deadline < nudge.ends, at: now)
  }

  private mutating func jump(cost: Duration, at now: HostTime) -> Correction {
    switch budget.request(cost: cost, at: now) {
    case .frozen: return .none
    case .exhausted: return .cannotKeepUp
    case .allowed:
      settle(at: now)
      return .seek(leadingBy: cost)
    }
  }

  private mutating func begin(error: Double, rate: Rate, at now: HostTime) -> Correction {
    let strength = min(max(abs(error) / Self.horizon, Self.smallestOffset), Self.largestOffset)
    let offset = error > 0 ? -strength : strength
    let planned = Duration.seconds(abs(error) / (strength * rate.factor))
    nudge = Nudge(
      offset: offset, error: error, initialError: error, updatedAt: now, ends: now + planned,
      // A rate honoured by half takes twice as long, and the gentle end a few seconds more.
      deadline: now + planned * 3 + .seconds(5))
    return .rate(factor)
  }

  private mutating func steer(error: Duration, rate: Rate, at now: HostTime) -> Correction {
    guard var nudge else { return .none }
    // What the rate should have done since, put right by a share of what the reading says: all of
    // a precise reading, a third of a noisy one.
    let elapsed = (now - nudge.updatedAt).inSeconds
    let predicted = nudge.error + nudge.offset * rate.factor * elapsed
    let weight = noise <= .milliseconds(1) ? 1 : 0.3
    nudge.error = predicted + weight * (error.inSeconds - predicted)
    nudge.updatedAt = now
    let hasCrossed = (nudge.error > 0) == (nudge.offset > 0)
    let isDisturbed = abs(nudge.error) > 2 * abs(nudge.initialError) + bands.engage.inSeconds
    if hasCrossed || isDisturbed || abs(nudge.error) <= bands.release.inSeconds {
      return end(missed: false, at: now)
    }
    if now >= nudge.deadline { return end(missed: true, at: now) }
    let gentlest = nudge.offset < 0 ? -Self.smallestOffset : Self.smallestOffset
    let secondsLeft = abs(nudge.error / (nudge.offset * rate.factor))
    let isStepDown = secondsLeft < Self.gentleEnd && abs(nudge.offset) > Self.smallestOffset
    if isStepDown {
      nudge.offset = abs(nudge.offset / 2) > Self.smallestOffset ? nudge.offset / 2 : gentlest
    }
    nudge.ends = now + .seconds(abs(nudge.error / (nudge.offset * rate.factor)))
    self.nudge = nudge
    return isStepDown ? .rate(factor) : .none
  }

  private mutating func end(missed: Bool, at now: HostTime) -> Correction {
    nudge = nil
    missedDeadlines = missed ? missedDeadlines + 1 : 0
    nextNudge = now + Self.pauseBetweenNudges
    settle(at: now)
    return .rate(1)
  }

  private mutating func settle(at now: HostTime) {
    readings.removeAll()
    blindUntil = now + Self.settling
  }
}

extension Duration {
  /// The length without its sign.
  package var magnitude: Duration { self < .zero ? .zero - self : self }
}
