import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

// As many people are known as may be: whoever was away longest makes room for somebody new.

extension Coordinator {
  /// Whoever says or asks anything about messages is known from there on.
  mutating func admit(_ user: UserID) throws(ProtocolError) {
    guard users[user] == nil else { return }
    guard users.count < limits.users || forgetAbsentee() else {
      throw ProtocolError(.usersFull, limit: limits.users)
    }
    users[user] = UserRoom(UserMessaging(user))
  }

  /// Forgets whoever was away longest, in the journal too.
  ///
  /// - Returns: whether there was anybody who was away for long enough.
  private mutating func forgetAbsentee() -> Bool {
    // Taken out, so that everybody can be looked at meanwhile.
    var known = absentees
    absentees = Absentees()
    defer { absentees = known }
    let start = now - limits.userAbsence
    guard
      let user = known.popFirst(
        of: users.keys, at: now, awayBefore: start, awaySince: { users[$0]?.awaySince })
    else { return false }
    eraseUser(user, isOurs: true)
    users[user] = nil
    return true
  }

  /// Forgets the tray of whoever was not seen for longest, in the journal too.
  ///
  /// - Returns: whether there was anybody who was not seen for long enough.
  mutating func forgetAbsentTray() -> Bool {
    var known = trayAbsentees
    trayAbsentees = Absentees()
    defer { trayAbsentees = known }
    let start = now - limits.userAbsence
    guard
      let user = known.popFirst(
        of: trays.keys, at: now, awayBefore: start, awaySince: { trayAwaySince($0) })
    else { return false }
    eraseTray(user, isOurs: true)
    trays[user] = nil
    return true
  }

  private func trayAwaySince(_ user: UserID) -> Instant? {
    guard let aggregate = trays[user],
      !aggregate.tray.installations.contains(where: { devices[$0.device]?.identity.user == user })
    else { return nil }
    return aggregate.lastSeen
  }
}
