import InAppMessaging
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
    users[user] = UserAggregate(UserMessaging(user))
  }

  /// Forgets whoever was away longest, in the journal too.
  ///
  /// - Returns: whether there was anybody who was away for long enough.
  private mutating func forgetAbsentee() -> Bool {
    for _ in 0..<2 {
      while let known = absentees.popFirst() {
        // Whoever came back since everybody was looked at stays.
        guard absentee(known.user) == known else { continue }
        eraseUser(known.user, isOurs: true)
        users[known.user] = nil
        return true
      }
      guard absentees.isLookDue(at: now) else { return false }
      lookAtEverybody()
    }
    return false
  }

  private mutating func lookAtEverybody() {
    for user in users.keys {
      if let absentee = absentee(user) { absentees.note(absentee) }
    }
    absentees.endLook(at: now)
  }

  /// A person who was away for so long that they may be forgotten; else `nil`.
  private func absentee(_ user: UserID) -> Absentee? {
    guard let since = users[user]?.awaySince, now - since >= limits.userAbsence else { return nil }
    return Absentee(since: since, user: user)
  }
}
