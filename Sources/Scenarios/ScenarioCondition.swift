package import GroupSessions
package import UserNotifications
package import Vocabulary

/// Something to be observed of one or more peers.
package indirect enum ScenarioCondition: Equatable, Sendable {
  case connection(Observation.Connection)
  case eligible
  case ineligible(String?)
  /// The outcome of the activation.
  case outcome(String)
  case staged
  case offered
  case joined
  case noSession
  case invalidated(String?, by: String?)
  case participants([String])
  /// How many watch as the audience.
  case audience(Int)
  case lost([String])
  case role(String)
  /// The people who are ready to watch.
  case ready([String])
  /// The group and the peer's player are paused, at this position if there is one.
  case paused(at: MediaTime?, tolerance: Duration)
  case preparing
  /// The group is playing, and so is the peer's player.
  case playing
  case ended
  /// The position of the peer's player.
  case position(MediaTime, tolerance: Duration)
  /// The peer's player is at this position or after it.
  case beyond(MediaTime)
  case rate(Double)
  case waitingFor([String])
  case suspended(String)
  /// The positions of the peers' players differ by at most this.
  case together(within: Duration)
  case item(String)
  case queue([String])
  case heard(String)
  case refused(String)
  /// The campaign of the message on screen; `nil` for no message.
  case sees(String?)
  /// The campaigns of the messages on the stack, the next one first.
  case stack([String])
  /// A notification with this title or body stands.
  case notification(String)
  case noNotification
  /// A notification was withdrawn since the peer's last verb, and the peer had not responded to it.
  case withdrawn(String)
  /// The state of a person's invitation, as far as the peer knows.
  case invitation(String, Invitation.State)
  /// A silent notification came since the peer's last verb.
  case silentUpdate
  /// The peer subscribed to a part of the session, and knows this value of a field.
  case mirror(SessionPart, field: String, String)
  /// The player is running, whatever the group does.
  case playerRuns
  /// The player is paused, whatever the group does.
  case playerStands
  /// The player got no command since it was opened.
  case playerUntouched
  case not(ScenarioCondition)

  /// How far a paused player may be from the group's position: a frame of 1/25 s, and a little
  /// more.
  package static let frameTolerance = Duration.milliseconds(50)
}
