package import GroupSessions
package import Participation
package import Playback
package import UserNotifications
package import Vocabulary

/// A person's action in a scenario: the verbs of `matinee join`, and faults of the person's player
/// and network.
package enum Verb: Equatable, Sendable {
  // The group.
  /// Joins a group; without a name, the scenario's own.
  case joinGroup(String?)
  case leaveGroup
  case closeGroup
  case setSharing(Bool)
  /// Makes this device the person's preferred one, or removes the preference.
  case prefer(Preference)

  // The session's life.
  /// Asks whether to share the item, and acts on the answer.
  case activate(item: String?, answer: ShareAnswer, manner: ActivationManner)
  /// Stages the item, so that any member of the group may begin it.
  case stage(item: String?, manner: ActivationManner)
  /// Begins the staged session.
  case begin
  /// Takes back the session that this person staged.
  case withdraw
  case join
  case decline
  case leave
  case end
  case kick(String, isBanned: Bool)
  case setRole(String, Role)
  /// Sets whether a person is ready to watch; without a name, the person themselves.
  case setReady(Bool, of: String?)
  /// Starts when all are ready, or no longer.
  case countdown(Bool)
  case setControl(ControlPolicy)
  case setWaiting(Scenario.Waiting)
  case say(String)
  /// Sends a message to one person, by name.
  case tell(String, String)

  // Playback.
  case play(immediately: Bool)
  case pause
  case seek(MediaTime)
  case setRate(Rate)
  case suspend(SuspensionReason)
  case resume(proposing: MediaTime?)
  /// Makes an item current for the group.
  case item(String)
  case queue(QueueInstruction)

  // In-app messages.
  /// Logs an event of the app that may trigger campaigns.
  case logEvent(String)
  /// Closes the message on screen.
  case dismissMessage
  /// Clicks a button of the message on screen; without a name, the message itself.
  case clickMessage(String?)
  /// Presents the next message on the stack.
  case presentNext
  /// Makes the app visible or hidden.
  case setVisible(Bool)

  // Notifications and invitations.
  /// Registers this device for the person's notifications.
  case register
  case unregister
  case subscribe(Subject)
  case unsubscribe(Subject)
  /// Publishes a text to a topic.
  case publish(TopicID, String)
  /// Sends a notification to one person, as the administrator.
  case push(String, String)
  case invite([String], lifetime: Duration?)
  case revokeInvitations([String])
  /// Answers the newest standing invitation: with its notification's action, or with its token and
  /// without the client.
  case answerInvitation(InvitationAnswer, byToken: Bool)
  /// Replies to the newest invitation, which stays open.
  case reply(String)
  /// Taps the newest notification.
  case tapNotification
  /// Dismisses the newest notification.
  case dismissNotification
  /// Starts or ends the app; its standing notifications stay.
  case setRunning(Bool)

  // The player.
  /// Lets the player run out of data for this time.
  case stall(Duration)
  /// Presses a key on the player itself.
  case press(PlayerKey)

  // The network.
  /// Breaks the connection; none can be opened until the network is restored.
  case cutNetwork
  case restoreNetwork
  /// Sets the delay of messages from now on.
  case setNetwork(NetworkConditions)
  /// Holds all messages for this time without breaking the connection; then all arrive at once.
  case stallNetwork(Duration)
}

/// What a person may subscribe to.
package enum Subject: Hashable, Sendable {
  case topic(TopicID)
  /// A part of the group's session.
  case part(SessionPart)
}

/// A person's answer to the question whether to watch with the group.
package enum ShareAnswer: String, Equatable, Sendable, CaseIterable {
  /// Watch with the group: the activation is preferred.
  case share
  /// Watch alone: the activation is disabled.
  case me
  /// Do not watch: the activation is cancelled.
  case cancel
}

/// The options of an activation.
package struct ActivationManner: Equatable, Sendable {
  /// Whether it replaces a session with another activity.
  package var isReplacing: Bool
  /// Whether each person takes part with one device only.
  package var oneDevicePerUser: Bool
  /// Whether those who find no named place watch as its audience.
  package var hasAudience: Bool
  /// Who controls the session.
  package var control: ControlPolicy
  /// The waiting policy; `nil` for the scenario's own.
  package var waiting: Scenario.Waiting?
  /// The initial position; `nil` for the beginning.
  package var position: MediaTime?

  /// Options; by default none.
  package init(
    isReplacing: Bool = false, oneDevicePerUser: Bool = false, hasAudience: Bool = false,
    control: ControlPolicy = .everyone,
    waiting: Scenario.Waiting? = nil, position: MediaTime? = nil
  ) {
    self.isReplacing = isReplacing
    self.oneDevicePerUser = oneDevicePerUser
    self.hasAudience = hasAudience
    self.control = control
    self.waiting = waiting
    self.position = position
  }
}

/// Which of a person's devices takes part when another one starts an activity.
package enum Preference: String, Equatable, Sendable, CaseIterable {
  /// This device.
  case me
  /// The device that starts it.
  case none
}

/// A change of the queue; entries are named by their items.
package enum QueueInstruction: Equatable, Sendable {
  case add(String, isNext: Bool)
  /// Moves an entry after that of another item, or to the end.
  case move(String, after: String?)
  case remove(String)
  case clear
  case select(String)
  case next
  case previous
  case setRepeat(RepeatMode)
  case setAutoAdvance(Bool)
  case shuffle
  case unshuffle
}

/// A key on the player.
package enum PlayerKey: Equatable, Sendable {
  case play
  case pause
  case seek(MediaTime)
  case rate(Rate)
}

/// A server action of a scenario: the word after `server:` in a step.
package enum ServerVerb: String, Equatable, Sendable, CaseIterable {
  /// Kills the server without a warning to anybody.
  case kill
  /// Starts the server again with its journal.
  case start
  /// Kills the server while another one stands by, which takes over by itself.
  case failOver = "fail over"
}

extension PlayerKey {
  /// The key of a simulated player.
  package var simulated: SimulatedPlayer.Key {
    switch self {
    case .play: .play
    case .pause: .pause
    case .seek(let position): .seek(to: position)
    case .rate(let rate): .rate(rate.factor)
    }
  }
}
