import GroupSessions
import UserNotifications
import Vocabulary

// What stands in one stream and not yet in another is made good: sessions say who is invited and
// what is over, and trays follow.

extension Coordinator {
  /// Takes in trays as they were kept, sessions being here already.
  mutating func restore(_ recovered: [Recovery.RecoveredTray]) {
    trays.reserve(recovered.count)
    // The last who registered on a device, or with a token, has it.
    for tray in recovered.map(\.tray).sorted(by: { $0.lastRegistered < $1.lastRegistered }) {
      trays[tray.user] = TrayRoom(NotificationTray(tray.user))
      replaceTray(of: tray.user, by: tray)
    }
  }

  /// Makes good what the server could not do before it died.
  mutating func resume(_ recovered: [Recovery.RecoveredTray]) {
    for recovered in recovered.sorted(by: { $0.tray.user < $1.tray.user }) {
      let user = recovered.tray.user
      if recovered.isOver { eraseTray(user, isOurs: true) }
      reconcileTray(user)
      arm(user, TrayLanes.self)
      TrayLanes.buryIfOver(user, in: &self)
    }
    for recovered in recovered { passOnReplies(of: recovered.tray) }
    for id in sessions.keys.sorted() {
      guard let session = sessions[id]?.session else { continue }
      for invitation in session.invitations.values { post(invitation, of: session) }
      if sessions[id]?.told.isPresent == true { tellChanges(of: id, isRetold: true) }
    }
  }

  /// Takes back what a tray says that is not so any more, and sends what is owed.
  mutating func reconcileTray(_ id: UserID) {
    guard let tray = trays[id]?.tray else { return }
    for installation in tray.installations { giveUp(installation, of: id) }
    let over = tray.entries.filter { !stands($0, for: id) }.map(\.id)
    if !over.isEmpty { perform(.revoke(over), on: id) }
    for case .object(let object) in tray.subscriptions.sorted()
    where sessions[object.session]?.session == nil {
      perform(.sessionOver(object.session), on: id)
    }
    for installation in tray.installations where devices[installation.device]?.peer != nil {
      perform(.connected(installation.device), on: id)
    }
    if !tray.entries.isEmpty { perform(.presenceChanged, on: id) }
  }

  /// What somebody else has by now.
  private mutating func giveUp(_ installation: Installation, of id: UserID) {
    if trayIndex.owners[installation.device] != id {
      perform(.unregister(installation.device), on: id)
    } else if let token = installation.endpoint?.token, trayIndex.tokens[token] != id {
      perform(.tokenTaken(token), on: id)
    }
  }

  /// Whether a notification is none of an invitation, or of one that is to be answered.
  private func stands(_ entry: TrayEntry, for user: UserID) -> Bool {
    guard let name = InvitationName(entry), name.belongs(to: user) else { return true }
    let invitation = sessions[name.session]?.session?.invitations[user]
    return invitation?.seq == name.seq && invitation?.state == .pending
  }

  /// Posts what a tray could not keep when the person was invited.
  mutating func postPendingInvitations(to user: UserID) {
    for id in sessions.keys.sorted() {
      guard let session = sessions[id]?.session else { continue }
      post(session.invitations[user], of: session)
    }
  }
}

extension NotificationTray {
  fileprivate var lastRegistered: Instant {
    installations.map(\.registered).max() ?? Instant(microseconds: .min)
  }
}
