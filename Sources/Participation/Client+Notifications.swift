import GroupSessions
package import UserNotifications
import Vocabulary
import Wire

// Notifications: the client passes inputs to the notification center and carries out its outputs.
// It reports to the server and keeps the objects that the app follows up to date.

extension Client {
  /// The notifications on this device, the pending handlers, and the locally scheduled
  /// notifications.
  package var center: NotificationCenterState { notifying.center }

  /// The mirror of a followed object; `nil` if the object is not followed.
  package func object(_ object: ServerObject) -> StateMirror? { notifying.objects[object]?.mirror }

  /// Passes an input to the notification center and carries out its outputs.
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

  // MARK: Messages from the server

  mutating func hear(_ notification: RemoteNotification) {
    followChange(in: notification.payload)
    bring(.arrived(localized(notification)))
  }

  /// Adds the listed notifications; those put away on this device are not shown again.
  mutating func hear(_ list: [ListedNotification]) {
    notifying.listed = list
    let new = list.filter(\.isNew).map(\.notification)
    for notification in new { followChange(in: notification.payload) }
    let standing = list.filter { !$0.isNew && !$0.isPutAway }.map(\.notification)
    bring(.listed(standing: standing.map(localized), new: new.map(localized)))
  }

  /// Converts the expiry from the server's clock to the device's clock.
  private func localized(_ notification: RemoteNotification) -> RemoteNotification {
    guard let expires = notification.expires, let server = serverInstant else {
      return notification
    }
    var notification = notification
    notification.expires = center.clock.instant(at: now) + (expires - server)
    return notification
  }

  /// The server's time now; `nil` before the first welcome.
  var serverInstant: Instant? {
    instant(at: now) ?? notifying.serverClock?.instant(at: now)
  }

  /// Prepares notifications after a welcome.
  ///
  /// A server that resumed the connection still has the registration and the subscriptions. Any
  /// other server gets them again.
  mutating func enterNotifications(_ welcome: Welcome) {
    notifying.serverClock = DeviceClock(welcome.at, at: now)
    notifying.isAvailable = true
    if !welcome.isResumed { wishAnew() }
    fetchOutdated()
    sendNotificationNotices()
  }

  // MARK: Accepting

  /// Accepts an invitation that the person accepted on a device that cannot join.
  mutating func takeAwaited(_ offer: Offer) {
    guard offer.isAwaited, !offer.isStaged, seat == nil, !isAccepting(offer.session) else { return }
    askOwn(.answerInvitation(offer.session, .accepted, seq: nil), .nobody)
  }

  /// Whether this device sent an acceptance, so that the server may add it to the session.
  func isAccepting(_ session: SessionID) -> Bool {
    pending.all.contains { request in
      switch request.request {
      case .answerInvitation(session, .accepted, _): request.wasSent
      case .notifications(.report(_, .responded(ActionIdentifier.accept, _))): request.wasSent
      default: false
      }
    }
  }

  /// Takes a seat in a session after the acceptance made this device a participant.
  mutating func takeSeat(in session: SessionID) {
    guard seat == nil else { return }
    seat = Seat(id: session, stage: .joining(until: now + settings.joinTimeout))
    seat?.isConfirmed = true
    seat?.isUnannounced = offer?.session != session
    if offer?.session == session { offer = nil }
  }
}

// MARK: Followed objects

extension Client {
  /// Starts to follow an object: fetches it, then applies changes.
  mutating func follow(_ object: ServerObject) {
    notifying.objects[object] = notifying.objects[object] ?? FollowedObject()
    fetch(object)
  }

  /// Stops following an object because the app unsubscribed or the object is over.
  mutating func unfollow(_ subscription: Subscription) {
    notifying.subscriptions.removeAll { $0 == subscription }
    guard case .object(let object) = subscription,
      notifying.objects.removeValue(forKey: object) != nil
    else { return }
    publish(.object(object, nil))
  }

  /// Applies the change to an object that a silent notification carries.
  private mutating func followChange(in payload: NotificationPayload) {
    let message = ReceivedMessage(payload)
    for object in notifying.objects.keys where message.ends(object) { unfollow(.object(object)) }
    guard let object = message.serverObject, notifying.objects[object] != nil else { return }
    notifying.objects[object]?.fetches = 0
    // A change too large for a notification is sent without the delta, so the object is fetched.
    guard let delta = StateDelta(payload) else { return fetch(object) }
    switch notifying.objects[object]?.mirror.apply(delta) {
    case .applied: publish(.object(object, self.object(object)))
    case .gap: fetch(object)
    case .alreadyKnown, nil: break
    }
  }

  /// Fetches the objects that are not up to date.
  mutating func fetchOutdated() {
    for (object, followed) in notifying.objects where followed.mirror.needsFetch { fetch(object) }
  }

  private mutating func fetch(_ object: ServerObject) {
    guard let followed = notifying.objects[object], !followed.isFetching,
      followed.fetches < FollowedObject.mostFetches,
      askOwn(.notifications(.objectState(object)), .object(object))
    else { return }
    notifying.objects[object]?.isFetching = true
    notifying.objects[object]?.fetches += 1
  }

  /// Handles the outcome of fetching an object.
  mutating func settle(_ object: ServerObject, _ outcome: Outcome) {
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
      if [.unknownSession, .sessionEnded, .unknownObject].contains(error.code) {
        unfollow(.object(object))
      }
    case .answered, .reported, .explained, .listed, .failed: break
    }
  }
}

// Notices about notifications: what the server must be told, and when it is sent.

extension Client {
  /// Adds a notice to the outbox and sends it now or after the next connection.
  mutating func tell(_ notice: NotificationNotice) {
    if let lost = notifying.outbox.add(notice, at: now) { lose(lost, nil) }
    sendNotificationNotices()
  }

  /// Sends the next notice if no answer is pending.
  mutating func sendNotificationNotices() {
    guard link.isOnline, notifying.isAvailable else { return }
    for notice in notifying.outbox.expire(at: now) { lose(notice, nil) }
    guard let next = notifying.outbox.next else { return }
    let request: TrayRequest =
      switch next.notice {
      case .report(let id, let report): .report(id, report)
      case .wish(let wish): wish
      }
    guard askOwn(.notifications(request), .notificationNotice(next.sequence)) else { return }
    notifying.outbox.markSent(next.sequence)
  }

  /// Handles the outcome of sending a notice.
  mutating func settleNotice(_ sequence: Int, _ outcome: Outcome) {
    switch outcome {
    case .answered, .reported, .explained, .listed, .object:
      guard let notice = notifying.outbox.settle(sequence) else { break }
      conclude(notice)
      if case .wish(let wish) = notice { granted(wish) }
    case .failed(.timedOut), .failed(.forgotten): notifying.outbox.release(sequence)
    case .failed(.closed): return
    case .failed(let failure): refused(notifying.outbox.settle(sequence), failure)
    }
    sendNotificationNotices()
  }

  private mutating func refused(_ notice: NotificationNotice?, _ failure: Failure) {
    if case .refused(let error) = failure, error.code == .notificationsUnavailable {
      // Other queued notices would be refused too; the next connection may reach another server.
      notifying.isAvailable = false
      for lost in [notice].compactMap(\.self) + notifying.outbox.takeAll() { conclude(lost) }
      return
    }
    switch notice {
    case .report(_, .responded)?: lose(notice, failure)
    case .report(let id, .removed)?: bring(.heard(id))
    case .wish(.subscribe(let subscription))?: unfollow(subscription)
    case .wish(.register)?: (notifying.registration, notifying.granted) = (nil, nil)
    case .report?, .wish?, nil: break
    }
  }

  /// Lets the server's lists decide again about a notification whose response or removal the server
  /// knows of, or will never know of.
  private mutating func conclude(_ notice: NotificationNotice) {
    switch notice {
    case .report(let id, .responded), .report(let id, .removed): bring(.heard(id))
    case .report(_, .acknowledged), .wish: break
    }
  }

  /// Publishes a lost report; a lost wish is silent.
  mutating func lose(_ notice: NotificationNotice?, _ failure: Failure?) {
    guard let notice else { return }
    conclude(notice)
    guard case .report(let id, let report) = notice else { return }
    publish(.reportLost(id, report, failure))
  }

  // MARK: Requests of the app

  /// Records the app's registration and subscriptions, so that they survive reconnections and
  /// server restarts.
  mutating func note(_ request: TrayRequest) {
    switch request {
    case .register(let mode, _, _):
      notifying.registration = request
      bring(.register(mode))
    case .unregister: (notifying.registration, notifying.granted) = (nil, nil)
    case .subscribe(let subscription):
      guard !notifying.subscriptions.contains(subscription),
        notifying.subscriptions.count < Notifying.mostSubscriptions
      else { return }
      notifying.subscriptions.append(subscription)
    case .unsubscribe(let subscription): unfollow(subscription)
    case .wipe:
      (notifying.registration, notifying.granted) = (nil, nil)
      for subscription in notifying.subscriptions { unfollow(subscription) }
      notifying.outbox.removeAll()
      bring(.userChanged)
    case .publish, .push, .list, .report, .remove, .objectState: break
    }
  }

  /// Handles the success of a registration or subscription.
  mutating func granted(_ request: TrayRequest) {
    switch request {
    case .register: if notifying.registration != nil { notifying.granted = request }
    case .subscribe(.object(let object)): follow(object)
    default: break
    }
  }

  /// Handles the refusal of a request of the app by restoring what was recorded before it.
  ///
  /// A refusal for the time being changes nothing, as a time-out does not: the server may have what
  /// the app asked for earlier.
  mutating func refused(_ request: TrayRequest, _ failure: Failure) {
    if case .refused(let error) = failure,
      [.busy, .journalUnavailable, .rateLimited].contains(error.code)
    {
      return
    }
    switch request {
    case .register:
      if notifying.registration == request { notifying.registration = notifying.granted }
    case .subscribe(let subscription): unfollow(subscription)
    default: break
    }
  }

  /// Sends the registration and the subscriptions to a server that does not know this device.
  ///
  /// A person who goes wants neither any more.
  mutating func wishAnew() {
    notifying.outbox.removeAll { !$0.mayGo }
    notifying.granted = nil
    guard messaging.retires == nil else { return }
    for object in notifying.objects.keys { notifying.objects[object] = FollowedObject() }
    let wishes =
      [notifying.registration].compactMap(\.self)
      + notifying.subscriptions.map { TrayRequest.subscribe($0) }
    for wish in wishes { tell(.wish(wish)) }
  }
}

extension Client {
  /// A client's notifications: those on this device, the unsent notices, and the registration and
  /// subscriptions that outlive a connection.
  struct Notifying: Equatable, Sendable {
    /// The server's limit of subscriptions per person.
    static let mostSubscriptions = TrayPolicy().subscriptions

    var center: NotificationCenterState
    var outbox = Outbox<NotificationNotice>()
    /// The registration of this device; `nil` if it is not registered.
    var registration: TrayRequest?
    /// The registration that the server has accepted last; `nil` for none.
    var granted: TrayRequest?
    /// The app's subscriptions, in the order they were requested.
    var subscriptions: [Subscription] = []
    /// The followed objects among the subscriptions.
    var objects: [ServerObject: FollowedObject] = [:]
    /// The server's latest list, which answers the app's list requests.
    var listed: [ListedNotification] = []
    /// Whether the server supports notifications; `false` after it refused them.
    var isAvailable = true
    /// The server's clock at the last welcome.
    var serverClock: DeviceClock?

    init(_ settings: ClientSettings) {
      let start = HostTime(microseconds: 0)
      center = NotificationCenterState(
        settings.center, clock: DeviceClock(Instant(microseconds: 0), at: start))
    }
  }

  /// A followed server object, kept up to date by deltas.
  struct FollowedObject: Equatable, Sendable {
    /// The limit of consecutive fetches, for a server whose answers are older than its changes.
    static let mostFetches = 3

    var mirror = StateMirror()
    var isFetching = false
    /// Fetches since the object was last up to date.
    var fetches = 0
  }
}

/// A notice about notifications that the server must receive.
enum NotificationNotice: OutboxNotice {
  case report(NotificationID, NotificationReport)
  /// A registration or subscription for a server that does not know this device.
  case wish(TrayRequest)

  /// Enough for a full tray with every notification shown, opened and answered.
  static let limit = 256
  /// The server keeps no notification longer than this.
  static let longestWait = TrayPolicy().longestTimeToLive

  /// A registration or subscription is never dropped; only the app withdraws it.
  var mayGo: Bool { if case .wish = self { false } else { true } }
}
