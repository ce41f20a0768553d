/// An app's player, as a group drives it: `AVPlaybackCoordinatorPlaybackControlDelegate` in one
/// verb.
///
/// The player only obeys and reports; when to start, how to keep in step and what a person's key
/// means to the group is worked out by the client.
public protocol PlaybackControl: Sendable {
  /// Carries an action out; called on the client's thread, so hand it on and return at once.
  func perform(_ action: PlayerAction)

  /// The reports of the player; the client reads them once, until it closes.
  var reports: AsyncStream<PlayerReport> { get }
}
