import Vocabulary

/// The counters and stamps that a client and a server exchange in their States.
///
/// Each side counts its own changes. It ignores the other side's position until the other side has
/// acknowledged the last of them (`ignoringOnTheFly`).
struct StateExchange: Equatable, Sendable {
  private(set) var latency = Latency()
  /// The number of the change that the client has not acknowledged; 0 if there is none.
  private(set) var outstanding: Int32 = 0
  /// The stamp of that change, for clients that return stamps but acknowledge nothing.
  private var forcedStamp = 0.0
  /// The client's change that the server still has to acknowledge.
  private var owed: Int?
  /// The client's stamp that is returned once, and when it came.
  private var stamp: Double?
  private var stampedAt = Instant(microseconds: 0)

  /// The error that a stamp gains by the client's floating-point arithmetic, in seconds.
  private static let stampTolerance = 0.000_01

  /// Whether the client has not acknowledged a change yet; until then its reports may describe the
  /// state before the change.
  var isWaiting: Bool { outstanding != 0 }

  /// Whether a change was sent so recently that its acknowledgement may still be on the way.
  ///
  /// If the change were repeated too soon, a seek would be carried out twice.
  func isAnswerDue(at now: Instant) -> Bool {
    guard isWaiting else { return false }
    let patience = latency.late + Self.answerTime
    return now.stamp - forcedStamp
      < patience.clamped(to: Self.shortestWait...Self.longestWait).inSeconds
  }

  /// How long clients take to acknowledge a change, because they ask their players first.
  private static let answerTime = Duration.milliseconds(300)
  private static let shortestWait = Duration.milliseconds(900)
  /// Less than the time after which a client that receives nothing gives up.
  private static let longestWait = Duration.seconds(5)

  /// Handles the counters and stamps of a State.
  ///
  /// - Returns: whether it acknowledged the outstanding change.
  mutating func receive(_ state: SyncplayClientState, at now: Instant) -> Bool {
    let hasSeen =
      state.serverIgnoring.map { $0 == Int(outstanding) }
      ?? state.echoed.map { $0 + Self.stampTolerance >= forcedStamp } ?? false
    let isAcknowledging = isWaiting && hasSeen
    if isAcknowledging { outstanding = 0 }
    if let counter = state.clientIgnoring { owed = counter }
    // An acknowledgement comes only after the player was asked, so it does not measure the round
    // trip.
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

  /// Composes the State to send.
  ///
  /// - Parameter isNew: whether it carries a new change that the client has to acknowledge; false
  ///   for a repeated one.
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

  /// Counters wrap before the integers of any client's language overflow.
  private static let largestCounter: Int32 = 1 << 30

  /// A client's stamp plus the time that the server held it, rounded to microseconds; further
  /// digits carry no information and take ten times as long to write.
  private static func aged(_ stamp: Double, by microseconds: Int64) -> Double {
    let sum = stamp * 1_000_000 + Double(microseconds)
    return sum.magnitude < 0x1p53 ? sum.rounded() / 1_000_000 : sum / 1_000_000
  }
}

extension Instant {
  /// The instant in the protocol's form: seconds with a fraction.
  var stamp: Double { Double(microseconds) / 1_000_000 }
}

extension Int64 {
  /// The nearest integer within the bounds; NaN becomes zero.
  init(_ value: Double, clampedTo bound: Int64) {
    self = value.isNaN ? 0 : Int64(Swift.min(Swift.max(value, Double(-bound)), Double(bound)))
  }
}

/// The round trip time of a client, measured by the stamps that it returns; in microseconds, stored
/// in 32 bits.
struct Latency: Equatable, Sendable {
  private static let unknown: Int32 = -1
  /// A stamp returned later than this is ignored, because it does not measure the line.
  private static let longest: Int64 = 60_000_000

  private var lastTrip: Int32 = 0
  private var smoothed = unknown
  /// The smoothed deviation of round trips from their average, with a weight of one quarter (RFC
  /// 6298).
  private var deviation: Int32 = 0

  /// Records a stamp that came back after this many microseconds; negative and very long times are
  /// ignored.
  mutating func note(microseconds echoed: Int64) {
    guard (0...Self.longest).contains(echoed) else { return }
    let trip = Int32(echoed)
    lastTrip = trip
    guard smoothed != Self.unknown else { return smoothed = trip }
    deviation += (abs(trip - smoothed) - deviation) / 4
    let weight = trip < smoothed ? Self.weightOfLess : Self.weightOfMore
    smoothed += Int32((Double(trip - smoothed) * weight).rounded())
  }

  /// The smoothing weights: quick for shorter trips, slow for longer ones.
  ///
  /// A client that opens its player answers late. With the reference's 0.15 in both directions, a
  /// first answer that took one second still made up half of the estimate after five more answers.
  private static let (weightOfLess, weightOfMore) = (0.5, 0.1)

  /// Whether any stamp has come back.
  var isKnown: Bool { smoothed != Self.unknown }

  /// The round trip that the client is told, in seconds: long enough that the client rarely
  /// measures a longer one.
  ///
  /// If the client measures a longer one, it takes the difference for the delay of the current line
  /// and seeks further by it. On a line with jitter that delay usually belongs to another line.
  var roundTrip: Double { Double(max(Int64(lastTrip), bound)) / 1_000_000 }

  /// The time that a line takes to the client, in microseconds.
  ///
  /// It is half the round trip. The reference adds the difference to the client's own measurement,
  /// so that one late answer counts as a slow line.
  var oneWay: Int64 { Int64(max(smoothed, 0)) / 2 }

  /// A round trip that about 95 % of the trips stay below.
  var late: Duration { .microseconds(bound) }

  private var bound: Int64 { Int64(max(smoothed, 0)) + Int64(deviation) * 2 }
}
