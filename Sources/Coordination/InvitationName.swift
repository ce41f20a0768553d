import GroupSessions
import Signatures
import UserNotifications
import Vocabulary

/// The name of an invitation's notification: which invitation it is, so that it can be posted again
/// after a crash and still be the same, and be answered where it stands no more.
///
/// It is what notifications are collapsed by, too, so the person's name is in it as a hash: people's
/// names are as long as they like.
struct InvitationName: Equatable, Sendable {
  let session: SessionID
  /// The number of the event that invited.
  let seq: Int
  private let person: String

  /// The name of a person's invitation.
  init(session: SessionID, user: UserID, seq: Int) {
    self.session = session
    self.seq = seq
    person = Self.hash(user.text)
  }

  /// The invitation of which a notification tells; `nil` if it tells of none.
  init?(_ id: NotificationID) {
    let parts = id.text.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0].first == "i", let seq = Int(parts[0].dropFirst()) else {
      return nil
    }
    session = SessionID(String(parts[2]))
    self.seq = seq
    person = String(parts[1])
  }

  /// The invitation that a tray's entry asks for an answer to; `nil` if it asks for none, as that by
  /// which an invitation is taken back.
  init?(_ entry: TrayEntry) {
    guard entry.notification.payload.categoryID == NotificationCategory.groupWatchInviteID else {
      return nil
    }
    self.init(entry.id)
  }

  /// The name as it travels; at most 48 bytes.
  var text: String { "i\(seq)-\(person)-\(session)" }

  /// The notification's name.
  var id: NotificationID { NotificationID(text) }

  /// Whether it is that person's.
  func belongs(to user: UserID) -> Bool { person == Self.hash(user.text) }

  /// What the notification of a text that was written back is collapsed by; at most 49 bytes.
  var replyPlace: String { "r\(text)" }

  /// The notification of such a text: the same text is the same notification.
  func replyID(_ text: String) -> NotificationID {
    NotificationID("r\(Self.hash(text))-\(self.text)")
  }

  /// FNV-1a, 64 bits; it keeps names apart, and guards nothing.
  private static func hash(_ text: String) -> String {
    let number = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return mintedText(number, digits: 13)
  }
}

extension Invitation {
  /// What its notification is called.
  func name(in session: SessionID) -> InvitationName {
    InvitationName(session: session, user: user, seq: seq)
  }

  /// The notification that asks the person.
  ///
  /// Whatever links the activity has, it can travel: those go first where it would be too long.
  func notification(
    in session: GroupSession, at now: Instant, _ settings: NotificationSettings
  ) -> RemoteNotification {
    let name = name(in: session.id)
    var payload = NotificationPayload(
      NotificationPayload.Alert(
        title: .init(session.activity.metadata.title),
        body: .init("\(inviterName(in: session)) invites you to watch together")),
      custom: details(name, in: session, settings.signer).fields)
    payload.sound = .default
    payload.categoryID = NotificationCategory.groupWatchInviteID
    payload.threadID = session.group.text
    payload.interruptionLevel = .timeSensitive
    for field in ["fallbackURL", "item"]
    where payload.jsonByteCount > settings.policy.payloadBytes {
      payload.custom[field] = nil
    }
    if payload.jsonByteCount > settings.policy.payloadBytes { payload.alert?.title = nil }
    return RemoteNotification(
      id: name.id, date: now, payload: payload, collapseID: name.text, expires: expires)
  }

  private func details(
    _ name: InvitationName, in session: GroupSession, _ signer: InvitationSigner?
  ) -> InvitationDetails {
    let media = session.activity.media
    let claim = InvitationClaim(session: session.id, user: user, seq: seq, expires: expires)
    return InvitationDetails(
      id: name.id, session: session.id, title: media?.title ?? session.activity.metadata.title,
      url: media?.url, from: inviter ?? session.initiator.user, expires: expires,
      token: signer?.token(for: claim), fallbackURL: session.activity.metadata.fallbackURL)
  }

  /// What others see of whoever invites: a participant; the initiator for the session itself.
  private func inviterName(in session: GroupSession) -> String {
    session.participants.firstValue { $0.user == inviter }?.name ?? session.initiator.name
  }
}
