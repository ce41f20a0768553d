import Vocabulary

/// The message that has the screen, from the moment it gets it until its view is gone.
///
/// Once it is over, the presenter ends the delivery as ``dismissal`` says.
struct Presentation: Equatable, Sendable {
  let token: PresentationToken
  private(set) var delivery: OfferedMessage
  /// When it got the screen.
  private let since: HostTime
  /// When its images must be loaded; `nil` if none are loading.
  private var assetsDue: HostTime?
  private let hasAssets: Bool
  private var screen = ScreenUse()
  /// Another delivery for the same session, whose words and video it shows.
  private var newer: InAppMessage?
  private var visible = VisibleTime()
  private var clicks = PendingClicks()
  /// The app's report from before the message was on screen.
  private var earlyReports: [MessagePresenter.DisplayReport] = []
  private(set) var dismissal = Dismissal()

  /// Gives a message the screen, and asks for its images if it has any.
  init(
    _ delivery: OfferedMessage, _ token: PresentationToken, _ around: inout PresenterSurroundings
  ) {
    self.delivery = delivery
    self.token = token
    since = around.now
    let assets = delivery.message.assets
    hasAssets = assets != MessageAssets()
    self.delivery.isKnownToWait = false
    self.delivery.go(to: .loading)
    if hasAssets {
      assetsDue = around.now + around.settings.patience.assets
      around.emit(.ask(.loadAssets(assets), token))
    }
  }

  /// The message as it is shown.
  var message: InAppMessage { screen.shown?.message ?? delivery.message }

  /// Whether its images are loading.
  var isLoading: Bool { assetsDue != nil }
  /// Whether its view was told to show it.
  var isShown: Bool { screen.shown != nil }
  /// Whether it is not on screen yet, and the app was not told that it will be.
  var isComing: Bool { delivery.stage == .loading || delivery.stage == .preparing }
  /// Whether the person clicked it away.
  var isClickedAway: Bool { clicks.isClosing }
}

// MARK: Coming

extension Presentation {
  mutating func assetsArrived() { assetsDue = nil }
  mutating func dropLandscapeImage() { delivery.message.removeLandscapeImage() }

  /// Asks the app to prepare the message.
  mutating func askToPrepare(_ media: SessionMedia?, _ around: inout PresenterSurroundings) {
    delivery.go(to: .preparing)
    if let media = self.media(media) { delivery.message.show(media) }
    var message = delivery.message
    if around.settings.ignoresCampaignColors { message.removeThemes() }
    let offset = EdgeOffset(message).adjustment
    around.emit(
      .ask(.prepare(PresentationContext(message: message, edgeOffset: offset)), token))
  }

  /// Shows the message as the app prepared it.
  ///
  /// - Returns: why it is not shown; `nil` if it is.
  mutating func show(
    _ prepared: PresentationContext, _ media: SessionMedia?, _ around: inout PresenterSurroundings
  ) -> InAppMessage.Refusal? {
    let (context, view): (PresentationContext, String)
    do throws(PresenterSurroundings.Unfit) {
      (context, view) = try around.settle(prepared, for: delivery.message, self.media(media))
    } catch { return error.refusal }
    let shown = screen.show(context, in: view, &around)
    delivery.go(to: .presenting)
    around.tell(.willPresent(context.message))
    // Each time, because the server holds a message that was sent back for waiting.
    around.report(.started, of: context.message)
    around.emit(.view(.show(shown), token))
    return nil
  }

  /// Gives up the screen before anything was on it.
  func giveUp(_ around: inout PresenterSurroundings) {
    if hasAssets { around.emit(.view(.releaseAssets, token)) }
  }

  /// The session's video, or one that another delivery brought.
  private func media(_ media: SessionMedia?) -> SessionMedia? {
    media ?? newer.flatMap { SessionMedia($0) }
  }
}

// MARK: On screen

extension Presentation {
  /// What the view tells.
  mutating func hear(
    _ event: MessageViewEvent, _ media: SessionMedia?,
    _ around: inout PresenterSurroundings
  ) {
    switch event {
    case .presented: if delivery.stage == .presenting { present(media, &around) }
    case .dismissed: if delivery.stage == .dismissing { endDismissal(&around) }
    case .clicked(let button, let action, let isTransient, let isOnControl):
      hear(ViewClick(button, action, isTransient: isTransient, isOnControl: isOnControl), &around)
    case .loggedClick(let button):
      guard delivery.stage == .presented, message.isPage else { return }
      countImpression(&around)
      around.report(.clicked(button: button), of: message)
    case .closed(let gesture):
      if let reason = message.reason(for: gesture) { requestDismissal(reason, &around) }
    case .declined:
      if delivery.stage == .presenting { endBeforePresented(.failed, .waits, &around) }
    case .detached(let leaves): hearGone(.programmatic, .noDisplay, leavesSession: leaves, &around)
    case .failed(let failure): hearGone(.failed, failure.refusal, &around)
    }
  }

  /// The view is on screen.
  private mutating func present(_ media: SessionMedia?, _ around: inout PresenterSurroundings) {
    delivery.go(to: .presented)
    if message.impression == .onPresent || earlyReports.contains(.impression) {
      countImpression(&around)
    }
    around.tell(.didPresent(message))
    if let request = delivery.request { around.emit(.answer(request, .presented(delivery.id))) }
    delivery.request = nil
    visible.run(around.platform.isVisible, at: around.now)
    screen.follow(token, &around)
    show(media, &around)
    if let reason = dismissal.takeWaiting() { beginDismissal(reason, &around) }
    let reports = earlyReports
    earlyReports = []
    for report in reports where !dismissal.isOver { hear(report, &around) }
  }

  /// What an app that draws messages itself reports; kept until the message is on screen.
  mutating func hear(
    _ report: MessagePresenter.DisplayReport, _ around: inout PresenterSurroundings
  ) {
    let isPresented = delivery.stage == .presented
    if case .failed(let failure) = report { return hearGone(.failed, failure.refusal, &around) }
    if delivery.stage == .presenting {
      if earlyReports.count < around.settings.questionLimit { earlyReports.append(report) }
      return
    }
    switch report {
    case .failed: break
    case .impression: if isPresented { countImpression(&around) }
    case .clicked(let button):
      guard isPresented, !clicks.isClosing else { return }
      if let button, message.button(button) == nil {
        around.warn(.unknownButton(button), message.id)
      }
      take(ViewClick(button), message.action(ofReported: button), &around)
    case .dismissed(let reason):
      if isPresented { countImpression(&around) }
      hearGone(reason, .noDisplay, &around)
    }
  }

  /// The platform changed: turned, out of sight, dark.
  mutating func follow(isRotated: Bool, _ around: inout PresenterSurroundings) {
    if isRotated { screen.rotate(to: around.platform.orientation) }
    guard delivery.stage == .presented else { return }
    visible.run(around.platform.isVisible, at: around.now)
    screen.follow(token, &around)
  }

  /// The session may watch something else now.
  mutating func show(_ media: SessionMedia?, _ around: inout PresenterSurroundings) {
    guard delivery.stage == .presented, let media = self.media(media) else { return }
    screen.show(media, newer, token, &around)
  }

  /// Takes the words and video of another player; the session's video takes precedence.
  ///
  /// - Returns: whether it does; a message that is being dismissed does not.
  mutating func take(
    _ newer: InAppMessage, before media: SessionMedia?, _ around: inout PresenterSurroundings
  ) -> Bool {
    guard delivery.stage != .dismissing, !clicks.isClosing else { return false }
    self.newer = newer
    delivery.message.takeWords(of: newer)
    if media == nil, let own = self.media(nil) { delivery.message.show(own) }
    show(media, &around)
    return true
  }

  /// Counts the message as seen, unless it is already.
  private mutating func countImpression(_ around: inout PresenterSurroundings) {
    guard !delivery.wasSeen else { return }
    delivery.wasSeen = true
    around.tell(.impression(message))
    around.report(.impression, of: message)
  }
}

// MARK: Clicks

extension Presentation {
  /// Handles a click: counts the message as seen, reports it, and asks the app about its action.
  private mutating func hear(_ click: ViewClick, _ around: inout PresenterSurroundings) {
    guard delivery.stage == .presented, !clicks.isClosing else { return }
    let isOwnView = screen.shown?.viewType != ViewRegistry.defaultView
    switch message.meaning(of: click, isOwnView: isOwnView) {
    case .nothing: break
    case .unknownButton(let id): around.warn(.unknownButton(id), message.id)
    case .action(let action): take(click, action, &around)
    }
  }

  private mutating func take(
    _ click: ViewClick, _ action: InAppMessage.ClickAction,
    _ around: inout PresenterSurroundings
  ) {
    let isTransient = message.stays(after: click, action)
    guard !isTransient || clicks.transientCount < around.settings.questionLimit else {
      return around.warn(.tooManyClicks, message.id)
    }
    countImpression(&around)
    clicks.ask(click, action, isTransient: isTransient, in: message, token, &around)
  }

  /// Takes the app's answer about a click; `nil` if none of that number waits.
  mutating func answer(_ number: Int) -> PendingClicks.Click? {
    delivery.stage == .presented ? clicks.answer(number) : nil
  }

  /// Closes the message after a click whose action the app decided on.
  mutating func close(after click: PendingClicks.Click, _ around: inout PresenterSurroundings) {
    let isForSession = click.action.leaves.contains {
      $0 == .session(.join) || $0 == .session(.startForAll)
    }
    if isForSession { dismissal.keepSession() }
    beginDismissal(.action(button: click.button), &around)
  }
}

// MARK: Going

extension Presentation {
  /// Dismisses the message, at once or as soon as it is on screen; a click that waits for the app's
  /// answer closes it itself.
  mutating func requestDismissal(
    _ reason: InAppMessage.DismissReason, _ around: inout PresenterSurroundings
  ) {
    switch delivery.stage {
    case .presented: if !clicks.isClosing { beginDismissal(reason, &around) }
    case .presenting: dismissal.wait(reason)
    default: break
    }
  }

  /// The app dismisses the message.
  mutating func dismiss(leavesSession: Bool, _ around: inout PresenterSurroundings) {
    guard isShown else { return }
    if leavesSession { dismissal.leaveSession() }
    requestDismissal(.programmatic, &around)
  }

  /// The view disappeared without being asked to.
  mutating func hearGone(
    _ reason: InAppMessage.DismissReason, _ refusal: InAppMessage.Refusal,
    leavesSession: Bool = false, _ around: inout PresenterSurroundings
  ) {
    switch delivery.stage {
    case .presenting: endBeforePresented(reason, .refused(refusal), &around)
    case .presented:
      dismissal.viewIsGone(leavesSession: leavesSession)
      if !clicks.isClosing { beginDismissal(reason, &around) }
    case .dismissing: endDismissal(&around)
    case .loading, .preparing, .waiting, .offered, .finished: break
    }
  }

  /// Its session is over: stops the video; a message still to appear is dismissed once it has.
  mutating func sessionEnded(_ around: inout PresenterSurroundings) {
    guard isShown, delivery.stage != .dismissing else { return }
    around.emit(.view(.pause, token))
    if delivery.stage == .presented {
      beginDismissal(.sessionEnded, &around)
    } else {
      dismissal.wait(.sessionEnded, replacing: true)
    }
  }

  /// The user, the data or the page is gone: dismisses the message at once.
  ///
  /// - Parameter leavesSession: whether its session is left with it.
  mutating func tearDown(
    _ reason: InAppMessage.DismissReason, _ refusal: InAppMessage.Refusal, leavesSession: Bool,
    _ around: inout PresenterSurroundings
  ) {
    if leavesSession { dismissal.leaveSession() }
    switch delivery.stage {
    case .presenting: endBeforePresented(reason, .refused(refusal), &around)
    case .presented: beginDismissal(reason, isForced: true, &around)
    case .dismissing:
      // Its view may take no longer than this.
      around.emit(.view(.dismiss(animated: false), token))
      dismissal.finish()
      endDismissal(&around)
    case .loading, .preparing, .waiting, .offered, .finished: break
    }
  }

  /// Begins to dismiss what is on screen.
  ///
  /// - Parameter isForced: at once and without an animation, because nobody may see it any more.
  private mutating func beginDismissal(
    _ reason: InAppMessage.DismissReason, isForced: Bool = false,
    _ around: inout PresenterSurroundings
  ) {
    guard delivery.stage == .presented else { return }
    // A person who closes a message early has seen it, too.
    if case .afterVisible = message.impression, reason.isByPerson || reason == .automatic {
      countImpression(&around)
    }
    clicks.end(closedBy: reason)
    visible.run(false, at: around.now)
    depart(reason, reason == .textInput ? .waits : .finished, &around)
    guard !dismissal.isViewGone else { return endDismissal(&around) }
    let isAnimated = message.animatesOut && !around.platform.reducesMotion && !isForced
    around.emit(.view(.dismiss(animated: isAnimated), token))
    if isForced { endDismissal(&around) }
  }

  /// Ends a message that never came on screen although the app was told that it would.
  private mutating func endBeforePresented(
    _ reason: InAppMessage.DismissReason, _ end: Dismissal.End,
    _ around: inout PresenterSurroundings
  ) {
    guard delivery.stage == .presenting else { return }
    depart(reason, end, &around)
    around.emit(.view(.dismiss(animated: false), token))
    endDismissal(&around)
  }

  private mutating func depart(
    _ reason: InAppMessage.DismissReason, _ end: Dismissal.End,
    _ around: inout PresenterSurroundings
  ) {
    delivery.go(to: .dismissing)
    dismissal.begin(reason, end: end, due: around.now + around.settings.patience.dismissing)
    around.tell(.willDismiss(message, reason))
  }

  /// The view is gone: restores the device.
  private mutating func endDismissal(_ around: inout PresenterSurroundings) {
    guard let reason = dismissal.reason, !dismissal.isOver else { return }
    if hasAssets { around.emit(.view(.releaseAssets, token)) }
    screen.restore(&around)
    around.tell(.didDismiss(message, reason))
    dismissal.complete()
  }
}

// MARK: Deadlines

extension Presentation {
  func dues(_ settings: PresenterSettings) -> [(time: HostTime, due: Due)] {
    switch delivery.stage {
    case .loading, .preparing, .presenting:
      let limit = (time: since + settings.patience.presenting, due: Due.presenting)
      return (assetsDue.map { [($0, .assets)] } ?? []) + [limit]
    case .presented:
      var all = clicks.dues.map { (time: $0.time, due: Due.click($0.number)) }
      all += visible.dues(
        of: message, wasSeen: delivery.wasSeen, isClosing: clicks.isClosing)
      return all
    case .dismissing: return dismissal.due.map { [($0, .dismissing)] } ?? []
    case .waiting, .offered, .finished: return []
    }
  }

  /// Meets its deadlines, apart from those of images and clicks, which are the presenter's.
  mutating func meet(_ due: Due, _ around: inout PresenterSurroundings) {
    switch due {
    case .assets, .click: break
    case .presenting:
      around.warn(.viewSilent, delivery.id)
      endBeforePresented(.failed, .refused(.watchdog), &around)
    case .impression: countImpression(&around)
    case .automaticClose: beginDismissal(.automatic, &around)
    case .dismissing:
      around.warn(.viewSilent, delivery.id)
      around.emit(.view(.dismiss(animated: false), token))
      endDismissal(&around)
    }
  }
}
