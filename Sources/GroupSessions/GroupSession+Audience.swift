package import Vocabulary

// A session with an audience has few participants, whom everybody knows by name. Everybody else is a
// spectator, of whom the session knows nothing: no event, no entry, no part in a barrier.

extension GroupSession {
  /// Checks that somebody finds a named place.
  ///
  /// - Throws: `full` with the number of places that there are for people like them.
  package func checkRoom(for identity: Identity, at now: Instant, _ limits: Limits)
    throws(SessionRejection)
  {
    guard hasAudience else {
      guard participants.count < limits.participants else {
        throw .full(limit: limits.participants)
      }
      return
    }
    let places = min(limits.namedPlaces, limits.participants)
    let kept = isExpected(identity, at: now) ? 0 : expectedPeople(at: now)
    guard participants.count + kept < places else { throw .full(limit: places) }
  }

  /// Checks that somebody may watch as a spectator.
  package func checkSpectator(_ identity: Identity) throws(SessionRejection) {
    switch state {
    case .ended(let reason): throw .ended(reason)
    case .staged: throw .notActivated
    case .open: break
    }
    guard !banned.contains(identity) else { throw .banned }
  }

  /// Whether a named place is kept for somebody: the initiator, who staged the session for hosts
  /// only, whom a participant invited, and who acts for the server.
  package func isExpected(_ identity: Identity, at now: Instant) -> Bool {
    identity.isKeeper || identity.user == initiator.user || identity.user == stagingHost
      || invitations[identity.user]?.isPersonal(at: now) == true
  }

  /// How many people are expected who have not joined.
  private func expectedPeople(at now: Instant) -> Int {
    let invited = invitations.values.count {
      $0.user != initiator.user && $0.user != stagingHost && !$0.hasJoined && $0.isPersonal(at: now)
    }
    return invited + (initiatorHasJoined ? 0 : 1) + (awaitsStagingHost ? 1 : 0)
  }

  private var awaitsStagingHost: Bool {
    guard let stagingHost, !banned.users.contains(stagingHost) else { return false }
    return participants.firstValue { $0.user == stagingHost } == nil
  }
}

extension Invitation {
  /// Whether a participant, and not the session itself, invited the person, who has not refused.
  fileprivate func isPersonal(at now: Instant) -> Bool {
    guard inviter != nil else { return false }
    return switch state {
    case .pending: now < expires
    case .accepted: true
    case .declined, .expired, .revoked: false
    }
  }
}
