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
  /// The app's name for its current screen, for `InAppMessageOptions.quietScreens`.
  public var screen: String?
  /// Whether there is anything to show messages on.
  package var hasDisplay = true
  /// The kinds of messages that can be drawn at all; the registry chooses among views.
  package var kinds = Set(InAppMessage.Kind.allCases)

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

extension PlatformState {
  /// The state of a visible app in a window of this size.
  package init(
    width: Double = 390, height: Double = 844, colorScheme: ColorScheme = .light,
    supportedOrientations: Set<Orientation> = [.portrait, .landscape], isVisible: Bool = true,
    isTextInputFocused: Bool = false, reducesMotion: Bool = false, hasDisplay: Bool = true,
    kinds: Set<InAppMessage.Kind> = Set(InAppMessage.Kind.allCases),
    hasPushPermission: Bool = false, screen: String? = nil
  ) {
    self.init(width: width, height: height)
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
