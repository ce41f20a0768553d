package import Vocabulary

/// A client's whole life of in-app messages as one value: inputs go in, outputs come out.
///
/// It has no clock, no view and no task. Whoever drives it, an app's library, a terminal or a page,
/// carries out the outputs of each input in their order, feeds what comes of them back in, and
/// wakes it at ``nextDeadline``:
///
/// ```
/// outputs = presenter.handle(input, at: now)
/// for output in outputs { carry out }       // answers and view events are further inputs
/// timer.arm(presenter.nextDeadline)         // then .clockAdvanced
/// ```
///
/// What it promises: every delivery ends in exactly one `finished`, counts at most once, and has a
/// `didDismiss` for each `willPresent`; at most one is on screen; and nothing keeps the screen
/// without a deadline, except a message that people look at.
package struct MessagePresenter: Equatable, Sendable {
  package var settings: PresenterSettings
  /// Who uses the app.
  package internal(set) var user: UserID?
  package internal(set) var platform: PlatformState
  package internal(set) var suppression = Suppression.none
  /// Which of the app's own pop-ups has the screen.
  package internal(set) var lease: LeaseTag?
  /// Messages the app is asked about; the screen is free for whichever is answered first.
  var offers: [Offer] = []
  /// What has the screen.
  var slot: Presentation?
  /// Its last is its top.
  var stack: [OfferedMessage] = []
  /// What a click brought, to be shown after the message that was clicked.
  var followUp: OfferedMessage?
  /// Players for whose sessions the screen was not free, one each.
  var deferred: [OfferedMessage] = []
  /// What came before there was a display.
  var held: [OfferedMessage] = []
  /// Whether the stack is to give up its next message when it can.
  var isDrainDue = false
  var session = CurrentSession()
  /// Deliveries that ended, in order.
  var ended: [MessageID] = []
  var lastToken = 0
  var lastClick = 0
  var now = HostTime(microseconds: 0)
  var outputs: [Output] = []

  /// A presenter with nothing to show.
  package init(
    _ settings: PresenterSettings = PresenterSettings(), user: UserID? = nil,
    platform: PlatformState = PlatformState()
  ) {
    self.settings = settings
    self.user = user
    self.platform = platform
  }

  /// A message the app is asked about.
  struct Offer: Equatable, Sendable {
    let token: PresentationToken
    var delivery: OfferedMessage
    let due: HostTime
  }

  /// Takes one input in and says what is to be done, in order.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - time: when; an earlier one than before counts as the one before.
  package mutating func handle(_ input: Input, at time: HostTime) -> [Output] {
    now = max(now, time)
    defer { outputs = [] }
    switch input {
    case .deliver(let message, let timeToLive, let wasSeen):
      deliver(message, timeToLive ?? settings.timeToLive, wasSeen: wasSeen)
    case .present(let message): present(message)
    case .revoke(let ids, let force): revoke(Set(ids), force: force)
    case .presentNext(let tag): presentNext(tag)
    case .userChanged(let user):
      guard user != self.user else { break }
      self.user = user
      endEverything(.userChanged, .userMismatch)
    case .dataWiped: endEverything(.dataWiped, .userMismatch)
    case .pageClosed: endEverything(.pageClosed, .noClient)
    case .chose(let choice, let token): hear(choice, token)
    case .assets(let report, let token): hear(report, token)
    case .prepared(let context, let token): hear(context, token)
    case .decided(let process, let click, let token): decide(process, click, token)
    case .view(let event, let token): hear(event, token)
    case .reported(let report, let token): hear(report, token)
    case .dismiss(let leavesSession): dismiss(leavesSession: leavesSession)
    case .suppress(let suppression): suppress(suppression)
    case .acquireLease(let tag): acquire(tag)
    case .releaseLease(let tag): release(tag)
    case .platform(let platform): hear(platform)
    case .session(let change): hear(change)
    case .clockAdvanced: advanceClock()
    }
    fillScreen()
    return outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package var nextDeadline: HostTime? { nextDue?.time }
}

// MARK: What an app may ask at any time

extension MessagePresenter {
  /// The message on screen, as it is shown; also while it comes and goes.
  package var visibleMessage: InAppMessage? {
    guard let slot, slot.shown != nil else { return nil }
    return slot.message
  }

  /// Whether a message is on screen, or on its way there.
  package var isScreenTaken: Bool { slot != nil }

  /// The messages on the stack, the next one first; the one on screen is not among them.
  package var stackedMessages: [InAppMessage] { stack.reversed().map(\.message) }

  /// The token of what is on screen, or on its way there.
  package var currentToken: PresentationToken? { slot?.token }
}

extension MessagePresenter {
  mutating func emit(_ output: Output) { outputs.append(output) }

  /// Tells the server of a delivery; an app's own messages are nothing to it.
  mutating func report(_ report: MessageReport, of message: InAppMessage) {
    if message.campaign != nil { emit(.report(message.id, report)) }
  }

  /// Ends a delivery: the server, the delegate and who asked for it hear of it.
  mutating func finish(_ delivery: OfferedMessage, _ outcome: InAppMessage.Outcome) {
    var delivery = delivery
    delivery.go(to: .finished)
    var outcome = outcome
    var result = PresentNextResult.presented(delivery.id)
    if case .refused(let refusal) = outcome {
      result = .refused(refusal)
      // It was on screen, and nobody wants it again.
      if delivery.wasShown { outcome = .presented(dismissedBy: .textInput) }
    }
    switch outcome {
    case .presented(let reason): report(.dismissed(reason), of: delivery.message)
    case .control: report(.dismissed(.automatic), of: delivery.message)
    case .refused(let refusal): report(.refused(refusal), of: delivery.message)
    }
    emit(.tell(.finished(delivery.id, outcome)))
    if let request = delivery.request { emit(.answer(request, result)) }
    if delivery.message.campaign != nil {
      ended.append(delivery.id)
      if ended.count > settings.memory { ended.removeFirst() }
    }
    freePlace()
  }

  /// Something ended or got out of the way: with that drain policy the stack's next may come.
  mutating func freePlace() {
    if settings.drainPolicy == .onSlotFree { isDrainDue = true }
  }
}
