public import InAppMessaging

/// A client's settings for in-app messages.
public struct InAppMessageOptions: Sendable {
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
