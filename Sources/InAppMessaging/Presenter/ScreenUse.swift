import Vocabulary

/// What a message uses of the device while it is shown: its view, the app's orientation, and the
/// status bar.
struct ScreenUse: Equatable, Sendable {
  /// What the view was told to show.
  private(set) var shown: ShownMessage?
  /// The app's orientation; `nil` follows the device.
  private var heldOrientation: Orientation?
  /// Whether the device was turned since the message was shown or changed.
  private var hasRotated = false
  private var isStatusBarChanged = false

  /// Takes the screen for a message, and says what its view shows.
  mutating func show(
    _ context: PresentationContext, in view: String, _ around: inout PresenterSurroundings
  ) -> ShownMessage {
    let platform = around.platform
    let message = context.message
    var orientation = platform.orientation
    if let preferred = context.preferredOrientation {
      if platform.supportedOrientations.contains(preferred),
        message.orientation.contains(preferred)
      {
        orientation = preferred
        heldOrientation = preferred
      } else {
        around.warn(.unsupportedOrientation, message.id)
      }
    }
    // A message for one orientation is not turned with the device.
    if message.orientation != .any { heldOrientation = orientation }
    var shown = ShownMessage(
      context, in: view, platform, coversScreen: Self.covers(message, around))
    shown.orientation = orientation
    self.shown = shown
    hasRotated = false
    let isHidden = shown.isStatusBarHidden
    isStatusBarChanged = isHidden != nil
    if isHidden != nil { around.emit(.statusBar(isHidden: isHidden)) }
    if let heldOrientation { around.emit(.hold(heldOrientation)) }
    return shown
  }

  /// The device was turned.
  ///
  /// A device that now stands as the app is held was turned by that, not by the person.
  mutating func rotate(to orientation: Orientation) {
    if orientation != heldOrientation { hasRotated = true }
  }

  /// Shows the message again for the current surroundings.
  mutating func follow(_ token: PresentationToken, _ around: inout PresenterSurroundings) {
    guard var shown else { return }
    let (platform, message) = (around.platform, shown.message)
    shown.colorScheme = platform.colorScheme
    shown.coversScreen = Self.covers(message, around)
    if hasRotated, message.orientation.contains(platform.orientation) {
      shown.orientation = platform.orientation
      let held = message.orientation == .any ? nil : platform.orientation
      if held != heldOrientation { around.emit(.hold(held)) }
      heldOrientation = held
    }
    hasRotated = false
    let isHidden = shown.isStatusBarHidden
    if isHidden != self.shown?.isStatusBarHidden {
      around.emit(.statusBar(isHidden: isHidden))
      isStatusBarChanged = isHidden != nil
    }
    let isChanged = shown != self.shown
    self.shown = shown
    if isChanged { around.emit(.view(.update(shown), token)) }
  }

  /// Swaps the video for the session's, and the words for a newer delivery's; a video that may not
  /// be played is not shown.
  mutating func show(
    _ media: SessionMedia, _ newer: InAppMessage?, _ token: PresentationToken,
    _ around: inout PresenterSurroundings
  ) {
    guard var shown else { return }
    shown.message.show(media)
    if let newer { shown.message.takeWords(of: newer) }
    guard shown != self.shown else { return }
    let message = shown.message
    if let fault = around.fault(of: message, in: shown.viewType) {
      return around.warn(.invalidContent(fault), message.id)
    }
    self.shown = shown
    around.tell(.willUpdate(message))
    around.emit(.view(.update(shown), token))
  }

  /// Restores the device.
  func restore(_ around: inout PresenterSurroundings) {
    if isStatusBarChanged { around.emit(.statusBar(isHidden: nil)) }
    if heldOrientation != nil { around.emit(.hold(nil)) }
  }

  /// Whether the message covers the whole app: a page always does, another full screen message
  /// unless the window is as large as a tablet's.
  private static func covers(
    _ message: InAppMessage, _ around: PresenterSurroundings
  ) -> Bool {
    guard message.surface == .fullScreen else { return false }
    if case .html = message.body { return true }
    return min(around.platform.width, around.platform.height) < around.settings.largeWindow
  }
}

extension ShownMessage {
  /// Whether the status bar is hidden for it; `nil` leaves it as it was.
  fileprivate var isStatusBarHidden: Bool? {
    switch statusBarHideBehavior {
    case .auto: coversScreen ? true : nil
    case .hidden: true
    case .visible: false
    }
  }
}

/// Time in sight, added up.
struct VisibleTime: Equatable, Sendable {
  private var sum = Duration.zero
  private var since: HostTime?

  init() {}

  /// Starts or stops the time.
  mutating func run(_ isVisible: Bool, at time: HostTime) {
    switch (isVisible, since) {
    case (true, nil): since = time
    case (false, let start?):
      sum += time - start
      since = nil
    default: break
    }
  }

  /// When the time reaches that much; `nil` while it is stopped.
  func moment(of duration: Duration) -> HostTime? {
    since.map { $0 + (duration - sum) }
  }

  /// When a message counts as seen, and when it closes on its own.
  func dues(
    of message: InAppMessage, wasSeen: Bool, isClosing: Bool
  ) -> [(time: HostTime, due: Presentation.Due)] {
    var all: [(time: HostTime, due: Presentation.Due)] = []
    if case .afterVisible(let duration) = message.impression, !wasSeen,
      let moment = moment(of: duration)
    {
      all.append((moment, .impression))
    }
    if !isClosing, let after = message.closing.after, let moment = moment(of: after) {
      all.append((moment, .automaticClose))
    }
    return all
  }
}
