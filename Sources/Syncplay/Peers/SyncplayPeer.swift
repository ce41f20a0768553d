import GroupSessions
import Playback
import Vocabulary
import WebAddresses

/// A Syncplay client's connection: what it was told, what it has acknowledged, and how its player
/// behaves.
///
/// The fields that every State uses are at the end, next to each other, to share few cache lines.
struct SyncplayPeer: Equatable, Sendable {
  /// A State to send in addition to the periodic ones, and when.
  struct Plan: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
      /// The group plays; a paused player starts when this arrives.
      case start
      /// The group is paused; the player stops at the position that it is told.
      case stop
      /// The group moved.
      case seek
      /// The client is not at the group's position, and no person moves it.
      case correction
      /// Only the client's own change is acknowledged; its player stays as it is.
      case acknowledgement
      /// The client's own seek is acknowledged as one, so that the client shows it.
      case confirmation

      /// Whether the State says that it is a seek.
      var isSeek: Bool {
        switch self {
        case .seek, .correction, .confirmation: true
        case .start, .stop, .acknowledgement: false
        }
      }
    }

    var due: Instant
    var purpose: Purpose
    /// Whether the start comes after the group's own start, so that a seek has to follow.
    var isLate = false
  }

  /// A start, a seek or a stop whose effect the client's next States show.
  struct Landing: Equatable, Sendable {
    /// What the player did before.
    enum Motion: Equatable, Sendable {
      case standing
      /// It was told to start a moment ago.
      case beginning
      case running
    }

    let purpose: Plan.Purpose
    let motion: Motion
    let at: Instant
  }

  /// Whether what it sends is encrypted.
  enum Encryption: UInt8, Equatable, Sendable {
    case optional
    case required
    case begun
  }

  var habits = PlayerHabits()
  var drift = DriftWatch()
  /// The address from which it connects.
  let address: String
  /// Its user; `nil` until its Hello.
  var user: SyncplayUser?
  var membership: Membership
  var exchange = StateExchange()
  /// When the last State came.
  var lastHeard: Instant
  /// The timeline event for which it was reported as ready.
  var readySeq = 0
  /// The weight of its messages since the last periodic State.
  var said: Int32 = 0
  var encryption = Encryption.optional
  /// The periods since the last ping to the coordinator in its name.
  var pulses: UInt8 = 0
  /// Whether its last periodic State was skipped, because its room was about to start.
  var wasSpared = false
  /// The purpose of the last forced State, which is repeated until it is acknowledged.
  var unseen: Plan.Purpose?
  /// The room's pause state that it was last told.
  var toldPaused: Bool?
  /// When the next periodic State is due.
  var pulse: Instant?
  var plan: Plan?
  var landing: Landing?
  var arrival: Arrival?
  /// The last reported position and pause state of its player.
  var place: SyncplayClientState.Place?

  /// A connection from which nothing has come yet.
  init(address: String, device: DeviceID, at now: Instant) {
    self.address = address
    membership = Membership(device: device)
    lastHeard = now
  }

  /// Whether it has sent its Hello.
  ///
  /// The case is matched, because a comparison with `nil` copies the user first.
  var isGreeted: Bool { if case .some = user { true } else { false } }

  /// Whose guesses of passwords are counted together: those of an IPv4 address, or of the first 64
  /// bits of an IPv6 address.
  var guesser: String {
    let ipv6 = IPv6Address(String(address.prefix { $0 != "%" }))
    return ipv6.map { String($0.network, radix: 16) } ?? address
  }

  /// The time that a line takes to the client, in microseconds.
  var oneWay: Int64 { exchange.latency.oneWay }

  /// How long its player takes to start, from when it is told.
  var startLead: Duration { .microseconds(oneWay + Int64(habits.startCost)) }

  /// When it is told of a start, so that its player runs at that instant.
  func due(for start: Instant) -> Instant { start - startLead }
}

/// The user of a Syncplay client, as the others see them.
struct SyncplayUser: Equatable, Sendable {
  let name: String
  var room: String
  let version: String
  var features: SyncplayFeatures
  /// The room's index in the roster's table.
  var roomPlace: UInt32 = 0
  var file: SyncplayFile?
  /// What the client sent as the server's password, where rooms have keys.
  var password: String?
  /// `nil` if the client never set it, or the server does not allow readiness.
  var isReady: Bool?
  /// Whether the user gave the right password of the managed room.
  var isOperator = false
  var loading = Loading.done
  /// Whether the user went from the room's item to another file.
  var hasSwitched = false

  /// Whether the client has loaded the room's item, so that the group need not wait for it.
  var hasLoaded: Bool { loading == .done || loading == .missed }

  /// When its player carries out a start; `nil` if it does already, or has no file to start.
  var settles: Instant? { if case .settling(let due) = loading { due } else { nil } }
}

/// How far a client is with the room's item after the room went on to it.
enum Loading: Equatable, Sendable {
  case done
  /// The client still has another file open; its player may have stopped at that file's end.
  case awaited(isStopped: Bool)
  /// The client opened a file with a stopped player, which carries out a start from then on.
  case settling(until: Instant)
  /// The group waited in vain: a client that lacks a film of the list says nothing about it.
  case missed

  /// Whether the client has not opened a file since the room went on to another item.
  var lacksFile: Bool {
    switch self {
    case .awaited, .missed: true
    case .done, .settling: false
    }
  }

  /// How far the client is once the group waits for it no longer.
  var givenUp: Loading { lacksFile ? .missed : .done }

  /// How far the client is once the room has gone on to an item that it does not have open.
  ///
  /// Nobody waits again for a client that has not opened a file since the group waited in vain.
  func awaited(isStopped: Bool) -> Loading {
    self == .missed ? .missed : .awaited(isStopped: isStopped)
  }

  /// How far the client is once it has opened a file.
  func opening(at now: Instant) -> Loading {
    switch self {
    case .done, .missed, .awaited(isStopped: false): .done
    case .awaited(isStopped: true), .settling:
      .settling(until: now + SyncplayLimits.fileSettling)
    }
  }
}

/// The delays of a client's player that the client does not account for, in microseconds.
///
/// The initial values were measured with the reference's client, version 1.6.9, and mpv. Most
/// clients are of that kind, and they cannot be told apart: 1.6.9 does not send its user interface.
struct PlayerHabits: Equatable, Sendable {
  /// How far the player runs on after another user's pause; the position to stop at is sent that
  /// much earlier.
  ///
  /// The reference's client seeks, sleeps for 30 ms, and stops 50 ms later.
  private(set) var overrun: Int32 = 80_000
  /// How long the player stands still at a seek; it is sent that much further.
  ///
  /// Negative for a client that overestimates the network delay: a client behind 150 ms seeks some
  /// 40 ms too far.
  private(set) var seekCost: Int32 = 20_000
  /// The seek cost of a player that was told to start a moment before.
  private(set) var catchUpCost: Int32 = 100_000
  /// How long the player takes to start; a start is sent that much earlier.
  ///
  /// The reference's client waits up to 50 ms before each command to its player.
  private(set) var startCost: Int32 = 40_000

  /// The additional delay of a player that is moved before it starts: the sleep and the wait
  /// between the two commands.
  private static let seekBeforeStart: Int32 = 60_000
  /// Values outside these bounds have another cause, such as a person or a file that does not load.
  private static let overruns: ClosedRange<Int64> = 0...400_000
  private static let seekCosts: ClosedRange<Int64> = -400_000...2_000_000
  private static let startCosts: ClosedRange<Int64> = 0...400_000

  /// How much further a paused player that has to start is sent.
  var seekAndStartCost: Int32 { startCost + Self.seekBeforeStart }

  /// Learns from where a player stopped, relative to where it should have stopped.
  mutating func noteStop(_ error: Int64) {
    Self.learn(&overrun, error, within: Self.overruns)
  }

  /// Learns from where a player was soon after a seek, relative to where it should have been.
  mutating func noteSeek(_ error: Int64) {
    Self.learn(&seekCost, -error, within: Self.seekCosts)
  }

  /// Learns from where a player was soon after a seek that followed its start, relative to where it
  /// should have been.
  mutating func noteCatchUp(_ error: Int64) {
    Self.learn(&catchUpCost, -error, within: Self.seekCosts)
  }

  /// Learns from where a player was soon after its start, relative to where it should have been.
  mutating func noteStart(_ error: Int64) {
    Self.learn(&startCost, -error, within: Self.startCosts)
  }

  /// Moves the cost by a quarter of the error, because the position after a seek in mpv scatters by
  /// some 40 ms; a weight of one half followed that noise.
  private static func learn(
    _ cost: inout Int32, _ error: Int64, within bounds: ClosedRange<Int64>
  ) {
    guard error.magnitude <= bounds.upperBound else { return }
    cost = Int32(min(max(Int64(cost) + error / 4, bounds.lowerBound), bounds.upperBound))
  }
}

/// Decides when a client that drifted from the group is moved by a seek, the only correction that
/// it understands.
///
/// All times are in microseconds, because each client is checked every second. Clients correct
/// themselves if they are more than 1.5 s ahead, and never if they are behind.
///
/// A seek needs three reports in a row beyond the tolerance. After a seek there is none for ten
/// seconds. The interval doubles after each seek, up to 80 s, until the client is back within the
/// tolerance, so that a client that cannot keep up is moved less and less often.
struct DriftWatch: Equatable, Sendable {
  /// A smaller offset, in microseconds, does not justify a seek, which people see.
  static let tolerance: Int64 = 500_000
  /// The shortest time between two seeks, in microseconds.
  ///
  /// It is announced to the users when the room plays at a rate that clients lack.
  static let interval: Int64 = 10_000_000
  private static let longestInterval: Int64 = 80_000_000
  private static let reports: Int32 = 3

  private var next: Int64 = 0
  private var pause = Int32(interval)
  private var count: Int32 = 0

  /// Records a client's offset; positive is ahead.
  ///
  /// - Parameter isExpected: whether the client drifts because it cannot play at the group's rate.
  /// - Returns: whether it has to be moved now.
  mutating func note(_ offset: Int64, isExpected: Bool, at now: Instant) -> Bool {
    guard offset.magnitude > Self.tolerance else {
      if now.microseconds >= next { pause = Int32(Self.interval) }
      count = 0
      return false
    }
    count += 1
    guard count >= Self.reports, now.microseconds >= next else { return false }
    count = 0
    next = now.microseconds + Int64(pause)
    if !isExpected { pause = Int32(min(Int64(pause) * 2, Self.longestInterval)) }
    return true
  }

  /// Forgets the reports so far.
  mutating func forget() { count = 0 }
}
