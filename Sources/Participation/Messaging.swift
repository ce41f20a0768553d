import GroupSessions
package import InAppMessaging
import Playback
import Vocabulary
import Wire

/// A client's in-app messages: the presenter, and the notices that the server has yet to receive.
struct Messaging: Equatable, Sendable {
  var presenter: MessagePresenter
  var outbox = Outbox<MessagingNotice>()
  var due: DueMedia
  /// Identifies this run of the client; a new epoch means that the old stack is gone.
  let epoch: Int
  /// Whether the launch was logged, which happens once messages can be shown.
  private(set) var hasLaunched = false
  /// The visibility last sent to the server on this connection.
  private var toldVisible: Bool?
  /// Whether the server supports in-app messages; `false` after it refused them.
  var isAvailable = true

  init(_ settings: ClientSettings, seed: UInt64) {
    presenter = MessagePresenter(
      settings.presenter, user: settings.user, platform: settings.platform)
    due = DueMedia(loggedAs: settings.mediaEvent)
    var numbers = SplitMix64(seed: ~seed)
    // A JSON number is exact up to 2^53.
    epoch = Int(numbers.next() >> 11)
  }

  /// Whether a message would be visible to the person now.
  var isVisible: Bool { presenter.platform.isVisible && presenter.platform.hasDisplay }

  /// The server's messages on the stack.
  var waiting: [MessageID] {
    presenter.stackedMessages.filter { $0.campaign != nil }.map(\.id)
  }

  /// Whether the server was told the app's state on this connection.
  var hasToldState: Bool { toldVisible != nil }

  /// Whether the server must know the app's state first: its visibility, and the epoch of numbers.
  ///
  /// A client that shows nothing and logs nothing sends no state.
  func owesState(before notice: MessagingNotice?) -> Bool {
    guard toldVisible != isVisible else { return false }
    return isVisible || hasToldState || notice?.isNumbered == true
  }

  /// Notes that the server is told the app's state as it is now.
  mutating func noteState() { toldVisible = isVisible }
  mutating func loseConnection() { toldVisible = nil }

  /// Whether the launch is to be logged now; if it is, it counts as logged.
  mutating func launches() -> Bool {
    guard !hasLaunched, isVisible else { return false }
    hasLaunched = true
    return true
  }
}

// In-app messages: the client passes inputs to the presenter and carries out its outputs. It adds
// what it knows of the session and reports to the server.

extension Client {
  /// The in-app message presenter: the visible message and the stack.
  package var presenter: MessagePresenter { messaging.presenter }

  /// Passes an input to the presenter and carries out its outputs.
  mutating func show(_ input: MessagePresenter.Input) {
    let wasVisible = messaging.isVisible
    let (visible, stack) = (presenter.visibleMessage, presenter.stackedMessages)
    for output in messaging.presenter.handle(input, at: now) {
      carryOut(output, isDismissal: !input.endsPerson)
    }
    switch input {
    case .dataWiped:
      messaging.outbox.removeAll()
      tell(.wipe)
    case .platform: noteVisible(after: wasVisible)
    default: break
    }
    if visible != presenter.visibleMessage || stack != presenter.stackedMessages {
      publish(.messages(visible: presenter.visibleMessage, stack: presenter.stackedMessages))
    }
  }

  /// - Parameter isDismissal: Whether a closed message was dismissed by the person; `false` if the
  ///   person signed out or their data was wiped.
  private mutating func carryOut(_ output: MessagePresenter.Output, isDismissal: Bool) {
    switch output {
    case .report(let id, let report):
      tell(.report(report, of: id))
      if case .clicked = report { publish(.presenter(output)) }
    case .perform(let action, _):
      if !perform(action) { publish(.presenter(output)) }
    case .session(.leave, let id): leave(id, isDismissal: isDismissal)
    case .session:
      // Without a display no message hosts the session.
      if presenter.platform.hasDisplay { publish(.presenter(output)) }
    case .ask, .view, .statusBar, .hold, .tell, .answer, .lease, .warn:
      publish(.presenter(output))
    }
  }

  /// Performs a click action if the client can; returns whether it did, otherwise the app has to.
  private mutating func perform(_ action: InAppMessage.ClickAction) -> Bool {
    switch action {
    case .close: break
    case .logEvent(let name, let properties):
      tell(.event(.event(name: name, properties: properties)))
    case .setAttribute(let key, let value): tell(.attribute(key, value))
    case .session(.join):
      if let offer, !offer.isStaged { ask(.join(offer.session, handoffFrom: nil), Self.ownTag) }
    case .session(.decline):
      if let offer { ask(.decline(offer.session), Self.ownTag) }
    case .session(.leave): ask(.leave(nil), Self.ownTag)
    case .open, .deepLink, .requestPushPermission, .session(.startForAll), .sequence: return false
    }
    return true
  }

  /// Leaves or dismisses a session because the message that hosts it is gone.
  ///
  /// After a dismissal, the session's policy decides whether the others continue. After a sign-out
  /// or a data wipe, the others continue.
  private mutating func leave(_ id: SessionID, isDismissal: Bool) {
    guard seat?.id == id || offer?.session == id else { return }
    ask(isDismissal ? .dismiss(id) : .leave(id), Self.ownTag)
  }

  // MARK: Messages from the server

  mutating func hear(_ delivery: MessageDelivery) {
    let timeToLive = clock.map { delivery.expires - $0.instant(at: now) }
    show(.deliver(delivery.message, timeToLive: timeToLive, wasSeen: delivery.wasSeen))
  }

  // MARK: The session's media

  /// Passes the session's media to the presenter, and logs new media to the server.
  ///
  /// - Parameters:
  ///   - session: The session's new state.
  ///   - before: The previous state; `nil` if this device has just joined.
  mutating func noteMedia(of session: GroupSession, before: GroupSession?) {
    let media = SessionMedia(of: session)
    if before == nil {
      show(.session(.joined(session.id, media)))
    } else if let media, media != before.flatMap(SessionMedia.init) {
      show(.session(.media(session.id, media)))
    }
    enqueueMedia()
  }

  /// Takes what the session watches as due to be watched here, and logs it if that is new.
  private mutating func enqueueMedia() {
    guard let session, let me = participantID, let media = SessionMedia(of: session) else { return }
    messaging.due.enqueue(media, .session(session.id, me, revision: session.revision))
    logMedia()
  }

  /// Takes media as due to be watched here without a session; `nil` is no longer.
  mutating func enqueueAlone(_ media: SessionMedia?) {
    guard let media else { return messaging.due.forgetAlone() }
    messaging.due.enqueue(media, .alone)
    logMedia()
  }

  /// Logs what is due to be watched here, as soon as there is a display for the message it opens.
  private mutating func logMedia() {
    guard presenter.platform.hasDisplay, let event = messaging.due.takeEvent() else { return }
    tell(.event(event))
  }

  /// Forgets what a session watches, because the session is over for this device.
  mutating func forgetMedia(of session: SessionID) {
    messaging.due.forget(session)
    guard let name = messaging.due.name else { return }
    messaging.outbox.removeAll { $0.isMedia(of: session, as: name) }
  }

  /// Logs an event of the app, unless the client has logged the same media.
  mutating func log(_ event: AppEvent) {
    if let event = messaging.due.take(event) { tell(.event(event)) }
  }

  /// Logs a change of visibility: the app came to the foreground, left it, or got a display.
  private mutating func noteVisible(after wasVisible: Bool) {
    guard messaging.isVisible != wasVisible else { return }
    if messaging.isVisible, messaging.hasLaunched {
      tell(.event(.foreground))
    } else {
      launch()
      sendNotices()
    }
    logMedia()
  }

  /// Logs the launch once, as soon as a message can be visible.
  mutating func launch() {
    if messaging.launches() { tell(.event(.launch)) }
  }
}

extension MessagePresenter.Input {
  /// Whether the input ends everything because the person signed out or their data was wiped.
  fileprivate var endsPerson: Bool {
    switch self {
    case .userChanged, .dataWiped: true
    default: false
    }
  }
}

/// A notice that the server must receive.
enum MessagingNotice: OutboxNotice {
  case event(AppEvent)
  case report(MessageReport, of: MessageID)
  /// An attribute of the person; `nil` removes it.
  case attribute(String, PropertyValue?)
  /// Everything known of the person is to be deleted.
  case wipe

  /// Enough for a busy app that is offline for a week.
  static let limit = 1_000
  /// Campaigns have no use for older notices; Firebase keeps its log for the same time.
  static let longestWait = Duration.seconds(14 * 86_400)

  /// A wipe is never dropped.
  var mayGo: Bool { self != .wipe }

  /// Whether it has a sequence number, which starts again with each epoch.
  var isNumbered: Bool {
    switch self {
    case .event, .report: true
    case .attribute, .wipe: false
    }
  }

  /// Whether it logs that a session's media is due to be watched here.
  func isMedia(of session: SessionID, as name: String) -> Bool {
    guard case .event(.event(name, let properties)) = self else { return false }
    return properties[AppEvent.sessionKey] == .string(session.text)
  }
}
