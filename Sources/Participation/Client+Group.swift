import GroupSessions
import Vocabulary
import Wire

// The group, and the sessions it offers.

extension Client {
  mutating func setEligibility(_ next: Eligibility) {
    guard next != eligibility else { return }
    eligibility = next
    publish(.eligibility(next))
    if next == .eligible { reviveSession() }
  }

  mutating func setGroup(_ next: Group?) {
    guard next != group else { return }
    group = next
    publish(.group(next))
  }

  mutating func hear(_ event: GroupEvent, seq: Int, of id: GroupID) {
    guard var mirror = group, mirror.id == id, seq > mirror.seq else { return }
    guard seq == mirror.seq + 1 else { return drop("events of the group are missing") }
    mirror.evolve(event)
    switch event {
    case .memberLeft(settings.device, _), .closed:
      wantedGroup = nil
      setGroup(nil)
    default: setGroup(mirror)
    }
  }

  /// One session at a time waits for a device: a newer offer takes the older one's place.
  mutating func hear(_ next: Offer) {
    if let seat, seat.id == next.session {
      if !seat.isJoined { publish(.waiting(next), of: next.session) }
      return
    }
    guard settings.activityTypes?.contains(next.activity.type) != false else {
      return passOver(next)
    }
    if let old = offer?.session, old != next.session {
      publish(.invalidated(.ended(.replaced(by: next.session))), of: old)
    }
    guard next != offer else { return }
    offer = next
    revival = nil
    publish(.waiting(next), of: next.session)
    takeAwaited(next)
  }

  /// An activity of a type that the app does not know is nothing to join: people get a link.
  private mutating func passOver(_ next: Offer) {
    if offer?.session == next.session {
      offer = nil
      publish(.invalidated(.notEligible), of: next.session)
    }
    let metadata = next.activity.metadata
    publish(
      .activityNotice(
        ActivityNotice(
          session: next.session, title: metadata.title, fallbackURL: metadata.fallbackURL)))
  }

  mutating func withdraw(_ id: SessionID, _ reason: OfferWithdrawal) {
    guard offer?.session == id else { return }
    offer = nil
    switch reason {
    case .ended(let end): publish(.invalidated(.ended(end)), of: id)
    case .declined: publish(.invalidated(.declined), of: id)
    case .notEligible: publish(.invalidated(.notEligible), of: id)
    }
  }

  /// Whatever waits or goes on is over.
  mutating func invalidateAll(_ reason: InvalidationReason) {
    if let waiting = offer?.session {
      offer = nil
      publish(.invalidated(reason), of: waiting)
    }
    if seat != nil { invalidate(reason) }
  }
}
