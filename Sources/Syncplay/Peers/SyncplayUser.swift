import Vocabulary

/// Somebody with a client of Syncplay's, as the others see them.
struct SyncplayUser: Equatable, Sendable {
  let name: String
  var room: String
  let version: String
  var features: SyncplayFeatures
  /// Where that room lies in the lobby's table.
  var roomPlace: UInt32 = 0
  var file: SyncplayFile?
  /// `nil`: they never said, or the server does not want to know.
  var isReady: Bool?
  /// Whether they gave the right password of the managed room they are in.
  var isOperator = false
  /// Whether they play what the room plays, so that the group need not wait for them to load it.
  var hasLoaded = true
  /// Whether they put away what the room plays, and opened something else.
  var hasSwitched = false
}
