import GroupSessions
import Signatures
import UserNotifications
import Vocabulary

/// The identifier of an invitation's notification.
///
/// It identifies the invitation, so that the notification can be posted again after a crash under
/// the same identifier, and answered after it was withdrawn. It also serves as the collapse
/// identifier, whose length is limited. Therefore it contains the person as a hash: user
/// identifiers can be long.
struct InvitationName: Equatable, Sendable {
  let session: SessionID
  /// The number of the event that invited.
  let seq: Int
  private let person: String

  init(session: SessionID, user: UserID, seq: Int) {
    self.session = session
    self.seq = seq
    person = user.text.shortHash
  }

  /// Parses a notification's identifier; `nil` if it is not an invitation's.
  init?(_ id: NotificationID) {
    let parts = id.text.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0].first == "i", let seq = Int(parts[0].dropFirst()) else {
      return nil
    }
    session = SessionID(String(parts[2]))
    self.seq = seq
    person = String(parts[1])
  }

  /// The invitation that a tray's entry asks to answer; `nil` for other entries, such as a
  /// withdrawal.
  init?(_ entry: TrayEntry) {
    guard entry.notification.payload.categoryID == NotificationCategory.groupWatchInviteID else {
      return nil
    }
    self.init(entry.id)
  }

  /// The identifier's text; at most 48 bytes.
  var text: String { "i\(seq)-\(person)-\(session)" }

  var id: NotificationID { NotificationID(text) }

  /// Whether it is an invitation of this person.
  func belongs(to user: UserID) -> Bool { person == user.text.shortHash }

  /// The collapse identifier of notifications with a text reply; at most 49 bytes.
  var replyCollapseID: String { "r\(text)" }

  /// The identifier of the notification with a text reply; the same text gives the same identifier.
  func replyID(_ text: String) -> NotificationID {
    NotificationID("r\(text.shortHash)-\(self.text)")
  }
}

extension String {
  /// FNV-1a, 64 bits, in 13 digits: it only distinguishes names and protects nothing.
  var shortHash: String {
    let number = utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return mintedText(number, digits: 13)
  }
}

extension Invitation {
  /// The identifier of its notification.
  func name(in session: SessionID) -> InvitationName {
    InvitationName(session: session, user: user, seq: seq)
  }

  /// The notification that invites the person.
  ///
  /// Links are left out first if the payload would be too large.
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
      id: name.id, session: session.id, group: session.group,
      title: media?.title ?? session.activity.metadata.title, url: media?.url,
      from: inviter ?? session.initiator.user, expires: expires,
      token: signer?.token(for: claim), fallbackURL: session.activity.metadata.fallbackURL)
  }

  /// The name of the participant who invites; the initiator's name if the session itself does.
  private func inviterName(in session: GroupSession) -> String {
    session.participants.firstValue { $0.user == inviter }?.name ?? session.initiator.name
  }

  /// The notification with which the person replies in text to whoever invited.
  ///
  /// A repeated reply has the same identifier, so that nobody is notified again.
  func notification(
    ofReply text: String, by writer: String, in session: GroupSession, at now: Instant,
    _ settings: NotificationSettings
  ) -> RemoteNotification {
    let name = name(in: session.id)
    var payload = NotificationPayload(
      NotificationPayload.Alert(title: .init(writer), body: .init(text)),
      custom: [
        "inv": .string(name.text), "session": .string(session.id.text),
        "group": .string(session.group.text), "from": .string(user.text),
      ])
    payload.sound = .default
    payload.threadID = session.group.text
    payload.shortenTexts(toFit: settings.policy.payloadBytes)
    return RemoteNotification(
      id: name.replyID(text), date: now, payload: payload, collapseID: name.replyCollapseID,
      expires: expires)
  }
}

extension RemoteNotification {
  /// The group to which it invites; `nil` if it is no invitation.
  var invitingGroup: GroupID? {
    InvitationName(id) == nil ? nil : payload.threadID.map { GroupID($0) }
  }
}
