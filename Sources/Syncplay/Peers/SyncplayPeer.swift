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
      /// The group moved, or the client is not at the group's position.
      case seek
      /// Only the client's own change is acknowledged; its player stays as it is.
      case acknowledgement
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
  /// Whether the client has loaded the room's item, so that the group need not wait for it.
  var hasLoaded = true
  /// Whether the user went from the room's item to another file.
  var hasSwitched = false
}
