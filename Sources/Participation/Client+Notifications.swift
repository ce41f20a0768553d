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

// What the server hears about notifications, and when.

extension Client {
  /// Notes something that the server has to hear, now or when it can.
  mutating func tell(_ notice: NotificationNotice) {
    if let lost = notifying.outbox.add(notice, at: now) { lose(lost, nil) }
    sendNotificationNotices()
  }

  /// Sends the next notice, if no answer is awaited.
  mutating func sendNotificationNotices() {
    guard link.isOnline, notifying.isAvailable, !pending.isFull else { return }
    for notice in notifying.outbox.expire(at: now) { lose(notice, nil) }
    guard let next = notifying.outbox.next else { return }
    notifying.outbox.markSent(next.sequence)
    let request: TrayRequest =
      switch next.notice {
      case .report(let id, let report): .report(id, report)
      case .wish(let wish): wish
      }
    askOwn(.notifications(request), .notificationNotice(next.sequence))
  }

  /// The server answered a notice, or did not.
  mutating func settleNotice(_ sequence: Int, _ outcome: Outcome) {
    switch outcome {
    case .answered, .reported, .explained, .listed, .object:
      guard let notice = notifying.outbox.settle(sequence) else { break }
      if case .report(let id, .responded) = notice { bring(.heard(id)) }
      if case .wish(.subscribe(.object(let object))) = notice { follow(object) }
    case .failed(.timedOut), .failed(.forgotten): notifying.outbox.release(sequence)
    case .failed(.closed): return
    case .failed(let failure): refused(notifying.outbox.settle(sequence), failure)
    }
    sendNotificationNotices()
  }

  private mutating func refused(_ notice: NotificationNotice?, _ failure: Failure) {
    if case .refused(let error) = failure, error.code == .notificationsUnavailable {
      // What else waits would be refused, too; another connection may lead to another server.
      notifying.isAvailable = false
      return notifying.outbox.removeAll()
    }
    switch notice {
    case .report(let id, .responded)?:
      // Should the server list it still, it stands.
      bring(.heard(id))
      lose(notice, failure)
    case .wish(.subscribe(let subscription))?: unfollow(subscription)
    case .wish(.register)?: notifying.registration = nil
    case .report?, .wish?, nil: break
    }
  }

  /// Only what the person did is missed by anybody.
  mutating func lose(_ notice: NotificationNotice?, _ failure: Failure?) {
    guard case .report(let id, let report)? = notice else { return }
    publish(.reportLost(id, report, failure))
  }

  // MARK: What the app wants

  /// Notes what the app asks for, so that it stands whatever becomes of connections and servers.
  mutating func note(_ request: TrayRequest) {
    switch request {
    case .register(let mode, _, _):
      notifying.registration = request
      bring(.register(mode))
    case .unregister: notifying.registration = nil
    case .subscribe(let subscription):
      guard !notifying.subscriptions.contains(subscription),
        notifying.subscriptions.count < Notifying.mostSubscriptions
      else { return }
      notifying.subscriptions.append(subscription)
    case .unsubscribe(let subscription): unfollow(subscription)
    case .wipe:
      notifying.registration = nil
      for subscription in notifying.subscriptions { unfollow(subscription) }
      notifying.outbox.removeAll()
      bring(.userChanged)
    case .publish, .push, .list, .report, .remove, .objectState: break
    }
  }

  /// The app's wish was granted.
  mutating func granted(_ request: TrayRequest) {
    switch request {
    case .subscribe(.object(let object)): follow(object)
    default: break
    }
  }

  /// The app's wish was refused; of what may have been granted nothing is said here.
  mutating func refused(_ request: TrayRequest) {
    switch request {
    case .register: if notifying.registration == request { notifying.registration = nil }
    case .subscribe(let subscription): unfollow(subscription)
    default: break
    }
  }

  /// Says again to a server that does not know this device what it wants.
  mutating func wishAnew() {
    notifying.outbox.removeAll { !$0.mayGo }
    for object in notifying.objects.keys { notifying.objects[object] = FollowedObject() }
    let wishes =
      [notifying.registration].compactMap(\.self)
      + notifying.subscriptions.map { TrayRequest.subscribe($0) }
    for wish in wishes { tell(.wish(wish)) }
  }
}

extension Client {
  /// A client's side of notifications: what stands, what the server still has to hear, and what
  /// this device wants of it over all connections.
  struct Notifying: Equatable, Sendable {
    /// As many as a server keeps of one person.
    static let mostSubscriptions = TrayPolicy().subscriptions

    var center: NotificationCenterState
    var outbox = Outbox<NotificationNotice>()
    /// How this device registered; `nil` if nothing is to come here.
    var registration: TrayRequest?
    /// What the app wants to be told of, in the order it said so.
    var subscriptions: [Subscription] = []
    /// What is known of the objects among them.
    var objects: [SessionObject: FollowedObject] = [:]
    /// What the server listed last, for whoever asked.
    var listed: [ListedNotification] = []
    /// Whether the server has notifications, as far as it said.
    var isAvailable = true
    /// What the server's clock showed when it welcomed this device last.
    var serverClock: DeviceClock?

    init(_ settings: ClientSettings) {
      let start = HostTime(microseconds: 0)
      center = NotificationCenterState(
        settings.center, clock: DeviceClock(Instant(microseconds: 0), at: start))
    }
  }

  /// An object of the server's, kept up by differences.
  struct FollowedObject: Equatable, Sendable {
    /// A server whose word is older than what it sent out itself is not asked for ever.
    static let mostFetches = 3

    var mirror = StateMirror()
    var isFetching = false
    /// How often it was fetched since it was last known.
    var fetches = 0
  }
}

/// Something about notifications that the server has to hear.
enum NotificationNotice: OutboxNotice {
  case report(NotificationID, NotificationReport)
  /// What this device wants of a server that does not know it.
  case wish(TrayRequest)

  /// A full tray, shown, opened and answered, with room to spare.
  static let limit = 256
  /// No tray keeps a notification for longer.
  static let longestWait = TrayPolicy().longestTimeToLive

  /// What this device wants, it wants for as long as it says so.
  var mayGo: Bool { if case .wish = self { false } else { true } }
}
