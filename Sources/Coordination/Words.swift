import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

// The messages between the server's three values. A word contains only identifiers and values, and
// needs no answer in the same turn, because with several machines it may cross a network. A word that
// states something may arrive twice. One that sends (`publish`, `tell`), asks (`command`, `pair`) or
// counts (`prove`) may not; over a network it would need a number.

/// A word and its addressee.
enum Word: Sendable {
  case front(FrontWord)
  case groups(GroupsWord)
  case people(PeopleWord)
  /// For the shell.
  case output(Output)
}

/// The words from ``Groups`` and ``People`` to ``Front``.
enum FrontWord: Sendable {
  /// The device receives everything published on the topic from now on.
  case follow(AudienceTopic, DeviceID)
  case unfollow(AudienceTopic, DeviceID)
  /// Nothing more is published on the topic.
  case disperse(AudienceTopic)
  /// Send to all followers of the topic, or to some of them.
  case publish(ServerMessage, on: AudienceTopic, to: Recipients = .all)
  /// Send to each of the devices.
  case tellEach(ServerMessage, [DeviceID])
  /// Send to the device; if a person is named, only while the device is theirs.
  case tell(ServerMessage, DeviceID, of: UserID? = nil)
  /// Answer a status request; Front adds the number of connections, and asks ``People`` what an
  /// administrator wants to know.
  case tellStatus(RequestID, StatusReport, DeviceID)
  /// A request's outcome is stored.
  case answered(RecordedAnswer)
  /// A request was refused.
  indirect case refused(Reply, ProtocolError)
  /// A request is done and had no events.
  case done(Reply)
  /// The outcome of an answer to an invitation with its token.
  indirect case answeredBearer(Bearer, RequestOutcome)
  /// The group and session a device is in, or is about to join; a disconnected device without a
  /// group is forgotten.
  case placed(DeviceID, Place)
  /// The device is away, and its group has closed; it is told so when it comes back.
  case missedClosing(DeviceID)
  /// Tell ``People`` if the device is no longer this person's.
  case review(DeviceID, of: UserID)
  /// What the credential proves with which a connection said hello.
  case proof(PeerID, Proof)
  /// The group lets the device in that is not known to be its person's.
  case opened(Reply)
  /// The name is the person's from now on.
  case claimed(Reply)
  /// The name is nobody's any more.
  case freed(UserID)
  /// All sessions have ended, while the server stops.
  case drained

  enum Recipients: Sendable {
    case all
    case only(Set<DeviceID>)
    case except(Set<DeviceID>)
  }
}

/// The words from ``Front``, ``People`` and ``Groups`` itself to ``Groups``.
enum GroupsWord: Sendable {
  // From Front.

  /// A device said hello, to start over or to resume.
  indirect case attach(Attachment)
  /// A device disconnected.
  case detach(DeviceID)
  /// A device may no longer be in its group.
  case expel(DeviceID)
  /// The credential that a device showed last names its person so, and these groups; `nil` means all.
  indirect case renewed(Identity, within: GroupGrants?)
  indirect case command(Request, Reply)
  /// Whether a device could join the group with this key.
  case knock(GroupID, key: String?, Reply)
  /// An invitation is answered with its token.
  indirect case answer(InvitationClaim, InvitationAnswer, Bearer)
  /// A player's position.
  case report(PositionReport, by: DeviceID)
  case relay(DroppableMessage, from: DeviceID)
  /// How long a message takes to the device.
  case delay(Duration, of: DeviceID)
  /// The server stops, so all sessions end.
  case stop

  // From People.

  /// Whether notifications reach the person.
  case reachable(UserID, Bool)
  /// Whether the person subscribes to a topic or to an object.
  case subscribed(Subscription, UserID, Bool)
  /// A request about notifications that Groups has to check or answer.
  indirect case notifications(TrayRequest, Reply)
  /// A text reply to an invitation.
  case replied(TrayResponse, to: NotificationID, by: UserID)
  /// An invitation is answered in its notification.
  indirect case invitationAnswered(InvitationName, InvitationAnswer, TrayRequest, Reply)
  /// Tell ``People`` which of these invitations, subscriptions and deliveries are over.
  ///
  /// - Parameter within: the groups that the credential that the person showed last names; `nil` means all.
  case review(
    invitations: [InvitationName] = [], subscriptions: [Subscription] = [],
    deliveries: [BoundDelivery] = [], within: GroupGrants? = nil, of: UserID)
  /// Post the person's pending invitations again, or those that could not be stored until now.
  case reinvite(UserID)

  // From Groups itself.

  /// Join a group anew that closed while the join waited.
  case reopen(GroupID, Reply)
}

/// The words from ``Front`` and ``Groups`` to ``People``.
enum PeopleWord: Sendable {
  // From Front.

  /// What a credential proves, and who shows it under which name; a code lets it in first.
  indirect case prove(PeerID, UserID, CredentialHash, code: String?, name: String)
  /// Ties the name to the credential.
  case claim(UserID, CredentialHash, Reply?)
  /// Makes a code; the device that asked confirms, unless it is the administrator's.
  case pair(UserID, isConfirmed: Bool, Reply)
  case confirmPairing(Bool, UserID, Reply)
  /// The credential that the person showed last names these groups.
  case bounded(UserID, to: GroupGrants)
  case free(UserID, Reply)
  /// Add what people use of the limits and their names, and answer the status request.
  ///
  /// - Parameters:
  ///   - connected: the people who have a connection.
  ///   - holdsNames: whether a name is held for its person until it is claimed.
  indirect case tellStatus(
    RequestID, StatusReport, DeviceID, connected: Set<UserID>, holdsNames: Bool)
  /// The device is the person's; it is connected, or within its grace period.
  case present(DeviceID, UserID, isConnected: Bool)
  /// The device disconnected; with `isReleased` it now belongs to another person.
  case lost(DeviceID, UserID, isReleased: Bool)
  /// The device is not expected back.
  case absent(DeviceID, UserID)
  /// A request about messages.
  ///
  /// - Parameter isHere: whether the person whom the request names has a device, connected or
  ///   expected back.
  indirect case messaging(MessagingRequest, by: Sender, isHere: Bool, Reply)
  indirect case notifications(TrayRequest, by: Sender, Reply)

  // From Groups.

  /// Post a notification to the person's tray; an optional one only if there is room.
  indirect case post(
    RemoteNotification, TrayAddressing = TrayAddressing(), to: UserID, isOptional: Bool = false)
  case revoke([NotificationID], of: UserID)
  /// A session ended for the person, or for one of their devices.
  case sessionOver(SessionID, of: UserID, on: DeviceID?)
  /// The person's subscriptions end, because objects are over, or the person was removed from a
  /// group for good, or may not enter it any more.
  case subscriptionsOver([Subscription], of: UserID)
  /// A request that Groups has approved.
  indirect case granted(TrayRequest, by: Identity, Reply)
}

/// The person and device that ask, and the session that the device takes part in.
struct Sender: Equatable, Sendable {
  let identity: Identity
  let session: SessionID?
  /// Whether its credential gives it an administrator's rights.
  var isAdministrator = false
  /// Whether it may see campaigns that are drafts.
  var seesDrafts = false

  var device: DeviceID { identity.device }
  var user: UserID { identity.user }
}

/// The parts of a device's hello that concern groups.
struct Attachment: Sendable {
  let identity: Identity
  /// The device's life.
  let life: UInt32
  let understandsSessions: Bool
  let understandsAudiences: Bool
  /// What it resumes with; `nil` if it starts over.
  let resumption: Resumption?
  /// Where it comes from, whose allowance its requests are taken from; `nil` for this machine.
  let address: PeerAddress?
  /// The groups that its credential names; `nil` for all.
  let groups: GroupGrants?
}

/// The group and the session that a device is in or about to join.
struct Place: Equatable, Sendable {
  var group: GroupID?
  var session: SessionID?
  /// Whether it is a spectator or a visitor; nothing that it asks is stored then.
  var isInAudience = false
}

/// A message that ends with a session, or with a device's stay in it.
struct BoundDelivery: Equatable, Sendable {
  let session: SessionID
  let device: DeviceID?
}

/// A topic whose followers all get the same messages.
enum AudienceTopic: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
}
