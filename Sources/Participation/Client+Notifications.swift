import GroupSessions
package import UserNotifications
import Vocabulary
import Wire

// Notifications: the client passes inputs to the notification center and carries out its outputs.
// It reports to the server.

extension Client {
  /// The notifications on this device, the pending handlers, and the locally scheduled
  /// notifications.
  package var center: NotificationCenterState { notifying.center }

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
    seat = Seat(
      confirmed: session, isUnannounced: offer?.session != session,
      until: now + settings.joinTimeout)
    membership.takeOffer(of: session)
  }
}

// Notices about notifications: what the server must be told, and when it is sent.

extension Client {
  /// Adds a notice to the outbox and sends it now or after the next connection.
  mutating func tell(_ notice: NotificationNotice) {
    guard link.stage != .closed else { return lose(notice, .closed) }
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
    case .wish(.subscribe(let subscription))?: endSubscription(subscription)
    case .wish(.register)?: notifying.wishes.unregister()
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
      notifying.wishes.register(request)
      bring(.register(mode))
    case .unregister: notifying.wishes.unregister()
    case .subscribe(let subscription): notifying.wishes.subscribe(subscription)
    case .unsubscribe(let subscription): endSubscription(subscription)
    case .wipe:
      notifying.wishes.unregister()
      for subscription in notifying.wishes.subscriptions { endSubscription(subscription) }
      notifying.outbox.removeAll()
      bring(.userChanged)
    case .publish, .push, .list, .report, .remove, .objectState: break
    }
  }

  /// Handles the success of a registration or subscription.
  mutating func granted(_ request: TrayRequest) {
    switch request {
    case .register: notifying.wishes.grant(request)
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
    case .register: notifying.wishes.refuse(request)
    case .subscribe(let subscription): endSubscription(subscription)
    default: break
    }
  }

  /// Sends the registration and the subscriptions to a server that does not know this device.
  ///
  /// A person who goes wants neither any more.
  mutating func wishAnew() {
    notifying.outbox.removeAll { !$0.mayGo }
    notifying.wishes.forgetGranted()
    guard retires == nil else { return }
    notifying.objects.beginAnew()
    for wish in notifying.wishes.all { tell(.wish(wish)) }
  }
}

/// A client's notifications: those on this device, the unsent notices, and what the app wants to
/// receive.
struct Notifying: Equatable, Sendable {
  var center: NotificationCenterState
  var outbox = Outbox<NotificationNotice>()
  var wishes = NotificationWishes()
  /// The followed objects among the subscriptions.
  var objects = FollowedObjects()
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

/// The registration and the subscriptions of this device, which outlive a connection and a server.
struct NotificationWishes: Equatable, Sendable {
  /// The server's limit of subscriptions per person.
  private static let mostSubscriptions = TrayPolicy().subscriptions

  /// The registration of this device; `nil` if it is not registered.
  private var registration: TrayRequest?
  /// The registration that the server has accepted last; `nil` for none.
  private var granted: TrayRequest?
  /// The app's subscriptions, in the order they were requested.
  private(set) var subscriptions: [Subscription] = []

  var isRegistered: Bool { registration != nil }

  /// All that a server that does not know this device has to be told, in order.
  var all: [TrayRequest] {
    [registration].compactMap(\.self) + subscriptions.map { .subscribe($0) }
  }

  mutating func register(_ request: TrayRequest) { registration = request }
  mutating func unregister() { (registration, granted) = (nil, nil) }

  mutating func subscribe(_ subscription: Subscription) {
    guard !subscriptions.contains(subscription), subscriptions.count < Self.mostSubscriptions
    else { return }
    subscriptions.append(subscription)
  }

  mutating func unsubscribe(_ subscription: Subscription) {
    subscriptions.removeAll { $0 == subscription }
  }

  /// Notes that the server has accepted a registration.
  mutating func grant(_ request: TrayRequest) { if isRegistered { granted = request } }

  /// Restores the last accepted registration, because the server has refused this one.
  mutating func refuse(_ request: TrayRequest) {
    if registration == request { registration = granted }
  }

  /// Notes that the server knows no registration of this device.
  mutating func forgetGranted() { granted = nil }
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
