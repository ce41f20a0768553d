package import Vocabulary

/// A client's in-app messages as one value: inputs go in, outputs come out.
///
/// It has no clock, no view and no task. Its driver (an app's library, a terminal or a page)
/// carries out the outputs of each input in their order, feeds their results back in, and wakes it
/// at ``nextDeadline``:
///
/// ```
/// outputs = presenter.handle(input, at: now)
/// for output in outputs { carry out }       // answers and view events are further inputs
/// timer.arm(presenter.nextDeadline)         // then .clockAdvanced
/// ```
///
/// It promises that every delivery ends in exactly one `finished`, counts at most once, and has a
/// `didDismiss` for each `willPresent`; that at most one is on screen; and that nothing keeps the
/// screen without a deadline, except a message that people look at.
package struct MessagePresenter: Equatable, Sendable {
  private var backlog: MessageBacklog
  /// The message that has the screen.
  private var slot: Presentation?

  /// A presenter with nothing to show.
  package init(
    _ settings: PresenterSettings = PresenterSettings(), user: UserID? = nil,
    platform: PlatformState = PlatformState()
  ) {
    backlog = MessageBacklog(settings, user, platform)
  }

  /// Takes one input, and returns the outputs to carry out, in order.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - time: when; time never goes back, so an earlier one counts as the latest before.
  package mutating func handle(_ input: Input, at time: HostTime) -> [Output] {
    backlog.around.begin(at: time)
    switch input {
    case .deliver(let message, let timeToLive, let wasSeen):
      deliver(message, timeToLive ?? settings.timeToLive, wasSeen: wasSeen)
    case .present(let message): present(message)
    case .revoke(let ids, let force): revoke(Set(ids), force: force)
    case .presentNext(let tag): presentNext(tag)
    case .userChanged(let user):
      if backlog.gate.change(user: user) { endEverything(.userChanged, .userMismatch) }
    case .dataWiped: endEverything(.dataWiped, .userMismatch)
    case .pageClosed: endEverything(.pageClosed, .noClient)
    case .chose(let choice, let token): hear(choice, token)
    case .assets(let report, let token): hear(report, token)
    case .prepared(let context, let token): hear(context, token)
    case .decided(let process, let click, let token): decide(process, click, token)
    case .view(let event, let token): hear(event, token)
    case .reported(let report, let token):
      if slot?.token == token { onScreen { $0.hear(report, &$1) } }
    case .dismiss(let leavesSession):
      onScreen { $0.dismiss(leavesSession: leavesSession, &$1) }
    case .suppress(let suppression): if backlog.gate.suppress(suppression) { backlog.freePlace() }
    case .acquireLease(let tag):
      let isGranted = backlog.gate.acquire(tag, isScreenTaken: isScreenTaken)
      backlog.around.emit(.lease(tag, isGranted: isGranted))
    case .releaseLease(let tag): if backlog.gate.release(tag) { backlog.freePlace() }
    case .platform(let platform): hear(platform)
    case .session(let change): hear(change)
    case .clockAdvanced: advanceClock()
    }
    fillScreen()
    return backlog.around.takeOutputs()
  }
}

// MARK: What an app may ask at any time

extension MessagePresenter {
  package var settings: PresenterSettings {
    get { backlog.around.settings }
    set { backlog.around.settings = newValue }
  }

  /// Who uses the app.
  package var user: UserID? { backlog.gate.user }
  package var platform: PlatformState { backlog.around.platform }
  package var suppression: MessageSuppression { backlog.gate.suppression }
  /// Which of the app's own pop-ups has the screen.
  package var lease: LeaseTag? { backlog.gate.lease }

  /// The message on screen, as it is shown; also while it comes and goes.
  package var visibleMessage: InAppMessage? {
    slot.flatMap { $0.isShown ? $0.message : nil }
  }

  /// Whether a message is on screen, or on its way there.
  package var isScreenTaken: Bool { slot != nil }
  /// The messages on the stack, the next one first; the one on screen is not among them.
  package var stackedMessages: [InAppMessage] { backlog.waiting.stacked }

  /// The token of what is on screen, or on its way there.
  package var currentToken: PresentationToken? { slot?.token }
  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package var nextDeadline: HostTime? { nextDue?.time }
}

// MARK: From a message that comes to one that has the screen

extension MessagePresenter {
  private mutating func deliver(
    _ message: InAppMessage, _ timeToLive: Duration, wasSeen: Bool
  ) {
    guard !isKnown(message.id) else { return }
    offer(
      OfferedMessage(
        message, origin: .trigger, expires: backlog.around.now + timeToLive, wasSeen: wasSeen))
  }

  private mutating func present(_ message: InAppMessage) {
    // A message on the stack that comes again goes to the top.
    _ = backlog.waiting.takeFromStack { $0.id == message.id }
    guard !isKnown(message.id) else { return }
    offer(OfferedMessage(message, origin: .local))
  }

  private func isKnown(_ id: MessageID) -> Bool {
    slot?.delivery.id == id || backlog.waiting.contains(id) || backlog.hasEnded(id)
  }

  private func situation(hasScreen: Bool = false) -> MessageGate.Situation {
    MessageGate.Situation(
      hasScreen: hasScreen, isTaken: isScreenTaken, isClickedAway: slot?.isClickedAway ?? false)
  }

  /// Offers a message to the app, unless another player of its session is updated with it.
  private mutating func offer(_ delivery: OfferedMessage) {
    guard !isTakenIn(delivery) else { return }
    if let (delivery, token) = backlog.offer(delivery, in: situation()) { begin(delivery, token) }
  }

  /// The app's choice, or that it made none in time.
  private mutating func hear(_ choice: DisplayChoice, _ token: PresentationToken) {
    if let delivery = backlog.hear(choice, token, in: situation()) { begin(delivery, token) }
  }

  private mutating func begin(_ delivery: OfferedMessage, _ token: PresentationToken) {
    guard delivery.message.orientation.contains(platform.orientation) else {
      return backlog.finish(delivery, .refused(.orientation))
    }
    if delivery.message.isControl {
      var control = delivery
      control.runAsControl(&backlog.around)
      return backlog.finish(control, .control)
    }
    let presentation = Presentation(delivery, token, &backlog.around)
    slot = presentation
    if !presentation.isLoading { prepare() }
  }

  private mutating func hear(_ report: AssetReport, _ token: PresentationToken) {
    guard let slot, slot.token == token, slot.isLoading else { return }
    switch report {
    case .loaded:
      self.slot?.assetsArrived()
      prepare()
    case .landscapeFailed: self.slot?.dropLandscapeImage()
    case .failed: giveUp(.refused(.assets))
    }
  }

  /// Lets the app prepare the message, if it may still be shown.
  private mutating func prepare() {
    guard let slot else { return }
    let verdict = backlog.verdict(on: slot.delivery, in: situation(hasScreen: true))
    guard verdict == .open else { return giveUp(verdict) }
    guard slot.delivery.message.orientation.contains(platform.orientation) else {
      return giveUp(.refused(.orientation))
    }
    self.slot?.askToPrepare(
      backlog.session.media(of: slot.delivery.message), &backlog.around)
  }

  private mutating func hear(_ context: PresentationContext, _ token: PresentationToken) {
    guard let slot, slot.token == token, slot.delivery.stage == .preparing else { return }
    let verdict = backlog.verdict(on: slot.delivery, in: situation(hasScreen: true))
    guard verdict == .open else { return giveUp(verdict) }
    let media = backlog.session.media(of: slot.delivery.message)
    if let refusal = self.slot?.show(context, media, &backlog.around) { giveUp(.refused(refusal)) }
  }

  /// Takes the message from the screen if nothing of it is there yet.
  private mutating func giveUp(_ verdict: MessageGate.Verdict) {
    guard let slot, slot.isComing else { return }
    self.slot = nil
    slot.giveUp(&backlog.around)
    switch verdict {
    case .refused(let refusal): backlog.finish(slot.delivery, .refused(refusal))
    case .waits(let place): backlog.wait(slot.delivery, place)
    case .open: break
    }
  }
}

// MARK: The message on screen

extension MessagePresenter {
  /// Changes the message that has the screen, and takes it away if that was the end of it.
  private mutating func onScreen(
    _ change: (inout Presentation, inout PresenterSurroundings) -> Void
  ) {
    guard var presentation = slot else { return }
    change(&presentation, &backlog.around)
    slot = presentation
    guard presentation.dismissal.isOver, let reason = presentation.dismissal.reason else { return }
    slot = nil
    let message = presentation.message
    if let session = message.session, presentation.dismissal.leavesSession(settings) {
      backlog.leave(session)
    }
    var delivery = presentation.delivery
    switch presentation.dismissal.end {
    case .finished:
      if message.impression == .explicit, !delivery.wasSeen {
        backlog.around.warn(.impressionMissing, message.id)
      }
      backlog.finish(delivery, .presented(dismissedBy: reason))
    case .refused(let refusal): backlog.finish(delivery, .refused(refusal))
    case .waits:
      if reason == .textInput { delivery.wasShown = true }
      backlog.wait(delivery, reason == .textInput && message.session != nil ? .deferral : .stack)
    }
  }

  private mutating func hear(_ event: MessageViewEvent, _ token: PresentationToken) {
    guard let slot, slot.token == token else { return }
    let media = backlog.session.media(of: slot.delivery.message)
    onScreen { $0.hear(event, media, &$1) }
  }

  /// The app's answer about a click's action, or that it had none in time.
  private mutating func decide(_ process: Bool, _ number: Int, _ token: PresentationToken) {
    guard let slot, slot.token == token, let click = self.slot?.answer(number) else { return }
    if process {
      for action in click.action.leaves { backlog.perform(action, in: slot.message) }
    }
    if !click.isTransient { onScreen { $0.close(after: click, &$1) } }
  }

  /// The platform changed.
  private mutating func hear(_ platform: PlatformState) {
    let old = self.platform
    backlog.around.platform = platform
    onScreen { $0.follow(isRotated: platform.orientation != old.orientation, &$1) }
    if platform.isVisible, !old.isVisible { backlog.comeInSight() }
    let isWriting = platform.isTextInputFocused
    if isWriting, !old.isTextInputFocused, settings.hidesOnTextInput, slot?.message.isPage == false
    {
      onScreen { $0.requestDismissal(.textInput, &$1) }
    }
    if !isWriting && old.isTextInputFocused || platform.screen != old.screen { backlog.freePlace() }
    if platform.hasDisplay, !old.hasDisplay {
      backlog.freePlace()
      for delivery in backlog.waiting.takeHeld() { offer(delivery) }
    } else if !platform.hasDisplay, old.hasDisplay {
      onScreen { $0.hearGone(.failed, .noDisplay, &$1) }
    }
  }

  /// Revokes messages; the one on screen stays, unless forced.
  private mutating func revoke(_ ids: Set<MessageID>, force: Bool) {
    backlog.finish({ ids.contains($0.id) }, .stopped)
    guard let slot, ids.contains(slot.delivery.id) else { return }
    giveUp(.refused(.stopped))
    if force { onScreen { $0.requestDismissal(.programmatic, &$1) } }
  }

  /// Tears everything down when the user, the data or the page is gone.
  private mutating func endEverything(
    _ reason: InAppMessage.DismissReason, _ refusal: InAppMessage.Refusal
  ) {
    let leaves = reason != .pageClosed
    let rest = backlog.waiting.takeAll()
    if let slot {
      giveUp(.refused(refusal))
      onScreen { $0.tearDown(reason, refusal, leavesSession: leaves, &$1) }
      if leaves, let session = slot.message.session { backlog.leave(session) }
    }
    backlog.end(rest, refusal, leavesSessions: leaves)
  }
}

// MARK: Sessions: one player each, and one leave

extension MessagePresenter {
  private mutating func hear(_ change: SessionChange) {
    switch change {
    case .joined(let id, let media):
      backlog.join(id, media)
      updateMedia()
    case .media(let id, let media): if backlog.watch(media, in: id) { updateMedia() }
    case .ended(let id):
      guard !backlog.session.isOver(id) else { return }
      backlog.forget(id)
      guard slot?.message.session == id else { return }
      onScreen { $0.sessionEnded(&$1) }
      giveUp(.refused(.sessionEnded))
    }
  }

  private mutating func updateMedia() {
    let media = backlog.session.media(of: slot?.delivery.message)
    onScreen { $0.show(media, &$1) }
  }

  /// Whether another player of the same session is on its way or on screen, and shows this one's
  /// words and media instead.
  private mutating func isTakenIn(_ delivery: OfferedMessage) -> Bool {
    let newer = delivery.message
    guard newer.isPlayer, let bound = newer.session, !backlog.session.isOver(bound),
      backlog.gate.isForUser(newer)
    else { return false }
    var isTaken = false
    if let older = slot?.delivery.message, older.isPlayer, older.session == bound {
      let media = backlog.session.media(of: newer)
      onScreen { isTaken = $0.take(newer, before: media, &$1) }
    } else {
      isTaken = backlog.waiting.showInOffer(newer)
    }
    if isTaken { backlog.finish(delivery, .refused(.replaced)) }
    return isTaken
  }
}

// MARK: Waiting, and what comes next when the screen is free

extension MessagePresenter {
  private mutating func presentNext(_ tag: PresentNextTag) {
    guard var next = backlog.waiting.popStack() else {
      return backlog.around.emit(.answer(tag, .empty))
    }
    next.request = tag
    next.origin = .stack
    offer(next)
  }

  /// Gives a free screen to what waits for it: of a session, brought by a click, on the stack.
  private mutating func fillScreen() {
    // Each turn takes one out of its place, and puts it back only where the next turn does not take
    // it.
    while slot == nil, lease == nil, case (var next, let origin)? = nextForScreen() {
      next.origin = origin
      offer(next)
    }
    backlog.endIdleDrain()
  }

  private mutating func nextForScreen() -> (OfferedMessage, MessageOrigin)? {
    let situation = situation()
    if let next = backlog.takePlayer(in: situation) { return (next, .deferred) }
    guard backlog.waiting.offerCount == 0 else { return nil }
    if let next = backlog.takeDeferred(in: situation) { return (next, .deferred) }
    if let next = backlog.waiting.takeFollowUp() { return (next, .followUp) }
    guard backlog.isDrainDue, let top = backlog.waiting.top else { return nil }
    if case .waits = backlog.verdict(on: top, in: situation) { return nil }
    return backlog.drain().map { ($0, .stack) }
  }
}

// MARK: Everything that waits for time to pass

extension MessagePresenter {
  /// What to do when its time has come.
  private enum Due {
    case waiting(WaitingMessages.Due)
    case screen(Presentation.Due, PresentationToken)
  }

  /// What is due next, and when; of two at the same time, the one that is listed first.
  private var nextDue: (time: HostTime, due: Due)? {
    var all = backlog.waiting.dues.map { (time: $0.time, due: Due.waiting($0.due)) }
    if let slot {
      all += slot.dues(settings).map { ($0.time, .screen($0.due, slot.token)) }
    }
    return all.min { $0.time < $1.time }
  }

  private mutating func advanceClock() {
    // Meeting a deadline removes it, or advances its presentation.
    while let (time, due) = nextDue, time <= backlog.around.now { meet(due) }
  }

  private mutating func meet(_ due: Due) {
    switch due {
    case .waiting(.choice(let token)): hear(.now, token)
    case .waiting(.held(let id)):
      backlog.finish({ $0.id == id }, .noDisplay)
    case .screen(.assets, _): giveUp(.refused(.assets))
    case .screen(.click(let number), let token): decide(true, number, token)
    case .screen(let due, _):
      onScreen { $0.meet(due, &$1) }
      if due == .presenting { giveUp(.refused(.watchdog)) }
    }
  }
}
