package import GroupSessions
import Vocabulary
package import Wire

/// This device's membership of a group, to which it returns after each reconnection, and what the
/// group's server lets it join.
struct GroupMembership: Equatable, Sendable {
  /// The group to return to, and the key with which this device joined it.
  struct Wish: Equatable, Sendable {
    let group: GroupID
    let key: String?
  }

  private(set) var eligibility = Eligibility.ineligible(.notConnected)
  /// The session that this device can join; it has one at a time.
  private(set) var offer: Offer?
  /// The mirror of the group; `nil` if this device is in none.
  private(set) var group: Group?
  /// The group's key, if it has one.
  private(set) var key: String?
  /// The group that the client rejoins; `nil` if it has joined none, or left.
  private(set) var wish: Wish?

  mutating func join(_ group: GroupID, key: String?) { wish = Wish(group: group, key: key) }
  mutating func leave() { wish = nil }

  // Each change returns the updates to publish; the client publishes those about offers itself.

  mutating func take(_ next: Group?) -> [Client.Update] {
    guard next != group else { return [] }
    group = next
    return [.group(next)] + (next == nil ? take(key: nil) : [])
  }

  mutating func take(key next: String?) -> [Client.Update] {
    guard next != key else { return [] }
    key = next
    return [.groupKey(next)]
  }

  mutating func take(_ next: Eligibility) -> [Client.Update] {
    guard next != eligibility else { return [] }
    eligibility = next
    return [.eligibility(next)]
  }

  mutating func take(_ next: Offer) { offer = next }

  /// Removes the offer, or only the one of this session; returns it.
  @discardableResult
  mutating func takeOffer(of session: SessionID? = nil) -> Offer? {
    guard let taken = offer, session == nil || taken.session == session else { return nil }
    offer = nil
    return taken
  }
}

// The group, and the sessions that it offers.

extension Client {
  /// Whether this device can take part in sessions now.
  package var eligibility: Eligibility { membership.eligibility }

  /// The session that this device can join.
  package var offer: Offer? { membership.offer }

  /// This device's mirror of its group; `nil` if it is in no group.
  package var group: Group? { membership.group }

  mutating func setEligibility(_ next: Eligibility) {
    let news = membership.take(next)
    guard !news.isEmpty else { return }
    publish(news)
    // A visitor is no member, so no event of the group removes it.
    if next == .ineligible(.notInGroup), let group, group.members[device] == nil,
      seat?.isReturning != true
    {
      setGroup(nil)
    }
    if next == .eligible { reviveSession() }
  }

  mutating func setGroup(_ next: Group?) { publish(membership.take(next)) }

  mutating func hear(_ event: GroupEvent, seq: Int, of id: GroupID) {
    guard var mirror = group, mirror.id == id, seq > mirror.seq else { return }
    guard seq == mirror.seq + 1 else { return drop("events of the group are missing") }
    mirror.evolve(event)
    switch event {
    case .memberLeft(device, let reason):
      membership.leave()
      // Leaving the group drops the offer as left; the server only says that it is withdrawn.
      if reason == .left { dropOffer(.left) }
      setGroup(nil)
    case .closed:
      membership.leave()
      setGroup(nil)
    default: setGroup(mirror)
    }
  }

  /// Handles an offer; a device has one offer at a time, so a newer one replaces the older.
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
    membership.take(next)
    revival.giveWay()
    publish(.waiting(next), of: next.session)
    takeAwaited(next)
  }

  /// Publishes a notice with a link for an activity whose type the app does not support.
  private mutating func passOver(_ next: Offer) {
    if membership.takeOffer(of: next.session) != nil {
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
    switch reason {
    case .ended(let end): dropOffer(.ended(end))
    case .declined: dropOffer(.declined)
    case .notEligible: dropOffer(.notEligible)
    }
  }

  private mutating func dropOffer(_ reason: InvalidationReason) {
    guard let waiting = membership.takeOffer()?.session else { return }
    publish(.invalidated(reason), of: waiting)
  }

  /// Invalidates the offered session and the joined one.
  mutating func invalidateAll(_ reason: InvalidationReason) {
    dropOffer(reason)
    if seat != nil { invalidate(reason) }
  }
}
