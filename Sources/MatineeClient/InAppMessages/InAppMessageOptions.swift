public import InAppMessaging

/// A client's settings for in-app messages.
public struct InAppMessageOptions: Sendable {
  /// When the stack presents its next message by itself.
  public enum DrainPolicy: Hashable, Sendable, CaseIterable {
    /// Never; the app calls ``InAppMessages/presentNext()``.
    case manual
    /// When the app comes to the foreground.
    case onForeground
    /// When a message has ended, or what blocked the screen is gone.
    case onSlotFree
  }

  /// The event that is logged when a session's media is enqueued on this device; `nil` logs none.
  ///
  /// A campaign with this trigger opens the player.
  public var mediaEvent: String? = InAppMessageOptions.defaultMediaEvent
  /// When the stack presents its next message by itself.
  public var drainPolicy = DrainPolicy.manual
  /// Whether the visible message returns to the stack when the person starts typing.
  public var hidesOnTextInput = false
  /// Screens of the app on which no message is shown; messages that arrive there wait.
  public var quietScreens: Set<String> = []
  /// Whether the campaigns' colours are ignored, for an app with a design of its own.
  public var ignoresCampaignColors = false
  /// Whether the dismissal of a message dismisses the session that it hosts.
  ///
  /// An app whose people go on watching outside of the message turns it off, and leaves sessions itself.
  public var leavesWithMessage = true
  /// Whether a message is refused if its view is not registered or its kind has none; otherwise the
  /// default view shows it.
  public var isStrictAboutViews = false
  /// Whether videos of sessions may come over `http` and from local hosts, for development.
  ///
  /// Videos of the server's own campaigns may come from local hosts in any case.
  public var allowsDevelopmentMedia = false
  /// Whether videos may be files on this device.
  public var allowsFileMedia = false
  /// Hosts whose video URLs may have any file extension; their subdomains are included.
  public var trustedMediaHosts: Set<String> = []
  /// The app's identifier in campaigns, for campaigns that target some apps only.
  public var app: String?
  /// The app's version, such as `1.10.2`.
  public var appVersion: String?
  /// Loads images before a message is shown; `nil` leaves loading to the views.
  public var assetLoader: (any MessageAssetLoader)?
  /// The deadlines for apps and views; tests raise them when they keep every thread busy.
  package var patience = PresenterPatience()

  /// The default settings.
  public init() {}

  /// The event name that Braze's guide uses.
  public static let defaultMediaEvent = "SharePlay Event"
}

/// Loads a message's images before it is shown.
public protocol MessageAssetLoader: Sendable {
  /// Loads one image into the app's cache, from which its views read it.
  ///
  /// - Parameter url: the image's URL; always `https`.
  /// - Returns: whether the image can be shown. If the main image cannot, the message is refused;
  ///   if only the landscape image cannot, the main one is used. After ten seconds loading counts
  ///   as failed.
  func load(_ url: String) async -> Bool
}

/// What happens to messages while the app wants none.
public enum MessageSuppression: Hashable, Sendable, CaseIterable {
  /// The app wants messages.
  case none
  /// Messages are refused and may come again at their next event, as in Firebase.
  case discard
  /// Messages wait on the stack.
  case queue

  var value: MessagePresenter.Suppression {
    switch self {
    case .none: .none
    case .discard: .discard
    case .queue: .queue
    }
  }
}

/// The environment in which messages are shown; the app keeps it up to date.
public struct PlatformState: Hashable, Sendable {
  /// The window's width, in points.
  public var width: Double
  /// The window's height, in points.
  public var height: Double
  /// The device's orientation; by default derived from the window's size.
  public var orientation: Orientation
  /// The orientations that the app supports.
  public var supportedOrientations: Set<Orientation>
  /// Whether the app's appearance is light or dark.
  public var colorScheme: ColorScheme
  /// Whether the app is visible; in the background visible time does not count, and no message
  /// comes.
  public var isVisible: Bool
  /// Whether the person is typing somewhere other than in a message.
  public var isTextInputFocused: Bool
  /// Whether the person prefers reduced motion.
  public var reducesMotion: Bool
  /// Whether the app already has permission to send notifications; then the person is not asked.
  public var hasPushPermission: Bool
  /// The app's name for its current screen, for ``InAppMessageOptions/quietScreens``.
  public var screen: String?

  /// Creates the state of a visible app in a window of this size.
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
