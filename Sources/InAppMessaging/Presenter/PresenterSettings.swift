/// The settings of a presenter.
package struct PresenterSettings: Equatable, Sendable {
  /// When the next message of the stack is presented on its own.
  package enum DrainPolicy: String, Equatable, Sendable, CaseIterable {
    /// Never: the app presents the next.
    case manual
    /// When the app comes to the foreground; Braze's older way.
    case onForeground
    /// When a message ended, or the screen became free otherwise.
    case onSlotFree
  }

  package var drainPolicy = DrainPolicy.manual
  /// Whether a message goes back to the stack when the person begins to write.
  package var hidesOnTextInput = false
  /// Screens of the app on which no message is shown; messages wait meanwhile.
  package var quietScreens: Set<String> = []
  /// Whether colours of campaigns are ignored, for an app with its own design.
  package var ignoresCampaignColors = false
  /// Whether a dismissal leaves the message's session; otherwise the person goes on elsewhere.
  package var leavesWithMessage = true
  /// The views there are, by name.
  package var registry = ViewRegistry()
  /// Which videos are let through.
  package var mediaURLs = MediaURLGuard()

  /// How long it waits for others.
  package var patience = PresenterPatience()
  /// The default time to live of a message, as on the server.
  package var timeToLive = Duration.seconds(300)
  /// Messages on the stack, and as many that wait for a display: a week of a busy app's campaigns.
  package var stackLimit = 50
  /// Messages the app is asked about at once, and clicks; more than a person or an event brings.
  package var questionLimit = 8
  /// Ended deliveries and sessions that are remembered, so that late inputs are recognised.
  package var memory = 256
  /// The size, both ways, from which a full screen message is a dialog; in points.
  package var largeWindow = 600.0

  /// The default settings.
  package init() {}
}

/// How long a presenter waits for its app and its views before it goes on without them.
package struct PresenterPatience: Equatable, Sendable {
  /// How long an app may take to decide about a message; then it is shown.
  package var choice = Duration.seconds(5)
  /// How long an app may take to decide about a click's action; then it is carried out.
  package var processing = Duration.seconds(5)
  /// How long images may load: beyond it, the event that triggered the message is long past.
  package var assets = Duration.seconds(10)
  /// How long a message may take from getting the screen to being shown: the images' time, and half
  /// as long again for the view.
  package var presenting = Duration.seconds(15)
  /// How long a view may take to disappear: twenty times the longest animation.
  package var dismissing = Duration.seconds(5)

  /// The default times.
  package init() {}

  /// The same time for all.
  package init(_ limit: Duration) {
    (choice, processing, assets, presenting, dismissing) = (limit, limit, limit, limit, limit)
  }
}

/// What a presenter must know about the platform; its driver keeps it up to date.
package struct PlatformState: Equatable, Sendable {
  /// The orientation of the device, or of a window by its size.
  package var orientation: Orientation
  /// The orientations that the app supports.
  package var supportedOrientations: Set<Orientation>
  /// In points.
  package var width: Double
  package var height: Double
  package var colorScheme: ColorScheme
  /// Whether the app is in the foreground; in the background, no visible time runs.
  package var isVisible: Bool
  /// Whether the person is writing somewhere else than in a message.
  package var isTextInputFocused: Bool
  /// Whether the person wants less motion.
  package var reducesMotion: Bool
  /// Whether there is anything to show messages on.
  package var hasDisplay: Bool
  /// The kinds of messages that can be drawn at all; the registry chooses among views.
  package var kinds: Set<InAppMessage.Kind>
  /// Whether the app already has permission to send notifications.
  package var hasPushPermission: Bool
  /// The app's name for what it shows now, for ``PresenterSettings/quietScreens``.
  package var screen: String?

  /// The state of an app in sight, in a window of that size.
  package init(
    width: Double = 390, height: Double = 844, colorScheme: ColorScheme = .light,
    supportedOrientations: Set<Orientation> = [.portrait, .landscape], isVisible: Bool = true,
    isTextInputFocused: Bool = false, reducesMotion: Bool = false, hasDisplay: Bool = true,
    kinds: Set<InAppMessage.Kind> = Set(InAppMessage.Kind.allCases),
    hasPushPermission: Bool = false, screen: String? = nil
  ) {
    orientation = Orientation(width: width, height: height)
    self.width = width
    self.height = height
    self.colorScheme = colorScheme
    self.supportedOrientations = supportedOrientations
    self.isVisible = isVisible
    self.isTextInputFocused = isTextInputFocused
    self.reducesMotion = reducesMotion
    self.hasDisplay = hasDisplay
    self.kinds = kinds
    self.hasPushPermission = hasPushPermission
    self.screen = screen
  }
}
