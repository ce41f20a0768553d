public import InAppMessaging

/// How a client goes about in-app messages.
public struct InAppMessageOptions: Sendable {
  /// When the stack gives up its next message by itself.
  public enum DrainPolicy: Hashable, Sendable, CaseIterable {
    /// Never: the app calls ``InAppMessages/presentNext()``.
    case manual
    /// When the app comes in sight.
    case onForeground
    /// When a message came to its end, or what stood in the way is gone.
    case onSlotFree
  }

  /// The event that is logged when a session's media is enqueued here; `nil` logs none.
  ///
  /// A campaign with this trigger opens the player.
  public var mediaEvent: String? = InAppMessageOptions.defaultMediaEvent
  /// When the stack gives up its next message by itself.
  public var drainPolicy = DrainPolicy.manual
  /// Whether a message goes back to the stack when the person begins to write.
  public var hidesOnTextInput = false
  /// Screens of the app on which no message is shown; those that come wait.
  public var quietScreens: Set<String> = []
  /// Whether campaigns have no say in colours: for an app with a design of its own.
  public var ignoresCampaignColors = false
  /// Whether a message is refused whose view is not registered, or whose kind has none; otherwise
  /// the default view shows it.
  public var isStrictAboutViews = false
  /// Whether videos may come by `http` and from machines nearby: for those who develop.
  public var allowsDevelopmentMedia = false
  /// Whether videos may be files of this device.
  public var allowsFileMedia = false
  /// Hosts whose videos need not say by their name what they are; also the hosts below them.
  public var trustedMediaHosts: Set<String> = []
  /// The app, as campaigns know it; for campaigns that are for some apps only.
  public var app: String?
  /// The app's version, such as `1.10.2`.
  public var appVersion: String?
  /// Loads images before a message is shown; without one, views load them themselves.
  public var assetLoader: (any MessageAssetLoader)?
  /// How long apps and views are waited for; longer where tests keep every thread busy.
  package var patience = PresenterPatience()

  /// The usual ways.
  public init() {}

  /// The name that Braze's guide gives the event.
  public static let defaultMediaEvent = "SharePlay Event"
}

/// Loads a message's images before it is shown.
public protocol MessageAssetLoader: Sendable {
  /// Loads one image into the app's cache, where its views find it.
  ///
  /// - Parameter url: where it is; always `https`.
  /// - Returns: whether it can be shown. A message whose image cannot is refused; without the one
  ///   for landscape the other is used. After ten seconds it counts as lost.
  func load(_ url: String) async -> Bool
}

/// What becomes of messages while the app wants none.
public enum MessageSuppression: Hashable, Sendable, CaseIterable {
  /// The app wants messages.
  case none
  /// They are refused, and may come again at their next event (Firebase's way).
  case discard
  /// They wait on the stack.
  case queue

  var value: MessagePresenter.Suppression {
    switch self {
    case .none: .none
    case .discard: .discard
    case .queue: .queue
    }
  }
}

/// What has to be known of where messages are shown; the app keeps it up to date.
public struct PlatformState: Hashable, Sendable {
  /// The window's width, in points.
  public var width: Double
  /// The window's height, in points.
  public var height: Double
  /// How the device is held; by default as the window says.
  public var orientation: Orientation
  /// How the app can be held at all.
  public var supportedOrientations: Set<Orientation>
  /// Whether the surroundings are light or dark.
  public var colorScheme: ColorScheme
  /// Whether the person sees the app; in the background no visible time runs, and no message comes.
  public var isVisible: Bool
  /// Whether the person is writing somewhere else than in a message.
  public var isTextInputFocused: Bool
  /// Whether the person wants less motion.
  public var reducesMotion: Bool
  /// Whether the app may send notifications already: then nobody is asked.
  public var hasPushPermission: Bool
  /// The app's name for what it shows now, for ``InAppMessageOptions/quietScreens``.
  public var screen: String?

  /// The state of an app that the person sees, in a window of that size.
  public init(width: Double = 390, height: Double = 844) {
    self.width = width
    self.height = height
    orientation = Orientation(width: width, height: height)
    supportedOrientations = [.portrait, .landscape]
    colorScheme = .light
    isVisible = true
    isTextInputFocused = false
    reducesMotion = false
    hasPushPermission = false
  }
}
