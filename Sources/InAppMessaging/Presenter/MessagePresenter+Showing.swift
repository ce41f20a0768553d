import Vocabulary

// On screen: coming, being there, and changing in place.
extension MessagePresenter {
  mutating func show(_ context: PresentationContext, in view: String) {
    guard var slot else { return }
    let message = context.message
    var orientation = platform.orientation
    if let preferred = context.preferredOrientation {
      if platform.supportedOrientations.contains(preferred),
        message.orientation.contains(preferred)
      {
        orientation = preferred
        slot.heldOrientation = preferred
      } else {
        emit(.warn(.unsupportedOrientation, message.id))
      }
    }
    // One that stands only so is not turned with the device.
    if message.orientation != .any { slot.heldOrientation = orientation }
    let shown = ShownMessage(
      context: context, view: view, colorScheme: platform.colorScheme, orientation: orientation,
      coversScreen: coversScreen(message), isAnimated: message.animatesIn && !platform.reducesMotion
    )
    slot.shown = shown
    slot.hasRotated = false
    slot.delivery.go(to: .presenting)
    let isHidden = isStatusBarHidden(for: shown)
    slot.isStatusBarChanged = isHidden != nil
    self.slot = slot
    if isHidden != nil { emit(.statusBar(isHidden: isHidden)) }
    if let held = slot.heldOrientation { emit(.hold(held)) }
    emit(.tell(.willPresent(message)))
    // Who comes back after a restart says so, though it counts no more: else it is taken for lost.
    if !slot.delivery.wasShown { report(.started, of: message) }
    emit(.view(.show(shown), slot.token))
  }

  /// Whether a message leaves nothing of the app in sight: a page always, another full screen one
  /// unless the window is as large as a tablet's.
  func coversScreen(_ message: InAppMessage) -> Bool {
    guard message.surface == .fullScreen else { return false }
    if case .html = message.body { return true }
    return min(platform.width, platform.height) < settings.largeWindow
  }

  /// Whether the status bar is hidden for a message; `nil` is as it was.
  func isStatusBarHidden(for shown: ShownMessage) -> Bool? {
    switch shown.context.statusBarHideBehavior {
    case .auto: shown.coversScreen ? true : nil
    case .hidden: true
    case .visible: false
    }
  }

  mutating func hear(_ event: ViewEvent, _ token: PresentationToken) {
    guard let slot, slot.token == token else { return }
    switch event {
    case .presented: if slot.delivery.stage == .presenting { present() }
    case .dismissed: if slot.delivery.stage == .dismissing { endDismissal() }
    case .clicked(let click): hear(click)
    case .loggedClick(let button):
      guard slot.delivery.stage == .presented, case .html = slot.message.body else { return }
      countImpression()
      report(.clicked(button: button), of: slot.message)
    case .closed(let gesture): hear(gesture)
    case .declined:
      if slot.delivery.stage == .presenting { endBeforePresented(.failed, .waits) }
    case .detached: hearGone(.programmatic, .noDisplay)
    case .failed(let failure): hearGone(.failed, failure.refusal)
    }
  }

  /// The view is on screen.
  private mutating func present() {
    guard var slot else { return }
    slot.delivery.go(to: .presented)
    self.slot = slot
    if slot.message.impression == .onPresent { countImpression() }
    let (early, reports) = (slot.earlyReports, slot.earlyReports.contains(.impression))
    if reports { countImpression() }
    emit(.tell(.didPresent(slot.message)))
    if let request = slot.delivery.request {
      emit(.answer(request, .presented(slot.delivery.id)))
    }
    self.slot?.delivery.request = nil
    self.slot?.earlyReports = []
    self.slot?.visible.run(platform.isVisible, at: now)
    followDevice()
    updateMedia()
    if let reason = slot.waitingDismissal {
      self.slot?.waitingDismissal = nil
      beginDismissal(reason)
    }
    for report in early { hear(report, slot.token) }
  }

  /// Counts the message as seen, unless it is already.
  mutating func countImpression() {
    guard let slot, !slot.delivery.wasSeen else { return }
    self.slot?.delivery.wasSeen = true
    emit(.tell(.impression(slot.message)))
    report(.impression, of: slot.message)
  }

  /// What an app reports that draws messages itself; before it is on screen it is kept until then.
  mutating func hear(_ report: DisplayReport, _ token: PresentationToken) {
    guard let slot, slot.token == token else { return }
    if slot.delivery.stage == .presenting, !report.isFailure {
      guard slot.earlyReports.count < settings.questionLimit else { return }
      self.slot?.earlyReports.append(report)
      return
    }
    switch report {
    case .failed(let failure): hearGone(.failed, failure.refusal)
    case .impression: if slot.delivery.stage == .presented { countImpression() }
    case .clicked(let button):
      if slot.delivery.stage == .presented { hearReportedClick(button) }
    case .dismissed(let reason):
      guard slot.delivery.stage == .presented else { return hearGone(reason, .noDisplay) }
      countImpression()
      hearGone(reason, .noDisplay)
    }
  }

  /// Shows the message as the surroundings are now.
  mutating func followDevice() {
    guard var slot, slot.delivery.stage == .presented, var shown = slot.shown else { return }
    let message = shown.context.message
    shown.colorScheme = platform.colorScheme
    shown.coversScreen = coversScreen(message)
    if slot.hasRotated, message.orientation.contains(platform.orientation) {
      shown.orientation = platform.orientation
      let held = message.orientation == .any ? nil : platform.orientation
      if held != slot.heldOrientation { emit(.hold(held)) }
      slot.heldOrientation = held
    }
    slot.hasRotated = false
    let isHidden = isStatusBarHidden(for: shown)
    if let old = slot.shown, isHidden != isStatusBarHidden(for: old) {
      emit(.statusBar(isHidden: isHidden))
      slot.isStatusBarChanged = isHidden != nil
    }
    let isChanged = shown != slot.shown
    slot.shown = shown
    self.slot = slot
    if isChanged { emit(.view(.update(shown), slot.token)) }
  }
}

extension MessagePresenter.DisplayReport {
  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}

extension MessagePresenter.ViewFailure {
  var refusal: InAppMessage.Refusal {
    switch self {
    case .image: .assets
    case .content: .invalidContent
    case .other: .noDisplay
    }
  }
}
