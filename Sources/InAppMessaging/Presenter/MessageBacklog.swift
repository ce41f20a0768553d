import Vocabulary

/// The deliveries on this device that are not on screen, those that ended, and their sessions.
struct MessageBacklog: Equatable, Sendable {
  var around: PresenterSurroundings
  var gate: MessageGate
  var waiting = WaitingMessages()
  private(set) var session = CurrentSession()
  /// Whether the stack is to give up its next message when it can.
  private(set) var isDrainDue = false
  /// Deliveries that ended, in order.
  private var ended: [MessageID] = []

  init(_ settings: PresenterSettings, _ user: UserID?, _ platform: PlatformState) {
    around = PresenterSurroundings(settings, platform)
    gate = MessageGate(user: user)
  }

  /// Whether a delivery is known to have ended.
  func hasEnded(_ id: MessageID) -> Bool { ended.contains(id) }

  // MARK: The app is asked

  func verdict(
    on delivery: OfferedMessage, in situation: MessageGate.Situation
  ) -> MessageGate.Verdict {
    gate.verdict(
      on: delivery, session, in: situation,
      asksEnough: waiting.offerCount >= around.settings.questionLimit, around)
  }

  /// Lets a message through the gate, or not.
  ///
  /// - Returns: whether it may come now; else it waits, or has ended.
  private mutating func admit(
    _ delivery: OfferedMessage, in situation: MessageGate.Situation
  ) -> Bool {
    switch verdict(on: delivery, in: situation) {
    case .open: return true
    case .refused(let refusal): finish(delivery, .refused(refusal))
    case .waits(let place): wait(delivery, place)
    }
    return false
  }

  /// Tests a message at the gate, and if it passes asks the app.
  ///
  /// - Returns: the message if it gets the screen unasked.
  mutating func offer(
    _ offered: OfferedMessage, in situation: MessageGate.Situation
  ) -> (OfferedMessage, PresentationToken)? {
    guard admit(offered, in: situation) else { return nil }
    var delivery = offered
    if let media = session.media(of: delivery.message) {
      if let own = VideoView(delivery.message)?.url, own != media.url {
        around.warn(.otherMedia(own), delivery.id)
      }
      delivery.message.show(media)
    }
    if let refusal = around.refusal(of: delivery.message) {
      finish(delivery, .refused(refusal))
      return nil
    }
    let token = around.nextToken()
    delivery.go(to: .offered)
    // A player that was on screen before the connection was cut is on screen again, unasked.
    if delivery.wasSeen, delivery.message.isPlayer { return (delivery, token) }
    waiting.offer(delivery, token, until: around.now + around.settings.patience.choice)
    around.emit(.ask(.displayChoice(delivery.message, delivery.origin), token))
    return nil
  }

  /// The app's choice, or that it made none in time.
  ///
  /// - Returns: the message if it gets the screen.
  mutating func hear(
    _ choice: DisplayChoice, _ token: PresentationToken, in situation: MessageGate.Situation
  ) -> OfferedMessage? {
    guard let delivery = waiting.takeOffer(token) else { return nil }
    switch choice {
    case .reenqueue: wait(delivery, .stack)
    case .discard:
      for delivery in waiting.takeFromStack(where: { $0.isSame(as: delivery) }) + [delivery] {
        finish(delivery, .refused(.choice))
      }
    // The message is tested again, because much may have changed while the app decided.
    case .now: if admit(delivery, in: situation) { return delivery }
    }
    return nil
  }

  // MARK: Waiting and ending

  /// Lets a message wait; its time to live stands still, except before there is a display.
  mutating func wait(_ offered: OfferedMessage, _ place: WaitingMessages.Place) {
    var delivery = offered
    let place = place == .held && delivery.origin == .stack ? .stack : place
    delivery.wait(keepsExpiry: place == .held, &around)
    for (older, refusal) in waiting.put(delivery, place, around.settings) {
      // It only waited, so nothing is free for the stack's next message.
      conclude(older, .refused(refusal))
    }
  }

  /// Ends a delivery, and tells the server, the delegate and the caller that asked for it.
  mutating func finish(_ offered: OfferedMessage, _ outcome: InAppMessage.Outcome) {
    conclude(offered, outcome)
    freePlace()
  }

  private mutating func conclude(_ offered: OfferedMessage, _ outcome: InAppMessage.Outcome) {
    var delivery = offered
    delivery.finish(outcome, &around)
    if delivery.message.campaign != nil {
      ended.append(delivery.id)
      if ended.count > around.settings.memory { ended.removeFirst() }
    }
  }

  /// Ends those that wait and match.
  mutating func finish(
    _ matches: (OfferedMessage) -> Bool, _ refusal: InAppMessage.Refusal
  ) {
    for delivery in waiting.take(where: matches) { finish(delivery, .refused(refusal)) }
  }

  /// Ends all waiting messages when the user, the data or the page is gone.
  mutating func end(
    _ all: [OfferedMessage], _ refusal: InAppMessage.Refusal, leavesSessions: Bool
  ) {
    for delivery in all {
      finish(delivery, .refused(refusal))
      if leavesSessions, let session = delivery.message.session { leave(session) }
    }
    isDrainDue = false
  }

  // MARK: The stack's next message

  /// Something ended or got out of the way.
  mutating func freePlace() {
    if around.settings.drainPolicy == .onSlotFree { isDrainDue = true }
  }

  /// The app came in sight.
  mutating func comeInSight() {
    if around.settings.drainPolicy == .onForeground { isDrainDue = true }
  }

  /// Takes the stack's next message, as was due.
  mutating func drain() -> OfferedMessage? {
    isDrainDue = false
    return waiting.popStack()
  }

  /// Takes the first session's player that may come now.
  mutating func takePlayer(in situation: MessageGate.Situation) -> OfferedMessage? {
    takeDeferred(in: situation) { $0.message.isPlayer }
  }

  /// Takes the first session's message that may come now, and matches.
  mutating func takeDeferred(
    in situation: MessageGate.Situation, where matches: (OfferedMessage) -> Bool = { _ in true }
  ) -> OfferedMessage? {
    let before = self
    return waiting.takeDeferred {
      matches($0) && before.verdict(on: $0, in: situation) == .open
    }
  }

  /// Ends a drain of an empty stack: messages that are stacked later wait for one of their own.
  mutating func endIdleDrain() { if waiting.top == nil { isDrainDue = false } }

  // MARK: Sessions

  mutating func join(_ id: SessionID, _ media: SessionMedia?) { session.join(id, media) }

  /// - Returns: whether it is the current session.
  mutating func watch(_ media: SessionMedia, in id: SessionID) -> Bool {
    session.watch(media, in: id)
  }

  /// This device leaves a session, unless it has left it or the session is over.
  mutating func leave(_ id: SessionID) {
    guard !session.isOver(id) else { return }
    around.emit(.session(.leave, id))
    forget(id)
  }

  /// A session is over for this device, and its waiting messages end.
  mutating func forget(_ id: SessionID) {
    session.end(id, memory: around.settings.memory)
    around.emit(.session(.clearSession, id))
    around.emit(.session(.clearItem, id))
    finish({ $0.message.session == id }, .sessionEnded)
  }

  /// Takes a click's action, as far as it may be taken.
  mutating func perform(_ action: InAppMessage.ClickAction, in message: InAppMessage) {
    switch action {
    case .close: break
    case .session(.leave) where message.session != nil:
      if let session = message.session { leave(session) }
    case .open(let url, _) where !LinkGuard.allows(page: url):
      around.warn(.refusedLink(url), message.id)
    case .deepLink(let link) where !LinkGuard.allows(deepLink: link):
      around.warn(.refusedLink(link), message.id)
    default: around.emit(.perform(action, message))
    }
  }
}
