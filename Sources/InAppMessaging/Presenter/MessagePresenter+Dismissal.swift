import Vocabulary

// Going: for whatever reason, once, and with everything put back as it was.
extension MessagePresenter {
  /// Dismisses what is on screen; what is still coming goes as soon as it is there.
  ///
  /// A click that waits for the app's word closes the message itself, and goes before.
  mutating func requestDismissal(_ reason: InAppMessage.DismissReason) {
    guard let slot else { return }
    switch slot.delivery.stage {
    case .presented: if slot.click == nil { beginDismissal(reason) }
    case .presenting:
      if slot.waitingDismissal == nil { self.slot?.waitingDismissal = reason }
    default: break
    }
  }

  mutating func dismiss(leavesSession: Bool) {
    guard let slot, slot.shown != nil else { return }
    if leavesSession { self.slot?.leavesSession = true }
    requestDismissal(.programmatic)
  }

  /// The view went without being asked to.
  mutating func hearGone(
    _ reason: InAppMessage.DismissReason, _ refusal: InAppMessage.Refusal
  ) {
    guard let slot else { return }
    switch slot.delivery.stage {
    case .loading, .preparing: break
    case .presenting: endBeforePresented(reason, .refused(refusal))
    case .presented:
      self.slot?.isViewGone = true
      if slot.click == nil { beginDismissal(reason) }
    case .dismissing: endDismissal()
    case .waiting, .offered, .finished: break
    }
  }

  /// Begins to dismiss what is on screen.
  ///
  /// - Parameter isForced: at once and without a movement, as whoever sees it must not.
  mutating func beginDismissal(_ reason: InAppMessage.DismissReason, isForced: Bool = false) {
    guard var slot, slot.delivery.stage == .presented else { return }
    // Who closes a message before it was long enough in sight has seen it.
    if case .afterVisible = slot.message.impression, reason.isByPerson || reason == .automatic {
      countImpression()
      slot.delivery.wasSeen = true
    }
    if case .action = reason {} else { slot.click = nil }
    slot.transientClicks = []
    slot.visible.run(false, at: now)
    slot.delivery.go(to: .dismissing)
    let end = reason == .textInput ? Presentation.Dismissal.End.waits : .finished
    slot.dismissal = Presentation.Dismissal(
      reason: reason, due: now + settings.patience.dismissing, end: end)
    self.slot = slot
    emit(.tell(.willDismiss(slot.message, reason)))
    guard !slot.isViewGone else { return endDismissal() }
    let isAnimated = slot.message.animatesOut && !platform.reducesMotion && !isForced
    emit(.view(.dismiss(animated: isAnimated), slot.token))
    if isForced { endDismissal() }
  }

  /// Ends what never came on screen after it was said that it would.
  mutating func endBeforePresented(
    _ reason: InAppMessage.DismissReason, _ end: Presentation.Dismissal.End
  ) {
    guard var slot, slot.delivery.stage == .presenting else { return }
    slot.delivery.go(to: .dismissing)
    slot.dismissal = Presentation.Dismissal(
      reason: reason, due: now + settings.patience.dismissing, end: end)
    self.slot = slot
    emit(.tell(.willDismiss(slot.message, reason)))
    emit(.view(.dismiss(animated: false), slot.token))
    endDismissal()
  }

  /// The view is gone: puts everything back, and ends the delivery.
  mutating func endDismissal() {
    guard let slot, let dismissal = slot.dismissal else { return }
    let message = slot.message
    if slot.hasAssets { emit(.view(.releaseAssets, slot.token)) }
    if slot.isStatusBarChanged { emit(.statusBar(isHidden: nil)) }
    if slot.heldOrientation != nil { emit(.hold(nil)) }
    emit(.tell(.didDismiss(message, dismissal.reason)))
    self.slot = nil
    if let session = message.session, leavesSession(slot, dismissal) { leave(session) }
    switch dismissal.end {
    case .finished:
      if message.impression == .explicit, !slot.delivery.wasSeen {
        emit(.warn(.impressionMissing, message.id))
      }
      finish(slot.delivery, .presented(dismissedBy: dismissal.reason))
    case .refused(let refusal): finish(slot.delivery, .refused(refusal))
    case .waits:
      var delivery = slot.delivery
      if dismissal.reason == .textInput { delivery.wasShown = true }
      let isPlayer = dismissal.reason == .textInput && message.session != nil
      wait(delivery, isPlayer ? .deferral : .stack)
    }
  }

  private func leavesSession(
    _ slot: Presentation, _ dismissal: Presentation.Dismissal
  ) -> Bool {
    switch dismissal.reason {
    case .userChanged, .dataWiped: true
    case let reason where reason.isByPerson: !slot.keepsSession || slot.leavesSession
    default: slot.leavesSession && dismissal.end == .finished
    }
  }

  /// Ends everything there is: the person, the data or the page is no longer there.
  mutating func endEverything(
    _ reason: InAppMessage.DismissReason, _ refusal: InAppMessage.Refusal
  ) {
    let leaves = reason != .pageClosed
    var waiting = stack.reversed() + deferred + held + offers.map(\.delivery)
    if let followUp { waiting.append(followUp) }
    (stack, deferred, held, offers, followUp) = ([], [], [], [], nil)
    if let slot {
      if leaves { self.slot?.leavesSession = true }
      switch slot.delivery.stage {
      case .loading, .preparing: giveUp(.refused(refusal))
      case .presenting: endBeforePresented(reason, .refused(refusal))
      case .presented: beginDismissal(reason, isForced: true)
      case .dismissing:
        // Its view may take no longer than this.
        emit(.view(.dismiss(animated: false), slot.token))
        self.slot?.dismissal?.end = .finished
        endDismissal()
      case .waiting, .offered, .finished: break
      }
      if leaves, let session = slot.message.session { leave(session) }
    }
    for delivery in waiting {
      finish(delivery, .refused(refusal))
      if leaves, let session = delivery.message.session { leave(session) }
    }
    isDrainDue = false
  }
}
