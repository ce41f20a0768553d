import Vocabulary

// A click: seen, logged, asked about, done; and then the message goes.
extension MessagePresenter {
  mutating func hear(_ click: Click) {
    guard let slot, slot.delivery.stage == .presented, slot.click == nil else { return }
    let message = slot.message
    let isPage = if case .html = message.body { true } else { false }
    // A page and a custom view have things to click that the message does not know.
    let own =
      isPage || slot.shown?.view != ViewRegistry.defaultView ? click.action : nil
    if let id = click.button {
      let button = message.button(id)
      guard button != nil || own != nil || isPage else {
        return emit(.warn(.unknownButton(id), message.id))
      }
      take(click, own ?? button?.clickAction ?? .close, isPage: isPage)
    } else {
      guard !click.isOnControl || own != nil else { return }
      let isLive = isPage || message.surface.isEdge || message.buttons.isEmpty || own != nil
      let action = own ?? message.clickAction
      guard isLive, isPage || message.surface.isEdge || action != nil else { return }
      take(click, action ?? .close, isPage: isPage)
    }
  }

  /// An app that draws messages itself says that one was clicked, and is gone.
  mutating func hearReportedClick(_ button: String?) {
    guard let slot, slot.click == nil else { return }
    let known = button.flatMap { slot.message.button($0) }
    if let button, known == nil { emit(.warn(.unknownButton(button), slot.message.id)) }
    let action = button == nil ? slot.message.clickAction : known?.clickAction
    take(Click(button), action ?? .close, isPage: false)
  }

  private mutating func take(_ click: Click, _ action: InAppMessage.ClickAction, isPage: Bool) {
    guard let slot else { return }
    // Going elsewhere in the app always closes the message over it.
    let isTransient = isPage && click.isTransient && !action.leaves.contains { $0.isDeepLink }
    guard !isTransient || slot.transientClicks.count < settings.questionLimit else {
      return emit(.warn(.tooManyClicks, slot.message.id))
    }
    countImpression()
    report(.clicked(button: click.button), of: slot.message)
    lastClick += 1
    let pending = Presentation.PendingClick(
      number: lastClick, button: click.button, action: action,
      due: now + settings.patience.processing)
    if isTransient {
      self.slot?.transientClicks.append(pending)
    } else {
      self.slot?.click = pending
    }
    let button = click.button.flatMap { slot.message.button($0) }
    emit(
      .ask(
        .shouldProcess(
          action, button, buttonID: click.button, slot.message, click: pending.number),
        slot.token))
  }

  /// The app's word on a click's action, or that it had none in time.
  mutating func decide(_ process: Bool, _ number: Int, _ token: PresentationToken) {
    guard let slot, slot.token == token, slot.delivery.stage == .presented else { return }
    if let index = slot.transientClicks.firstIndex(where: { $0.number == number }) {
      self.slot?.transientClicks.remove(at: index)
      if process { perform(slot.transientClicks[index].action, in: slot.message) }
    } else if let click = slot.click, click.number == number {
      self.slot?.click?.due = nil
      if process { perform(click.action, in: slot.message) }
      let isForSession = click.action.leaves.contains {
        $0 == .session(.join) || $0 == .session(.startForAll)
      }
      if isForSession { self.slot?.keepsSession = true }
      beginDismissal(.action(button: click.button))
    }
  }

  private mutating func perform(_ action: InAppMessage.ClickAction, in message: InAppMessage) {
    for action in action.leaves {
      switch action {
      case .close: break
      case .session(.leave) where message.session != nil:
        if let session = message.session { leave(session) }
      case .open(let url, _) where !LinkGuard.allows(page: url):
        emit(.warn(.refusedLink(url), message.id))
      case .deepLink(let link) where !LinkGuard.allows(deepLink: link):
        emit(.warn(.refusedLink(link), message.id))
      default: emit(.perform(action, message))
      }
    }
  }

  /// How a person closes a message; only as its author allows, and Escape always.
  mutating func hear(_ gesture: CloseGesture) {
    guard let slot else { return }
    let closing = slot.message.closing
    let isPage = if case .html = slot.message.body { true } else { false }
    switch gesture {
    case .button where closing.byButton || isPage: requestDismissal(.closeButton)
    case .tapOutside where closing.byTapOutside: requestDismissal(.tapOutside)
    case .escape: requestDismissal(.escape)
    case .swipe(let isFromControl) where closing.bySwipe && !isFromControl:
      requestDismissal(.swipe)
    case .button, .tapOutside, .swipe: break
    }
  }
}

extension InAppMessage.ClickAction {
  /// The actions of a sequence, in order; one that is none is itself.
  package var leaves: [InAppMessage.ClickAction] {
    if case .sequence(let actions) = self { actions.flatMap(\.leaves) } else { [self] }
  }

  fileprivate var isDeepLink: Bool {
    if case .deepLink = self { true } else { false }
  }
}

extension InAppMessage.Surface {
  var isEdge: Bool {
    if case .edge = self { true } else { false }
  }
}
