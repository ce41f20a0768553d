/// What a presenter has to know of where it shows messages; whoever drives it keeps it up to date.
package struct PlatformState: Equatable, Sendable {
  /// How the device is held; a window that is a device by itself says so by its size.
  package var orientation: Orientation
  /// How the app can be held at all.
  package var supportedOrientations: Set<Orientation>
  /// In points.
  package var width: Double
  package var height: Double
  package var colorScheme: ColorScheme
  /// Whether the app is in sight; in the background no visible time runs.
  package var isVisible: Bool
  /// Whether the person is writing somewhere else than in a message.
  package var isTextInputFocused: Bool
  /// Whether the person wants less motion.
  package var reducesMotion: Bool
  /// Whether there is anything to show messages on.
  package var hasDisplay: Bool
  /// Whether the app may send notifications already: then nobody need be asked.
  package var hasPushPermission: Bool
  /// The app's name for what it shows now, for ``PresenterSettings/quietScreens``.
  package var screen: String?

  /// The state of an app in sight, in a window of that size.
  package init(
    width: Double = 390, height: Double = 844, colorScheme: ColorScheme = .light,
    supportedOrientations: Set<Orientation> = [.portrait, .landscape], isVisible: Bool = true,
    isTextInputFocused: Bool = false, reducesMotion: Bool = false, hasDisplay: Bool = true,
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
    self.hasPushPermission = hasPushPermission
    self.screen = screen
  }
}
