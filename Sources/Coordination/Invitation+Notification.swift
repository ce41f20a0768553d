import GroupSessions
import Signatures
import UserNotifications
import Vocabulary

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
