import GroupSessions
import InAppMessaging
import Signatures
import UserNotifications
import Vocabulary
import Wire

// What the server's three values say to each other. A word carries identifiers and values, is
// harmless when it arrives twice, and needs no answer in the same turn: on several machines it may
// cross a network.

/// A word, and whom it is for.
enum Word: Sendable {
  case front(FrontWord)
  case groups(GroupsWord)
  case people(PeopleWord)
  /// For the shell.
  case output(Output)
}

/// What ``Groups`` and ``People`` say to ``Front``.
enum FrontWord: Sendable {
  /// From here on the device hears of all that is published on the topic.
  case follow(AudienceTopic, DeviceID)
  case unfollow(AudienceTopic, DeviceID)
  /// Nothing more is published on the topic.
  case disperse(AudienceTopic)
  /// For everyone who follows the topic, or some of them.
  case publish(ServerMessage, on: AudienceTopic, to: Recipients = .all)
  /// For each of the devices.
  case tellEach(ServerMessage, [DeviceID])
  /// For the device; if a person is named, only while it is theirs.
  case tell(ServerMessage, DeviceID, of: UserID? = nil)
  /// How things are, for whoever asked; Front adds how many peers there are.
  case tellStatus(RequestID, StatusReport, DeviceID)
  /// What a request came to is kept.
  case answered(RecordedAnswer)
  /// A request is refused.
  indirect case refused(Reply, ProtocolError)
  /// A request is done, and nothing was kept for it but that.
  case done(Reply)
  /// What became of an answer to an invitation by token.
  indirect case answeredBearer(Bearer, RequestOutcome)
  /// Where the device is, or is about to be. One without a group and a connection is forgotten.
  case placed(DeviceID, Place)
  /// Whether the device is that person's is to be said to ``People`` if it is not.
  case review(DeviceID, of: UserID)
  /// All sessions are over.
  case drained

  enum Recipients: Sendable {
    case all
    case only(Set<DeviceID>)
    case except(Set<DeviceID>)
  }
}

/// What ``Front`` and ``People`` say to ``Groups``.
enum GroupsWord: Sendable {
  // From Front.

  /// A device said hello on a connection, anew or to resume.
  indirect case attach(Attachment)
  /// A device's connection is gone.
  case detach(DeviceID)
  indirect case command(Request, Reply)
  /// An invitation is answered by its token.
  indirect case answer(InvitationClaim, InvitationAnswer, Bearer)
  /// How far a player was from where the group was.
  case report(PositionReport, by: DeviceID)
  case relay(DroppableMessage, from: DeviceID)
  /// How long a message takes to the device.
  case delay(Duration, of: DeviceID)
  /// The server is to stop: sessions end.
  case stop

  // From People.

  /// Whether notifications reach the person.
  case reachable(UserID, Bool)
  /// Whether the person hears of the topic, or of the session's part.
  case subscribed(Subscription, UserID, Bool)
  /// What a device asks about notifications, where groups and sessions have a say.
  indirect case notifications(TrayRequest, Reply)
  /// What was written back to an invitation.
  case replied(TrayResponse, to: NotificationID, by: UserID)
  /// An invitation is answered where its notification stands.
  indirect case invitationAnswered(InvitationName, InvitationAnswer, TrayRequest, Reply)
  /// Whether these invitations stand, and these sessions go on, is to be said to ``People`` if not.
  case review(
    invitations: [InvitationName] = [], sessions: [SessionID] = [],
    deliveries: [BoundDelivery] = [], of: UserID)
  /// What the person is invited to is to be posted again.
  case reinvite(UserID)
}

/// What ``Front`` and ``Groups`` say to ``People``.
enum PeopleWord: Sendable {
  // From Front.

  /// The device is the person's; it has a connection, or is within its grace.
  case present(DeviceID, UserID, isConnected: Bool)
  /// The connection is gone; with `isReleased` the device is another person's.
  case lost(DeviceID, UserID, isReleased: Bool)
  /// The device is not expected back.
  case absent(DeviceID, UserID)
  indirect case messaging(MessagingRequest, by: Sender, Reply)
  indirect case notifications(TrayRequest, by: Sender, Reply)

  // From Groups.

  /// A notification for the person's tray; an optional one only where there is room.
  indirect case post(
    RemoteNotification, TrayAddressing = TrayAddressing(), to: UserID, isOptional: Bool = false)
  case revoke([NotificationID], of: UserID)
  /// A session is over for the person, or for one of their devices.
  case sessionOver(SessionID, of: UserID, on: DeviceID?)
  /// A session is over: nobody follows its parts any more.
  case partsOver(SessionID, of: UserID)
  /// What Groups has nothing against.
  indirect case granted(TrayRequest, by: Identity, Reply)
}

/// Whom a device belongs to, and the session that it takes part in.
struct Sender: Equatable, Sendable {
  let identity: Identity
  let session: SessionID?

  var device: DeviceID { identity.device }
  var user: UserID { identity.user }
}

/// A device's hello, as far as it concerns groups.
struct Attachment: Sendable {
  let identity: Identity
  /// Which of the device's lives it is.
  let life: UInt32
  let understandsSessions: Bool
  /// What it goes on with; `nil` of one that starts anew.
  let resumption: Resumption?
}

/// The group and the session that a device is in or about to join.
struct Place: Equatable, Sendable {
  var group: GroupID?
  var session: SessionID?
}

/// A message that goes with a session, or with a device's stay in it.
struct BoundDelivery: Equatable, Sendable {
  let session: SessionID
  let device: DeviceID?
}

/// What many hear of alike.
enum AudienceTopic: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
}
