import GroupSessions
package import UserNotifications
import Vocabulary
import Wire

// Notifications: the centre's inputs and outputs pass through the client, which says to the server
// what there is to say, and keeps up what the app follows.

extension Client {
  /// What stands on this device, what waits for a handler, what it makes itself.
  package var center: NotificationCenterState { notifying.center }

  /// What is known of an object that is followed; `nil` for one that is not.
  package func object(_ object: SessionObject) -> StateMirror? { notifying.objects[object]?.mirror }

  /// Brings something before the centre, and does what it wants.
  mutating func bring(_ input: NotificationCenterState.Input) {
    let before = center.standingNotifications
    for output in notifying.center.handle(input, at: now) {
      if case .report(let id, let report) = output {
        tell(.report(id, report))
      } else {
        publish(.center(output))
      }
    }
    let standing = center.standingNotifications
    if standing != before { publish(.standing(standing)) }
  }

  // MARK: What the server sends

  mutating func hear(_ notification: RemoteNotification) {
    followChange(in: notification.payload)
    bring(.arrived(localized(notification)))
  }

  /// What was put away on this device stands for the person, and is not shown by itself.
  mutating func hear(_ list: [ListedNotification]) {
    notifying.listed = list
    let new = list.filter(\.isNew).map(\.notification)
    for notification in new { followChange(in: notification.payload) }
    let standing = list.filter { !$0.isNew && !$0.isPutAway }.map(\.notification)
    bring(.listed(standing: standing.map(localized), new: new.map(localized)))
  }

  /// A notification that expires when the server's clock says so, whatever the device's shows.
  private func localized(_ notification: RemoteNotification) -> RemoteNotification {
    guard let expires = notification.expires, let server = serverInstant else {
      return notification
    }
    var notification = notification
    notification.expires = center.clock.instant(at: now) + (expires - server)
    return notification
  }

  private var serverInstant: Instant? {
    instant(at: now) ?? notifying.serverClock?.instant(at: now)
  }

  /// A server welcomed this device: one that knew it knows what it wants, and tells what stands.
  mutating func enterNotifications(_ welcome: Welcome) {
    notifying.serverClock = DeviceClock(welcome.at, at: now)
    notifying.isAvailable = true
    if !welcome.isResumed { wishAnew() }
    for (object, followed) in notifying.objects where followed.mirror.needsFetch {
      fetch(object)
    }
    sendNotificationNotices()
  }

  // MARK: Accepting

  /// Accepts an invitation that was accepted where nothing could join: this device is to.
  mutating func takeAwaited(_ offer: Offer) {
    guard offer.isAwaited, !offer.isStaged, seat == nil, !isAccepting(offer.session) else { return }
    askOwn(.answerInvitation(offer.session, .accepted, seq: nil), .nobody)
  }

  /// Whether the server may say at any moment that this device takes part, as it accepted.
  func isAccepting(_ session: SessionID) -> Bool {
    pending.all.contains { request in
      switch request.request {
      case .answerInvitation(session, .accepted, _): request.wasSent
      case .notifications(.report(_, .responded(ActionIdentifier.accept, _))): request.wasSent
      default: false
      }
    }
  }

  /// Whoever accepts takes part at once where that can be.
  mutating func takeSeat(in session: SessionID) {
    guard seat == nil else { return }
    seat = Seat(id: session, stage: .joining(until: now + settings.joinTimeout))
    seat?.isConfirmed = true
    seat?.isUnannounced = offer?.session != session
    if offer?.session == session { offer = nil }
  }
}

// MARK: Objects that are followed

extension Client {
  /// Follows an object from here on: it is fetched, and then kept up.
  mutating func follow(_ object: SessionObject) {
    notifying.objects[object] = notifying.objects[object] ?? FollowedObject()
    fetch(object)
  }

  /// The app, or the end of its session, wants an object no more.
  mutating func unfollow(_ subscription: Subscription) {
    notifying.subscriptions.removeAll { $0 == subscription }
    guard case .object(let object) = subscription,
      notifying.objects.removeValue(forKey: object) != nil
    else { return }
    publish(.object(object, nil))
  }

  /// Takes in what a silent notification says of an object.
  private mutating func followChange(in payload: NotificationPayload) {
    let message = ReceivedMessage(payload)
    guard let session = message.bucketID else { return }
    if message.change == .bucketDeleted { return forget(SessionID(session)) }
    guard let object = message.sessionObject, notifying.objects[object] != nil else { return }
    notifying.objects[object]?.fetches = 0
    // A difference that would not fit is not there.
    guard let delta = StateDelta(payload) else { return fetch(object) }
    switch notifying.objects[object]?.mirror.apply(delta) {
    case .applied: publish(.object(object, self.object(object)))
    case .gap: fetch(object)
    case .alreadyKnown, nil: break
    }
  }

  private mutating func forget(_ session: SessionID) {
    for object in notifying.objects.keys.filter({ $0.session == session }) {
      unfollow(.object(object))
    }
  }

  private mutating func fetch(_ object: SessionObject) {
    guard let followed = notifying.objects[object], !followed.isFetching,
      followed.fetches < FollowedObject.mostFetches, !pending.isFull
    else { return }
    notifying.objects[object]?.isFetching = true
    notifying.objects[object]?.fetches += 1
    askOwn(.notifications(.objectState(object)), .object(object))
  }

  /// An object was fetched, or could not be.
  mutating func settle(_ object: SessionObject, _ outcome: Outcome) {
    guard notifying.objects[object] != nil else { return }
    notifying.objects[object]?.isFetching = false
    switch outcome {
    case .object(let version, let fields):
      let before = self.object(object)
      notifying.objects[object]?.mirror.replace(with: fields, version: version)
      let mirror = self.object(object)
      if mirror?.version != before?.version || before?.version == nil {
        publish(.object(object, mirror))
      }
      if mirror?.needsFetch == true { return fetch(object) }
      notifying.objects[object]?.fetches = 0
    case .failed(.refused(let error)):
      if error.code == .unknownSession || error.code == .sessionEnded {
        unfollow(.object(object))
      }
    case .answered, .reported, .explained, .listed, .failed: break
    }
  }
}
