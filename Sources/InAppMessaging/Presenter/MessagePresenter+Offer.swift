import Vocabulary

// From a message that comes to one that has the screen.
extension MessagePresenter {
  /// What stands in a message's way.
  enum Gate: Equatable {
    case open
    case refused(InAppMessage.Refusal)
    case waits(Place)
  }

  /// Where a message waits.
  enum Place: Equatable {
    case stack
    case followUp
    case deferral
    case held
  }

  mutating func deliver(_ message: InAppMessage, _ timeToLive: Duration, wasSeen: Bool) {
    guard !ended.contains(message.id), !isUnderWay(message.id) else { return }
    offer(OfferedMessage(message, origin: .trigger, expires: now + timeToLive, wasSeen: wasSeen))
  }

  mutating func present(_ message: InAppMessage) {
    // On the stack it may come again and goes to the top.
    stack.removeAll { $0.id == message.id }
    guard !isUnderWay(message.id), !ended.contains(message.id) else { return }
    offer(OfferedMessage(message, origin: .local))
  }

  private func isUnderWay(_ id: MessageID) -> Bool {
    slot?.delivery.id == id || followUp?.id == id || offers.contains { $0.delivery.id == id }
      || [stack, deferred, held].contains { $0.contains { $0.id == id } }
  }

  /// Tests a message in the order of the rules; the first that bites decides.
  ///
  /// - Parameter hasScreen: it has the screen already, and is tested again after waiting for
  ///   something.
  func gate(_ delivery: OfferedMessage, hasScreen: Bool = false) -> Gate {
    let message = delivery.message
    if let campaign = message.campaign, campaign.user != user { return .refused(.userMismatch) }
    if let expires = delivery.expires, expires < now {
      return .refused(.expired)
    }
    if let bound = message.session, session.isOver(bound) { return .refused(.sessionEnded) }
    let place = message.session == nil ? Place.stack : .deferral
    switch suppression {
    case .none: break
    case .discard: return .refused(.suppressed)
    case .queue: return .waits(place)
    }
    guard platform.hasDisplay else { return .waits(.held) }
    guard !message.isControl else { return .open }
    if !hasScreen, slot != nil || lease != nil {
      let isAfterClick = slot?.click != nil && [.trigger, .local].contains(delivery.origin)
      return .waits(place == .stack && isAfterClick ? .followUp : place)
    }
    if isQuiet(for: message) { return .waits(place) }
    if !hasScreen, offers.count >= settings.questionLimit { return .waits(place) }
    return .open
  }

  /// Whether the person is not to be disturbed: by anything on that screen, by what would take the
  /// keyboard while writing.
  private func isQuiet(for message: InAppMessage) -> Bool {
    if let screen = platform.screen, settings.quietScreens.contains(screen) { return true }
    guard platform.isTextInputFocused else { return false }
    if case .html = message.body { return false }
    return true
  }

  /// Brings a message before the gate, and if that is open before the app.
  mutating func offer(_ delivery: OfferedMessage) {
    guard !isTakenIn(delivery) else { return }
    switch gate(delivery) {
    case .refused(let refusal): return finish(delivery, .refused(refusal))
    case .waits(let place): return wait(delivery, place)
    case .open: break
    }
    var delivery = delivery
    if let media = media(for: delivery.message) {
      if let own = VideoView(delivery.message)?.url, own != media.url {
        emit(.warn(.otherMedia(own), delivery.id))
      }
      delivery.message.show(media)
    }
    let context = PresentationContext(message: delivery.message)
    let view = settings.registry.choose(for: context).view ?? ViewRegistry.defaultView
    if let fault = fault(of: delivery.message, in: view) {
      emit(.warn(.invalidContent(fault), delivery.id))
      return finish(delivery, .refused(.invalidContent))
    }
    if platform.hasPushPermission, asksForPush(delivery.message, in: view) {
      return finish(delivery, .refused(.audience))
    }
    ask(about: delivery)
  }

  private mutating func ask(about delivery: OfferedMessage) {
    var delivery = delivery
    lastToken += 1
    let token = PresentationToken(number: lastToken)
    delivery.go(to: .offered)
    // A player that was on screen before the connection was cut is on screen again, unasked.
    guard !(delivery.wasSeen && delivery.message.session != nil) else {
      return begin(delivery, token)
    }
    offers.append(Offer(token: token, delivery: delivery, due: now + settings.patience.choice))
    emit(.ask(.displayChoice(delivery.message, delivery.origin), token))
  }

  /// The app's choice, or that it made none in time.
  mutating func hear(_ choice: DisplayChoice, _ token: PresentationToken) {
    guard let index = offers.firstIndex(where: { $0.token == token }) else { return }
    let delivery = offers.remove(at: index).delivery
    switch choice {
    case .reenqueue: wait(delivery, .stack)
    case .discard:
      let equal = stack.filter { $0.isSame(as: delivery) }
      stack.removeAll { $0.isSame(as: delivery) }
      for delivery in equal + [delivery] { finish(delivery, .refused(.choice)) }
    case .now:
      // While the app thought, much may have come to pass.
      switch gate(delivery) {
      case .refused(let refusal): finish(delivery, .refused(refusal))
      case .waits(let place): wait(delivery, place)
      case .open: begin(delivery, token)
      }
    }
  }
}
