/// How a message is about to be presented; an app may change all of it before it is.
///
/// What is changed is what is shown: the campaign's own message stays as it is, and the delivery
/// keeps its id and its campaign. Source: Braze's `PresentationContext`.
public struct PresentationContext: Equatable, Sendable {
  /// The message; an app may put another in its place.
  public var message: InAppMessage
  /// How it is held at first, where the app can be held so; afterwards it follows the device.
  public var preferredOrientation: Orientation?
  /// What becomes of the status bar while it is on screen.
  public var statusBarHideBehavior: StatusBarHideBehavior
  /// The name of the view to show it in; without one, the message decides.
  public var viewType: String?
  /// How far a message at an edge stands from it, besides what the view keeps clear; in points.
  public var edgeOffset: Double

  /// What becomes of the status bar, or what else an app has around its content.
  public enum StatusBarHideBehavior: String, Hashable, Sendable, CaseIterable {
    /// As the view would have it: hidden where it covers the screen, else as it was.
    case auto
    case hidden
    case visible
  }

  /// A context.
  public init(
    message: InAppMessage, preferredOrientation: Orientation? = nil,
    statusBarHideBehavior: StatusBarHideBehavior = .auto, viewType: String? = nil,
    edgeOffset: Double = 0
  ) {
    self.message = message
    self.preferredOrientation = preferredOrientation
    self.statusBarHideBehavior = statusBarHideBehavior
    self.viewType = viewType
    self.edgeOffset = edgeOffset
  }
}
