import GroupSessions
import Playback
import Vocabulary

/// A connection of a Syncplay client: what it was told, what it has acknowledged, and how its
/// player behaves.
///
/// The fields that every State touches are together at the end, on few cache lines.
struct SyncplayPeer: Equatable, Sendable {
  /// A State to send beside the periodic ones, and when.
  struct Plan: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
      /// The group plays; a paused player starts when this arrives.
      case start
      /// The group stands still; the player stops where it is told.
      case stop
      /// The group went elsewhere, or the client is not where the group is.
      case seek
      /// Only the client's own change is acknowledged; its player stays as it is.
      case acknowledgement
    }

    var due: Instant
    var purpose: Purpose
    /// Whether a start comes too late for the group's position then, so that a seek follows.
    var isLate = false
  }

  /// A start, a seek or a stop, whose effect the client's next States show.
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

  var habits = PlayerHabits()
  var drift = DriftWatch()
  /// The address that it connects from.
  let address: String
  /// Its user; `nil` until its Hello.
  var user: SyncplayUser?
  var membership: Membership
  var exchange = StateExchange()
  /// When a State was last heard.
  var lastHeard: Instant
  /// The timeline event for which it was reported as ready.
  var readySeq = 0
  /// What it said since the last periodic State, by weight.
  var said: Int32 = 0
  /// The periods since its last ping to the coordinator.
  var pulses: UInt8 = 0
  /// Whether its last periodic State was left out, because its room was about to start.
  var wasSpared = false
  /// The purpose of the last forced State, which is repeated until it is acknowledged.
  var unseen: Plan.Purpose?
  /// Whether its room is paused, as it was last told.
  var toldPaused: Bool?
  /// When the next periodic State is due.
  var pulse: Instant?
  var plan: Plan?
  var landing: Landing?
  var arrival: Arrival?
  /// Where its player was when it was last heard, and whether it stood still.
  var place: SyncplayClientState.Place?

  /// A connection that has said nothing yet.
  init(address: String, device: DeviceID, at now: Instant) {
    self.address = address
    membership = Membership(device: device)
    lastHeard = now
  }

  /// Whether it said hello.
  ///
  /// The case is matched, because a comparison with `nil` copies the user first.
  var isGreeted: Bool { if case .some = user { true } else { false } }

  /// The time that a line takes to it, in microseconds.
  var oneWay: Int64 { exchange.latency.oneWay }
}

/// The user of a Syncplay client, as the others see them.
struct SyncplayUser: Equatable, Sendable {
  let name: String
  var room: String
  let version: String
  var features: SyncplayFeatures
  /// The place of that room in the roster's table.
  var roomPlace: UInt32 = 0
  var file: SyncplayFile?
  /// `nil` if they never said, or the server does not allow readiness.
  var isReady: Bool?
  /// Whether they gave the right password of the managed room they are in.
  var isOperator = false
  /// Whether they have loaded the room's item, so that the group need not wait for them.
  var hasLoaded = true
  /// Whether they turned from the room's item to another file.
  var hasSwitched = false
}
