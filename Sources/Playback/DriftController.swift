package import Vocabulary

/// Keeps a running player on the group's line: leaves small errors alone, trims middling ones by a
/// rate within ±5 %, jumps over large ones.
///
/// A correction by rate is a *nudge*: an offset from the group's rate, held for a time, such that
/// the two multiplied are the error. Both are settled when it begins, and readings do not steer it,
/// for they mislead just then: mpv has 0.4 s of sound in its buffers and reckons as if all of it
/// ran at the new speed. So at 1 % its place jumps back by 4 ms at once, creeps home, and jumps
/// forward at the end; but what the nudge moved it by is offset times time, to 0.1 ms, whatever
/// the buffers hold (measured).
///
/// A nudge begins when the median of the last five readings is beyond ``DriftBands/engage``, or
/// that of the last ten beyond ``DriftBands/trim``.
///
/// ## Why it ends
/// 1. *Every nudge ends.* Its length is fixed when it begins, and never over ten seconds; then the
///    player runs at exactly the group's rate.
/// 2. *A nudge makes two rate changes*, one each way.
/// 3. *Each leaves at most half of its error.* A rate honoured to half of its offset moves the
///    player by at least half and at most one and a half times as far as wanted. So from the
///    largest error that rates undo, 2.5 s, twelve nudges lead inside the trim band whatever the
///    player; one that honours its rates, as mpv does, needs one for each half second. Inside the
///    band nothing begins, until something from outside (skew between the clocks, a stall) starts
///    another.
/// 4. *Nudges are rare even if all this were wrong.* Two begin at least four seconds apart; three
///    in a row that do not show in the readings prove that the player ignores rates, and from then
///    on it is corrected by seeks alone, of which ``SeekBudget`` allows six a minute.
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
    let offset: Double
    /// Where the player was against the line when it began, in seconds of media.
    let error: Double
    /// How fast the error changes, in seconds of media a second.
    let speed: Double
    let begins: HostTime
    let ends: HostTime
    /// Readings in a row that the nudge does not explain.
    var strays = 0

    /// How far it will have moved the player in the end, in seconds of media.
    var reach: Double { speed * (ends - begins).inSeconds }
  }

  static let largestOffset = 0.05
  /// Twice the 0.5 % to which a player may honour a rate, so that no nudge goes the wrong way.
  static let smallestOffset = 0.01
  /// For players that tell their place precisely: the smaller the offset, the less readings jump.
  ///
  /// Until they show that they honour rates less precisely than mpv, whose 0.1 % was 0.1 %
  /// (measured).
  static let smallestPreciseOffset = 0.0025
  /// A player with no more noise than this is precise.
  private static let precision = Duration.milliseconds(1)
  /// The error at which the offset is 1 per second of error: 20 ms are undone at 2 %.
  private static let horizon = 1.0
  /// After this long it is time to look again.
  private static let longestNudge = 10.0
  /// How long a rate may take to show in the readings: mpv's buffers, and as much again.
  private static let lag = 0.8
  /// The time a rate, a start or a seek may take to show in the readings.
  private static let settling = Duration.milliseconds(300)
  private static let pauseBetweenNudges = Duration.seconds(4)
  /// The readings that show an error to be mended at once, and those that show a small one.
  private static let readingsLately = 5
  private static let readingsKept = 10
  private static let readingsNeeded = 3
  private static let straysAllowed = 2
  private static let failuresAllowed = 3
  private static let odditiesAllowed = 2
  /// What a nudge may have done, as a share of what it should: a rate is honoured by half at least.
  private static let plausibleShare = 0.25...1.75

  private let noise: Duration
  private let canChangeRate: Bool
  private var nudge: Nudge?
  private var readings: [Duration] = []
  private var blindUntil: HostTime?
  private var nextNudge: HostTime?
  /// A nudge that is over, until the readings show what it did.
  private var unproven: Nudge?
  /// Nudges in a row that did nothing, and nudges in a row that did something else than they should.
  private var failures = 0
  private var oddities = 0
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
    readings.count < Self.readingsNeeded ? nil : median(of: readings.suffix(Self.readingsLately))
  }

  /// When the running nudge is over; `nil` without one.
  package var nextDeadline: HostTime? { nudge?.ends }

  private var usesRates: Bool { canChangeRate && failures < Self.failuresAllowed }

  /// Forgets readings and any nudge, after the player was started, paused, moved, or had its rate
  /// set: the caller has put it at exactly the group's rate, and looks again once that shows.
  package mutating func reset(at now: HostTime) {
    (nudge, unproven) = (nil, nil)
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
    if nudge != nil { return watch(error: error.inSeconds, at: now) }
    readings.append(error)
    if readings.count > Self.readingsKept { readings.removeFirst() }
    guard let typical = self.error else { return .none }
    judge(typical.inSeconds)
    if typical.magnitude > bands.seek { return jump(cost: seekCost, at: now) }
    guard usesRates, let wrong = worthTrimming(typical) else { return .none }
    if let nextNudge, now < nextNudge { return .none }
    return begin(error: wrong.inSeconds, rate: rate, at: now)
  }

  /// Ends a nudge whose time is over.
  package mutating func deadlineReached(at now: HostTime) -> Correction {
    guard let nudge, nudge.ends <= now else { return .none }
    unproven = nudge
    return end(at: now)
  }

  /// The error to be mended: a larger one once it is typical of the last readings, a small one once
  /// it is of many.
  private func worthTrimming(_ typical: Duration) -> Duration? {
    if typical.magnitude > bands.engage { return typical }
    guard readings.count == Self.readingsKept else { return nil }
    let lasting = median(of: readings[...])
    return lasting.magnitude > bands.trim ? lasting : nil
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
    let strength = min(max(abs(error) / Self.horizon, gentlest), Self.largestOffset)
    let offset = error > 0 ? -strength : strength
    let length = min(abs(error) / (strength * rate.factor), Self.longestNudge)
    nudge = Nudge(
      offset: offset, error: error, speed: offset * rate.factor, begins: now,
      ends: now + .seconds(length))
    return .rate(factor)
  }

  /// Ends a nudge only if the player is somewhere else altogether: moved by something else.
  private mutating func watch(error: Double, at now: HostTime) -> Correction {
    guard let running = nudge else { return .none }
    if running.ends <= now { return deadlineReached(at: now) }
    let expected = running.error + running.speed * (now - running.begins).inSeconds
    let tolerance =
      bands.engage.inSeconds + abs(running.speed) * Self.lag + abs(running.reach) / 2
    let isStray = abs(error - expected) > tolerance
    nudge?.strays = isStray ? running.strays + 1 : 0
    return isStray && running.strays == Self.straysAllowed ? end(at: now) : .none
  }

  private var gentlest: Double {
    noise <= Self.precision && oddities < Self.odditiesAllowed
      ? Self.smallestPreciseOffset : Self.smallestOffset
  }

  /// Looks at what the last nudge did: one in vain was ignored, unless it was too small to prove
  /// that, and one that did too little or too much was not honoured precisely.
  private mutating func judge(_ error: Double) {
    guard let nudge = unproven else { return }
    unproven = nil
    let share = (error - nudge.error) / nudge.reach
    if oddities < Self.odditiesAllowed {
      oddities = Self.plausibleShare.contains(share) ? 0 : oddities + 1
    }
    guard abs(nudge.reach) > bands.engage.inSeconds * 0.9 else { return }
    failures = share < Self.plausibleShare.lowerBound ? failures + 1 : 0
  }

  private mutating func end(at now: HostTime) -> Correction {
    nudge = nil
    nextNudge = now + Self.pauseBetweenNudges
    settle(at: now)
    return .rate(1)
  }

  private mutating func settle(at now: HostTime) {
    readings.removeAll()
    blindUntil = now + Self.settling
  }

  private func median(of readings: ArraySlice<Duration>) -> Duration {
    readings.sorted()[readings.count / 2]
  }
}

extension Duration {
  /// The length without its sign.
  package var magnitude: Duration { self < .zero ? .zero - self : self }
}
