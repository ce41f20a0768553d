import GroupSessions
package import InAppMessaging
import Playback
import Vocabulary
import Wire

extension Client {
  /// A client's side of in-app messages: what is shown, and what the server still has to hear.
  struct Messaging: Equatable, Sendable {
    var presenter: MessagePresenter
    var outbox = Outbox<MessagingNotice>()
    /// The client's run: another one means that nothing waits on its stack any more.
    let epoch: Int
    /// What of a session's media was logged last: the same is told once, whatever connections do.
    var enqueued: EnqueuedMedia?
    /// The sessions that deliveries under way belong to.
    var hosted: [MessageID: SessionID] = [:]
    /// Whether the launch was logged; it is once there is something to show messages on.
    var hasLaunched = false
    /// What the server was last told, on this connection, of whether the person sees the app.
    var toldVisible: Bool?
    /// Until when a client whose person went still says what they did; `nil` while they are here.
    var retires: HostTime?
    /// Whether the server sends messages at all, as far as it said.
    var isAvailable = true

    init(_ settings: ClientSettings, seed: UInt64) {
      presenter = MessagePresenter(
        settings.presenter, user: settings.user, platform: settings.platform)
      var numbers = SplitMix64(seed: ~seed)
      // A number of JSON is exact up to 2^53.
      epoch = Int(numbers.next() >> 11)
    }

    /// Whether the person would see a message here now.
    var isVisible: Bool { presenter.platform.isVisible && presenter.platform.hasDisplay }

    /// What waits here of the server's messages.
    var waiting: [MessageID] {
      presenter.stackedMessages.filter { $0.campaign != nil }.map(\.id)
    }
  }

  /// What was enqueued here: a stay in a session, and the revision of what it watches.
  struct EnqueuedMedia: Equatable, Sendable {
    let participant: ParticipantID
    let revision: Int
  }
}

// In-app messages: the presenter's inputs and outputs pass through the client, which adds what it
// knows of the session, and says to the server what there is to say.

extension Client {
  /// What is shown of in-app messages, and what waits.
  package var presenter: MessagePresenter { messaging.presenter }

  /// Brings something before the presenter, and does what it wants.
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

  /// - Parameter isDismissal: the person dismisses a message, if it goes; else it is they who go.
  private mutating func carryOut(_ output: MessagePresenter.Output, isDismissal: Bool) {
    switch output {
    case .report(let id, let report):
      tell(.report(report, of: id))
      if case .clicked = report { publish(.presenter(output)) }
    case .perform(let action, _):
      if !perform(action) { publish(.presenter(output)) }
    case .session(.leave, let id): leave(id, isDismissal: isDismissal)
    case .session:
      // Without messages it is not they who host the watching.
      if presenter.platform.hasDisplay { publish(.presenter(output)) }
    case .tell(.finished(let id, let outcome)):
      publish(.presenter(output))
      noteEnd(of: id, outcome)
    case .ask, .view, .statusBar, .hold, .tell, .answer, .lease, .warn:
      publish(.presenter(output))
    }
  }

  /// Does what a click means, if a client can; else the app has to.
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

  /// The message that hosts a session is gone: one word to the server, and it is over here.
  ///
  /// Where that was a wish, the session's policy decides for the others; where the person is another
  /// one, or wants to be forgotten, they go on.
  private mutating func leave(_ id: SessionID, isDismissal: Bool) {
    guard seat?.id == id || offer?.session == id else { return }
    ask(isDismissal ? .dismiss(id) : .leave(id), Self.ownTag)
  }

  /// Whoever cannot be shown a session's video takes no part in watching it.
  private mutating func noteEnd(of id: MessageID, _ outcome: InAppMessage.Outcome) {
    guard let session = messaging.hosted.removeValue(forKey: id), seat?.id == session else {
      return
    }
    switch outcome {
    case .refused(.invalidContent), .refused(.assets): ask(.leave(session), Self.ownTag)
    case .presented, .control, .refused: break
    }
  }

  // MARK: What the server sends

  mutating func hear(_ delivery: MessageDelivery) {
    // A repeat is not shown, and never ends.
    if messaging.hosted.count < presenter.settings.memory {
      messaging.hosted[delivery.message.id] = delivery.message.session
    }
    let timeToLive = clock.map { delivery.expires - $0.instant(at: now) }
    show(.deliver(delivery.message, timeToLive: timeToLive, wasSeen: delivery.wasSeen))
  }

  // MARK: What is watched

  /// Tells the presenter what a session that goes on here watches, and the server that it is to be
  /// watched here where that is new.
  ///
  /// - Parameters:
  ///   - session: as it is now.
  ///   - before: as it was; `nil` if this device has only just joined.
  mutating func noteMedia(of session: GroupSession, before: GroupSession?) {
    let media = SessionMedia(of: session)
    if before == nil {
      show(.session(.joined(session.id, media)))
    } else if let media, media != before.flatMap(SessionMedia.init) {
      show(.session(.media(session.id, media)))
    }
    logMedia()
  }

  /// Logs once that a session's media is to be watched here: a stay and a revision are one event,
  /// whatever becomes of connections.
  private mutating func logMedia() {
    guard let name = settings.mediaEvent, presenter.platform.hasDisplay, let session,
      let me = participantID, let media = SessionMedia(of: session)
    else { return }
    let enqueued = EnqueuedMedia(participant: me, revision: session.revision)
    guard enqueued != messaging.enqueued else { return }
    messaging.enqueued = enqueued
    tell(.event(.enqueued(media, as: name, in: session.id)))
  }

  /// Logs that media is to be watched here alone.
  mutating func logMediaAlone(_ media: SessionMedia) {
    guard let name = settings.mediaEvent, presenter.platform.hasDisplay else { return }
    tell(.event(.enqueued(media, as: name, in: nil)))
  }

  /// The app came in sight or went out of it, or got something to show messages on.
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

  /// Logs the launch, once, as soon as a message could be seen.
  mutating func launch() {
    guard !messaging.hasLaunched, messaging.isVisible else { return }
    messaging.hasLaunched = true
    tell(.event(.launch))
  }
}

extension MessagePresenter.Input {
  /// Whether everything ends because the person, or what is known of them, is no longer there.
  fileprivate var endsPerson: Bool {
    switch self {
    case .userChanged, .dataWiped: true
    default: false
    }
  }
}

extension SessionMedia {
  /// What a session watches; without a title of its own it has the activity's.
  init?(of session: GroupSession) {
    guard let media = session.activity.media else { return nil }
    self.init(url: media.url, title: media.title ?? session.activity.metadata.title)
  }
}

extension AppEvent {
  /// Media is to be watched here.
  ///
  /// - Parameters:
  ///   - media: what.
  ///   - name: the event's name, which campaigns are triggered by.
  ///   - session: the session; `nil` alone.
  static func enqueued(_ media: SessionMedia, as name: String, in session: SessionID?) -> AppEvent {
    var properties: [String: PropertyValue] = ["url": .string(media.url)]
    properties["title"] = media.title.map { .string($0) }
    properties["session"] = session.map { .string($0.text) }
    return .event(name: name, properties: properties)
  }
}

/// Something the server has to hear.
enum MessagingNotice: OutboxNotice {
  case event(AppEvent)
  case report(MessageReport, of: MessageID)
  /// Something is known of the person now; `nil` is no longer.
  case attribute(String, PropertyValue?)
  /// Everything known of the person is to be forgotten.
  case wipe

  /// A week of a busy app without a connection.
  static let limit = 1_000
  /// What is older is of no use to a campaign; Firebase keeps its log as long.
  static let longestWait = Duration.seconds(14 * 86_400)

  /// That somebody is to be forgotten is said however long it takes.
  var mayGo: Bool { self != .wipe }
}
