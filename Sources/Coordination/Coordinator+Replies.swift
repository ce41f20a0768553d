import GroupSessions
import UserNotifications
import Vocabulary

// What people write back to an invitation: whoever invited hears of it.

extension Coordinator {
  /// A person's tray kept these: a text that was written back goes on to whoever invited.
  mutating func followReplies(in events: [RecordedEvent], of user: UserID) {
    for case .tray(.responded(let id, let response)) in events.map(\.event) {
      passOn(response, to: id, by: user)
    }
  }

  /// Passes on again what a tray has of texts: the server may have died before it could.
  ///
  /// Whoever has one of them, or had it lately, is not told again.
  mutating func passOnReplies(of tray: NotificationTray) {
    for entry in tray.entries {
      if let response = entry.response { passOn(response, to: entry.id, by: tray.user) }
    }
  }

  private mutating func passOn(
    _ response: TrayResponse, to id: NotificationID, by user: UserID
  ) {
    guard response.actionID == ActionIdentifier.reply, let text = response.text, !text.isEmpty,
      let name = InvitationName(id), name.belongs(to: user),
      let session = sessions[name.session]?.session,
      let invitation = session.invitations[user], invitation.seq == name.seq
    else { return }
    let recipient = invitation.inviter ?? session.initiator.user
    guard recipient != user, now < invitation.expires else { return }
    let writer = response.device.flatMap { devices[$0] }?.identity.name ?? user.text
    var payload = NotificationPayload(
      NotificationPayload.Alert(title: .init(writer), body: .init(text)),
      custom: [
        "inv": .string(name.text), "session": .string(session.id.text), "from": .string(user.text),
      ])
    payload.sound = .default
    payload.threadID = session.group.text
    payload.shortenBody(toFit: notifications.policy.payloadBytes)
    post(
      RemoteNotification(
        id: name.replyID(text), date: now, payload: payload, collapseID: name.replyPlace,
        expires: invitation.expires),
      to: recipient)
  }
}

extension NotificationPayload {
  /// Cuts the end of its text off, as much as has to go.
  fileprivate mutating func shortenBody(toFit limit: Int) {
    guard let text = alert?.body?.text else { return }
    var characters = Array(text)
    // Some letters take six bytes in JSON: a few turns at most.
    while jsonByteCount > limit, !characters.isEmpty {
      characters.removeLast(max(1, characters.count / 4))
      alert?.body = .init(String(characters) + "…")
    }
  }
}
