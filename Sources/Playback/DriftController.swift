package import Vocabulary

/// Keeps a running player at the group's position: ignores small errors, corrects medium ones by a
/// rate within ±5 %, and large ones by a seek.
///
/// A correction by rate is a *nudge*: the player runs at an offset from the group's rate for a
/// time, and offset times time equals the error. Both are fixed when the nudge begins; readings do
/// not steer it, because they mislead while it runs. For example mpv buffers 0.4 s of sound and
/// computes its position as if the buffered sound already played at the new speed. So at 1 % the
/// reported position jumps back by 4 ms at once, recovers gradually, and jumps forward at the end.
/// But the total movement is offset times time, to 0.1 ms, regardless of the buffers (measured).
///
/// A nudge begins when the median of the last five readings exceeds ``DriftBands/engage``, or the
/// median of the last ten exceeds ``DriftBands/trim``.
///
/// ## Why corrections end
/// 1. *Every nudge ends.* Its length is fixed when it begins and is at most ten seconds; then the
///    player runs at exactly the group's rate.
/// 2. *A nudge makes two rate changes*, one at each end.
/// 3. *Each nudge leaves at most half of its error.* A player that applies at least half of the
///    rate's offset moves by at least half and at most one and a half times the wanted distance. So
///    twelve nudges reduce the largest error that rates correct, 2.5 s, to the trim band. A player
///    that applies rates exactly, as mpv does, needs one nudge per half second of error. Inside the
///    band no nudge begins until an outside cause (skew between the clocks, a stall) adds a new
///    error.
/// 4. *Nudges are rare even if the above does not hold.* Two of them begin at least four seconds
///    apart. Three in a row without an effect on the readings prove that the player ignores rates;
///    from then on it is corrected by seeks alone, of which ``SeekBudget`` allows six a minute.
///
/// Call ``correct(error:rate:seekCost:at:)`` with every reading of a running player, and
/// ``deadlineReached(at:)`` at ``nextDeadline``.
package struct DriftController: Equatable, Sendable {
  /// What to do about an error.
  package enum Correction: Equatable, Sendable {
    /// Change nothing.
    case none
    /// Run at this multiple of the group's rate; 1 ends a correction.
    case rate(Double)
    /// Seek to the group's position after this time, then call ``DriftController/reset(at:)``.
    case seek(leadingBy: Duration)
    /// Report that the player cannot keep up: six seeks within a minute did not help.
    case cannotKeepUp
  }

  /// One correction by rate.
  private struct Nudge: Equatable, Sendable {
    /// The signed offset from the group's rate.
    let offset: Double
    /// The player's error when the nudge began, in seconds of media.
    let error: Double
    /// How fast the error changes, in seconds of media per second.
    let speed: Double
    let begins: HostTime
    let ends: HostTime
    /// How many readings in a row contradict the nudge.
    var strays = 0

    /// How far the whole nudge moves the player, in seconds of media.
    var reach: Double { speed * (ends - begins).inSeconds }
  }

  static let largestOffset = 0.05
  /// Twice the 0.5 % error that a player's rate may have, so that no nudge goes the wrong way.
  static let smallestOffset = 0.01
  /// The smallest offset for players that report their position precisely: small offsets disturb
  /// the readings less.
  ///
  /// It is used until a player turns out to apply rates less precisely than mpv, which ran 0.1 %
  /// faster when asked for 0.1 % (measured).
  static let smallestPreciseOffset = 0.0025
  /// A player whose readings have at most this noise is precise.
  private static let precision = Duration.milliseconds(1)
  /// The error in seconds, divided by this, is the offset: an error of 20 ms gives 2 %.
  private static let horizon = 1.0
  /// The longest nudge, in seconds; after it the error is measured again.
  private static let longestNudge = 10.0
  /// How long a rate may take to appear in the readings, in seconds: twice mpv's buffers.
  private static let lag = 0.8
  /// How long a rate, a start or a seek may take to appear in the readings.
  private static let settling = Duration.milliseconds(300)
  private static let pauseBetweenNudges = Duration.seconds(4)
  /// Readings whose median shows a large error; `readingsKept` of them show a small one.
  private static let readingsLately = 5
  private static let readingsKept = 10
  private static let readingsNeeded = 3
  private static let straysAllowed = 2
  private static let failuresAllowed = 3
  private static let odditiesAllowed = 2
  /// The plausible effects of a nudge, as a share of the wanted one: a player applies at least half
  /// of a rate's offset.
  private static let plausibleShare = 0.25...1.75

  private let noise: Duration
  private let canChangeRate: Bool
  private var nudge: Nudge?
  private var readings: [Duration] = []
  private var blindUntil: HostTime?
  private var nextNudge: HostTime?
  /// The last nudge, until the readings show its effect.
  private var unproven: Nudge?
  /// Nudges in a row without an effect, and nudges in a row with an implausible effect.
  private var failures = 0
  private var oddities = 0
  private var budget = SeekBudget()

  /// Makes a controller for a player whose readings have this standard deviation.
  package init(measurementNoise: Duration, canChangeRate: Bool) {
    noise = measurementNoise
    self.canChangeRate = canChangeRate
  }

  /// The bands in force; a player that ignores rates gets those of a player without rates.
  package var bands: DriftBands {
    DriftBands(measurementNoise: noise, canChangeRate: usesRates)
  }

  /// The multiple of the group's rate at which the player should run now.
  package var factor: Double { nudge.map { 1 + $0.offset } ?? 1 }

  /// The median of the last readings; `nil` while there are too few since the last change.
  package var error: Duration? {
    readings.count < Self.readingsNeeded ? nil : median(of: readings.suffix(Self.readingsLately))
  }

  /// When the running nudge ends; `nil` without one.
  package var nextDeadline: HostTime? { nudge?.ends }

  private var usesRates: Bool { canChangeRate && failures < Self.failuresAllowed }

  /// Drops the readings and any nudge after the player was started, paused or moved, or had its
  /// rate set.
  ///
  /// The caller has set the player to exactly the group's rate. Readings count again once the
  /// change shows in them.
  package mutating func reset(at now: HostTime) {
    (nudge, unproven) = (nil, nil)
    settle(at: now)
  }

  /// Judges one reading.
  ///
  /// - Parameters:
  ///   - error: the player's position minus the group's; positive if the player is ahead.
  ///   - rate: the group's rate.
  ///   - seekCost: the learned duration of a seek of this player.
  ///   - now: the time of the reading.
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

  /// Ends a nudge whose time is up.
  package mutating func deadlineReached(at now: HostTime) -> Correction {
    guard let nudge, nudge.ends <= now else { return .none }
    unproven = nudge
    return end(at: now)
  }

  /// The error to correct by rate: a large one after a few readings, a small one after many; `nil`
  /// if there is none.
  private func worthTrimming(_ typical: Duration) -> Duration? {
    if typical.magnitude > bands.engage { return typical }
    guard readings.count == Self.readingsKept else { return nil }
    let lasting = median(of: readings[...])
    return lasting.magnitude > bands.trim ? lasting : nil
  }

  /// Judges an error that a seek mends better than a rate.
  ///
  /// - Parameters:
  ///   - cost: the learned duration of a seek of this player.
  ///   - now: the time of the judgment.
  /// - Returns: a seek, if this minute's seeks allow it and the last one's effect shows.
  package mutating func jump(cost: Duration, at now: HostTime) -> Correction {
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

  /// Ends a nudge early only if the readings contradict it, because something else moved the
  /// player.
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

  /// Compares the last nudge's effect with the wanted one.
  ///
  /// No effect means that the player ignores rates, unless the nudge was too small to tell; too
  /// small or too large an effect means that it applies them imprecisely.
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
  /// The absolute value.
  package var magnitude: Duration { self < .zero ? .zero - self : self }
}

/// The errors from which a player is corrected, scaled to the precision of its position readings.
///
/// A player that reports its position to 0.2 ms (mpv's `audio-pts`) is corrected from 2 ms at once,
/// and from 1 ms if a second of readings agrees, so that three such players stay within 3 ms of
/// each other. A player that reports whole frames (noise 12 ms) is corrected from 40 ms, because
/// smaller errors are noise of the reading.
package struct DriftBands: Equatable, Sendable {
  /// Errors up to this are never corrected.
  package let trim: Duration
  /// Errors beyond this are corrected as soon as a few readings agree.
  package let engage: Duration
  /// Errors beyond this are corrected by one seek.
  package let seek: Duration

  /// Rate changes undo this much in under a minute; beyond it a seek disturbs less.
  static let seekWithRates = Duration.milliseconds(2500)
  /// A player that cannot change its rate can only seek, and a seek is off by tens of milliseconds.
  static let seekWithoutRates = Duration.milliseconds(200)

  /// Makes the bands of a player whose readings have this standard deviation.
  package init(measurementNoise: Duration, canChangeRate: Bool) {
    let noise = measurementNoise.clamped(to: .zero ... .seconds(1))
    trim = max(.milliseconds(1), noise * 10 / 3)
    engage = max(.milliseconds(2), noise * 10 / 3)
    seek = max(canChangeRate ? Self.seekWithRates : Self.seekWithoutRates, noise * 10)
  }
}

/// Limits corrective seeks: viewers tolerate a few, and a player that needs more cannot keep up.
package struct SeekBudget: Equatable, Sendable {
  /// Whether a seek is allowed.
  package enum Verdict: Equatable, Sendable {
    /// Seek now; the seek is counted.
    case allowed
    /// The previous seek is too recent for its effect to show.
    case frozen
    /// The seeks of this minute are used up.
    case exhausted
  }

  /// The number of corrective seeks in any minute.
  package static let perMinute = 6
  private static let shortestFreeze = Duration.seconds(2)

  private var recent: [HostTime] = []
  private var frozenUntil: HostTime?

  /// Makes an unused budget.
  package init() {}

  /// Requests a seek with this learned cost.
  ///
  /// After a seek the budget is frozen for two seconds or three times the cost, whichever is
  /// longer. Otherwise the time that the seek takes would look like drift and cause another seek.
  package mutating func request(cost: Duration, at now: HostTime) -> Verdict {
    if let frozenUntil, now < frozenUntil { return .frozen }
    recent.removeAll { now - $0 >= .seconds(60) }
    guard recent.count < Self.perMinute else { return .exhausted }
    recent.append(now)
    frozenUntil = now + max(Self.shortestFreeze, cost * 3)
    return .allowed
  }
}
