package import GroupSessions
package import Participation
package import Playback
package import UserNotifications
package import Vocabulary

/// Something a person in a scenario does: the verbs of `matinee join`, and what befalls the
/// person's player and network.
package enum Verb: Equatable, Sendable {
  // The group.
  /// Joins a group; the scenario's own where none is named.
  case joinGroup(String?)
  case leaveGroup
  case closeGroup
  case setSharing(Bool)
  /// Names this device the one that plays, of those its person has; or none.
  case prefer(Preference)

  // The session's life.
  /// Asks whether to share the item, and acts on the answer.
  case activate(item: String?, answer: ShareAnswer, manner: ActivationManner)
  /// Attaches the item to the group, for anybody in it to begin.
  case stage(item: String?, manner: ActivationManner)
  /// Begins what is staged.
  case begin
  /// Takes back what this person staged.
  case withdraw
  case join
  case decline
  case leave
  case end
  case kick(String, isBanned: Bool)
  case setRole(String, Role)
  /// Says that somebody is ready to watch, or is not: the person themselves where nobody is named.
  case setReady(Bool, of: String?)
  case setControl(ControlPolicy)
  case setWaiting(Scenario.Waiting)
  case say(String)
  /// Says something to one person, by name.
  case tell(String, String)

  // Playback.
  case play(immediately: Bool)
  case pause
  case seek(MediaTime)
  case setRate(Rate)
  case suspend(SuspensionReason)
  case resume(proposing: MediaTime?)
  /// Makes an item the group's current one.
  case item(String)
  case queue(QueueInstruction)

  // In-app messages.
  /// Something happens in the app that campaigns may wait for.
  case logEvent(String)
  /// Closes the message on screen.
  case dismissMessage
  /// Clicks a button of the message on screen; the message itself where none is named.
  case clickMessage(String?)
  /// Has the next message of the stack presented.
  case presentNext
  /// The app comes in sight, or goes out of it.
  case setVisible(Bool)

  // Notifications and invitations.
  /// The person's notifications come to this device from here on.
  case register
  case unregister
  case subscribe(Subject)
  case unsubscribe(Subject)
  /// Says something to a topic.
  case publish(TopicID, String)
  /// Says something to one person, as the administrator.
  case push(String, String)
  case invite([String], lifetime: Duration?)
  case revokeInvitations([String])
  /// Answers the newest invitation that stands here: by its notification's action, or past the client
  /// by its token.
  case answerInvitation(InvitationAnswer, byToken: Bool)
  /// Writes back to the newest invitation, which stays open.
  case reply(String)
  /// Taps the newest notification.
  case tapNotification
  /// Dismisses the newest notification on purpose.
  case dismissNotification
  /// The app is started, or ended; what stands in sight stays there without it.
  case setRunning(Bool)

  // The player itself.
  /// The player runs out of data for that long.
  case stall(Duration)
  /// A key on the player, not on the remote.
  case press(PlayerKey)

  // The network.
  /// The connection breaks, and none can be made until it is restored.
  case cutNetwork
  case restoreNetwork
  /// From now on messages take that long.
  case setNetwork(NetworkConditions)
  /// Nothing passes for that long, though the connection stands; then everything comes at once.
  case stallNetwork(Duration)
}

/// What a person may want to be told of.
package enum Subject: Hashable, Sendable {
  case topic(TopicID)
  /// A part of the group's session.
  case part(SessionObject.Part)
}

/// What a person says when asked whether to watch with the group.
package enum ShareAnswer: String, Equatable, Sendable, CaseIterable {
  /// With the group: the activation is preferred.
  case share
  /// Alone: the activation is disabled.
  case me
  /// Not at all: the activation is cancelled.
  case cancel
}

/// How a person wants an activity started.
package struct ActivationManner: Equatable, Sendable {
  /// Whether a session of something else is ended for it.
  package var isReplacing: Bool
  /// Whether each person takes part with one device only.
  package var oneDevicePerUser: Bool
  /// Who steers.
  package var control: ControlPolicy
  /// When the group waits for somebody; `nil` is as the scenario says.
  package var waiting: Scenario.Waiting?
  /// Where the item stands at first; `nil` is at its start.
  package var place: MediaTime?

  /// A manner; without a word the usual one.
  package init(
    isReplacing: Bool = false, oneDevicePerUser: Bool = false, control: ControlPolicy = .everyone,
    waiting: Scenario.Waiting? = nil, place: MediaTime? = nil
  ) {
    self.isReplacing = isReplacing
    self.oneDevicePerUser = oneDevicePerUser
    self.control = control
    self.waiting = waiting
    self.place = place
  }
}

/// Which of a person's devices plays what another one starts.
package enum Preference: String, Equatable, Sendable, CaseIterable {
  /// This one.
  case me
  /// Whichever joins.
  case none
}

/// What a person does to the queue; entries are named by their items.
package enum QueueInstruction: Equatable, Sendable {
  case add(String, isNext: Bool)
  /// Behind the entry of that item, or to the end.
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

/// What befalls the server in a scenario: the word behind `server:` in a step.
package enum ServerVerb: String, Equatable, Sendable, CaseIterable {
  /// It is killed, without a word to anybody.
  case kill
  /// It is started again where it was, and goes on from its journal.
  case start
}

extension PlayerKey {
  /// The key of a simulated player.
  package var simulated: SimulatedPlayer.Key {
    switch self {
    case .play: .play
    case .pause: .pause
    case .seek(let place): .seek(to: place)
    case .rate(let rate): .rate(rate.factor)
    }
  }
}
