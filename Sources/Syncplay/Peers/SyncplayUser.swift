import GroupSessions
import Playback
import Vocabulary
import Wire

/// The person with a client, as others see them.
struct SyncplayUser: Equatable, Sendable {
  let name: String
  var room: String
  let version: String
  var features: SyncplayFeatures
  /// The room's place in the lobby's table.
  var roomPlace: UInt32 = 0
  var file: SyncplayFile?
  /// `nil` if they never said, or the server has no readiness.
  var isReady: Bool?
  /// Whether they gave the right password of the managed room they are in.
  var isOperator = false
  /// Whether they have loaded what the room plays; otherwise a start waits for them.
  var hasLoaded = true
  /// Whether they closed what the room plays, and opened something else.
  var hasSwitched = false
}

extension SyncplayUser {
  /// Notes whether opening a file means leaving what the room plays.
  mutating func noteSwitch(
    to file: SyncplayFile, from old: SyncplayFile?, while media: MediaItem
  ) {
    let name = SyncplayRoom.name(of: media.item)
    guard let old, file.name != old.name, file.name != name else {
      if file.name == name { hasSwitched = false }
      return
    }
    let watched = old.name == name || old.hasLength(media.duration)
    hasSwitched = watched || !file.hasLength(media.duration)
  }
}

extension SyncplayFile {
  /// Whether more than half of the users with files left what the room plays for this file.
  func isMajority(among users: [SyncplayUser]) -> Bool {
    let open = users.filter { $0.file != nil }
    let agreeing = open.filter { user in
      guard user.hasSwitched, let other = user.file else { return false }
      return other.name == name || other.hasLength(duration)
    }
    return agreeing.count * 2 > open.count
  }
}

/// A word on whether a person is ready that the session has not answered yet; what the session says
/// of them until then may be older.
struct ReadinessWord: Equatable, Sendable {
  /// Whom it is about.
  let subject: PeerID
  let request: RequestID
}
