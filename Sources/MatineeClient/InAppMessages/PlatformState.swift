public import InAppMessaging

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
