import GroupSessions
import Playback
import Vocabulary

/// One connection of a client of Syncplay's: what it was told, what it has seen, what its player
/// is like.
///
/// What every State touches stands together, at the end.
struct SyncplayPeer: Equatable, Sendable {
  /// What a client is to be told beside its periodic States, and when.
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
    /// Whether a start comes too late for where the group is by then: a seek follows it.
    var isLate = false
  }

  /// A start, a seek or a stop whose landing the next States will show.
  struct Landing: Equatable, Sendable {
    /// What a player did before.
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
  /// Where it connects from.
  let address: String
  /// Who it is; `nil` until its Hello.
  var user: SyncplayUser?
  var membership: Membership
  var exchange = StateExchange()
  /// When a State was last heard.
  var lastHeard: Instant
  /// The timeline event for which the group has its word.
  var readySeq = 0
  /// What it said since the last periodic State, by weight.
  var said: Int32 = 0
  /// How many of the periods are over between two pings to the coordinator.
  var pulses: UInt8 = 0
  /// Whether it was told nothing last time, since its room was about to start.
  var wasSpared = false
  /// What the last forced State was for, while it is not acknowledged: it is said again.
  var unseen: Plan.Purpose?
  /// Whether its room stands still, as it was last told.
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

  /// Whether it said who it is.
  ///
  /// By its case: compared with `nil`, all that is known of its user is copied first.
  var isGreeted: Bool { if case .some = user { true } else { false } }

  /// How many microseconds a line takes to it.
  var oneWay: Int64 { exchange.latency.oneWay }

  /// Whether its player stopped because its file ended, which is no wish to pause.
  func isEnd(_ position: Double, in room: SyncplayRoom) -> Bool {
    guard let length = user?.file?.duration, length > .seconds(10), !room.isPaused else {
      return false
    }
    return position >= length.inSeconds - 1
  }
}
