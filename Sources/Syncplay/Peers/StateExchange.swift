import Vocabulary

/// The numbers that a client and a server exchange with their States: what each has seen of the
/// other, and how long that took.
///
/// Each side counts its own changes and ignores where the other says it is until the other has
/// said that it saw the last of them (`ignoringOnTheFly`).
struct StateExchange: Equatable, Sendable {
  private(set) var latency = Latency()
  /// The number of the change that the client has not acknowledged; 0 is none.
  private(set) var outstanding: Int32 = 0
  /// The stamp of that change, for clients that acknowledge nothing and yet send stamps back.
  private var forcedStamp = 0.0
  /// The client's change that is to be acknowledged.
  private var owed: Int?
  /// The client's stamp that is to be sent back, once, and when it came.
  private var stamp: Double?
  private var stampedAt = Instant(microseconds: 0)

  /// Stamps went through the client's floating point and back.
  private static let stampTolerance = 0.000_01

  /// Whether the client has yet to see a change: until then it does not know what it talks of.
  var isWaiting: Bool { outstanding != 0 }

  /// Whether a change was said so short a time ago that its answer can still be on its way.
  ///
  /// Said again too soon, a seek would be carried out twice.
  func isAnswerDue(at now: Instant) -> Bool {
    guard isWaiting else { return false }
    let patience = latency.late + Self.answerTime
    return now.stamp - forcedStamp
      < patience.clamped(to: Self.shortestWait...Self.longestWait).inSeconds
  }

  /// How long clients take to answer a change: they ask their players first.
  private static let answerTime = Duration.milliseconds(300)
  private static let shortestWait = Duration.milliseconds(900)
  /// Less than a client stays without a word.
  private static let longestWait = Duration.seconds(5)

  /// Takes in what a State says besides the place.
  ///
  /// - Returns: whether it acknowledged what was outstanding.
  mutating func receive(_ state: SyncplayClientState, at now: Instant) -> Bool {
    let hasSeen =
      state.serverIgnoring.map { $0 == Int(outstanding) }
      ?? state.echoed.map { $0 + Self.stampTolerance >= forcedStamp } ?? false
    let isAcknowledging = isWaiting && hasSeen
    if isAcknowledging { outstanding = 0 }
    if let counter = state.clientIgnoring { owed = counter }
    // A change is acknowledged only once the player was asked: that is no trip.
    if let echoed = state.echoed, echoed > 0, state.roundTrip >= 0,
      !isAcknowledging || !latency.isKnown
    {
      latency.note(
        microseconds: Int64(((now.stamp - echoed) * 1_000_000).rounded(), clampedTo: 1 << 53))
    }
    if let stamp = state.stamp {
      self.stamp = stamp
      stampedAt = now
    }
    return isAcknowledging
  }

  /// The State to send.
  ///
  /// - Parameter isNew: whether it says something new that the client is to acknowledge; not so of
  ///   what is only said again.
  mutating func compose(
    position: Double, isPaused: Bool, isSeek: Bool, setBy: String?, isNew: Bool, at now: Instant
  ) -> SyncplayServerState {
    if isNew { outstanding = outstanding % Self.largestCounter + 1 }
    if isWaiting { forcedStamp = now.stamp }
    let held = stamp.map { Self.aged($0, by: now.microseconds - stampedAt.microseconds) }
    defer { (stamp, owed) = (nil, nil) }
    return SyncplayServerState(
      position: position, isPaused: isPaused, isSeek: isSeek, setBy: setBy, stamp: now.stamp,
      roundTrip: latency.roundTrip, echoed: held,
      serverIgnoring: isWaiting ? Int(outstanding) : nil, clientIgnoring: owed)
  }

  /// Counters begin again before any language's integers end.
  private static let largestCounter: Int32 = 1 << 30

  /// A client's stamp with the time it lay here, to the microsecond: digits beyond say nothing, and
  /// take ten times as long to write.
  private static func aged(_ stamp: Double, by microseconds: Int64) -> Double {
    let sum = stamp * 1_000_000 + Double(microseconds)
    return sum.magnitude < 0x1p53 ? sum.rounded() / 1_000_000 : sum / 1_000_000
  }
}

extension Instant {
  /// The instant as the protocol has it: seconds, with a fraction.
  var stamp: Double { Double(microseconds) / 1_000_000 }
}

extension Int64 {
  /// The nearest whole number within bounds; what is no number is zero.
  init(_ value: Double, clampedTo bound: Int64) {
    self = value.isNaN ? 0 : Int64(Swift.min(Swift.max(value, Double(-bound)), Double(bound)))
  }
}
