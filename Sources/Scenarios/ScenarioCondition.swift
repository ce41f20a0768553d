package import GroupSessions
package import UserNotifications
package import Vocabulary

/// Something that is to be seen of one or more peers.
package indirect enum ScenarioCondition: Equatable, Sendable {
  case connection(Observation.Connection)
  case eligible
  case ineligible(String?)
  /// The activation came to this.
  case outcome(String)
  case staged
  case offered
  case joined
  case noSession
  case invalidated(String?, by: String?)
  case participants([String])
  case lost([String])
  case role(String)
  /// Who has said, or had it said, that they are ready to watch.
  case ready([String])
  /// The group is paused, and the peer's player stands, at that place where one is named.
  case paused(at: MediaTime?, tolerance: Duration)
  case preparing
  /// The group plays, and the peer's player runs.
  case playing
  case ended
  /// Where the peer's player is.
  case position(MediaTime, tolerance: Duration)
  /// The peer's player is at that place or behind it.
  case beyond(MediaTime)
  case rate(Double)
  case waitingFor([String])
  case suspended(String)
  /// No two of the peers' players are farther apart.
  case together(within: Duration)
  case item(String)
  case queue([String])
  case heard(String)
  case refused(String)
  /// The campaign whose message is on screen; `nil` is none.
  case sees(String?)
  /// The campaigns whose messages wait on the stack, the next one first.
  case stack([String])
  /// A notification stands that has this title, or this text.
  case notification(String)
  case noNotification
  /// A notification went since the peer last did something, without its doing.
  case withdrawn(String)
  /// What became of a person's invitation, as the peer was told.
  case invitation(String, Invitation.State)
  /// A silent notification came since the peer last did something.
  case silentUpdate
  /// The peer follows a part of the session, and knows that of it.
  case mirror(SessionObject.Part, field: String, String)
  /// The player runs, whatever the group does.
  case playerRuns
  /// The player stands, whatever the group does.
  case playerStands
  /// Nobody told the player anything since it was opened.
  case playerUntouched
  case not(ScenarioCondition)

  /// A frame of 25 a second, and a little: how far a paused player may be from the group's place.
  package static let frameTolerance = Duration.milliseconds(50)
}
