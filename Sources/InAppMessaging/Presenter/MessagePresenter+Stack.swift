import Vocabulary

// Waiting, and what comes next when the screen is free.
extension MessagePresenter {
  /// Lets a message wait; its time to live stands still, except before there is a display.
  mutating func wait(_ delivery: OfferedMessage, _ place: Place) {
    var delivery = delivery
    if delivery.stage != .waiting { delivery.go(to: .waiting) }
    if let request = delivery.request { emit(.answer(request, .reenqueued)) }
    delivery.request = nil
    let place = place == .held && delivery.origin == .stack ? .stack : place
    guard place != .held else { return hold(delivery) }
    delivery.expires = nil
    if !delivery.isKnownToWait { report(.waiting, of: delivery.message) }
    delivery.isKnownToWait = true
    switch place {
    case .stack, .held: push(delivery)
    case .followUp:
      if let older = followUp { push(older) }
      followUp = delivery
    case .deferral:
      replace(in: \.deferred, with: delivery)
      if deferred.count > settings.questionLimit {
        finish(deferred.removeFirst(), .refused(.overflow))
      }
    }
  }

  private mutating func hold(_ delivery: OfferedMessage) {
    replace(in: \.held, with: delivery)
    if held.count > settings.stackLimit { finish(held.removeFirst(), .refused(.overflow)) }
  }

  /// Adds a delivery, in the place of one for the same session.
  private mutating func replace(
    in list: WritableKeyPath<MessagePresenter, [OfferedMessage]>, with delivery: OfferedMessage
  ) {
    let older = self[keyPath: list].filter {
      $0.message.session != nil && $0.message.session == delivery.message.session
    }
    self[keyPath: list].removeAll { older.contains($0) }
    self[keyPath: list].append(delivery)
    for older in older { finish(older, .refused(.replaced)) }
  }

  private mutating func push(_ delivery: OfferedMessage) {
    let equal = stack.filter { $0.isSame(as: delivery) && $0.id != delivery.id }
    stack.removeAll { $0.isSame(as: delivery) || $0.id == delivery.id }
    stack.append(delivery)
    for older in equal { finish(older, .refused(.replaced)) }
    if stack.count > settings.stackLimit { finish(stack.removeFirst(), .refused(.overflow)) }
  }

  mutating func presentNext(_ tag: PresentNextTag) {
    guard var next = stack.popLast() else { return emit(.answer(tag, .empty)) }
    next.request = tag
    next.origin = .stack
    offer(next)
  }

  /// Gives a free screen to who waits for it: a session's player, what a click brought, the stack.
  mutating func fillScreen() {
    // Each turn takes one out of its place, and puts it back only where the next turn leaves it.
    while slot == nil, lease == nil {
      if let index = deferred.firstIndex(where: { gate($0) == .open }) {
        var player = deferred.remove(at: index)
        player.origin = .deferred
        offer(player)
      } else if !offers.isEmpty {
        return
      } else if var next = followUp {
        followUp = nil
        next.origin = .followUp
        offer(next)
      } else if isDrainDue, let top = stack.last, !isWaiting(gate(top)) {
        isDrainDue = false
        var next = stack.removeLast()
        next.origin = .stack
        offer(next)
      } else {
        return
      }
    }
  }

  private func isWaiting(_ gate: Gate) -> Bool {
    if case .waits = gate { true } else { false }
  }

  /// Takes back what may not be shown any more; what is on screen stays, unless forced.
  mutating func revoke(_ ids: Set<MessageID>, force: Bool) {
    for delivery in takeOut(where: { ids.contains($0.id) }) {
      finish(delivery, .refused(.stopped))
    }
    guard let slot, ids.contains(slot.delivery.id) else { return }
    giveUp(.refused(.stopped))
    if force { requestDismissal(.programmatic) }
  }

  /// Takes deliveries out of wherever they wait, those that the app is asked about among them.
  mutating func takeOut(where matches: (OfferedMessage) -> Bool) -> [OfferedMessage] {
    var found = stack.filter(matches) + deferred.filter(matches) + held.filter(matches)
    found += offers.map(\.delivery).filter(matches)
    stack.removeAll(where: matches)
    deferred.removeAll(where: matches)
    held.removeAll(where: matches)
    offers.removeAll { matches($0.delivery) }
    if let followUp, matches(followUp) {
      found.append(followUp)
      self.followUp = nil
    }
    return found
  }

  mutating func suppress(_ suppression: Suppression) {
    let old = self.suppression
    self.suppression = suppression
    if suppression == .none, old != .none { freePlace() }
  }

  mutating func acquire(_ tag: LeaseTag) {
    let isFree = slot == nil && (lease == nil || lease == tag)
    if isFree { lease = tag }
    emit(.lease(tag, isGranted: isFree))
  }

  mutating func release(_ tag: LeaseTag) {
    guard lease == tag else { return }
    lease = nil
    freePlace()
  }

  /// What changed around the app, and what that means for messages.
  mutating func hear(_ platform: PlatformState) {
    let old = self.platform
    self.platform = platform
    if platform.orientation != old.orientation { slot?.hasRotated = true }
    if slot?.delivery.stage == .presented {
      slot?.visible.run(platform.isVisible, at: now)
      followDevice()
    }
    if platform.isVisible, !old.isVisible, settings.drainPolicy == .onForeground {
      isDrainDue = true
    }
    let isWriting = platform.isTextInputFocused
    if isWriting, !old.isTextInputFocused, settings.hidesOnTextInput, let slot {
      if case .html = slot.message.body {} else { requestDismissal(.textInput) }
    }
    if !isWriting && old.isTextInputFocused || platform.screen != old.screen { freePlace() }
    if platform.hasDisplay, !old.hasDisplay {
      freePlace()
      let waiting = held
      held = []
      for delivery in waiting { offer(delivery) }
    } else if !platform.hasDisplay, old.hasDisplay {
      hearGone(.failed, .noDisplay)
    }
  }
}
