/// A message and the environment in which it is shown.
public struct ShownMessage: Hashable, Sendable {
  /// The message, with the app's changes.
  public var message: InAppMessage
  /// The name that selected the view.
  public var viewType: String
  /// The distance of an edge message from its edge, in points, in addition to the view's own
  /// margin; ``distance(fromEdge:)`` is the whole of it.
  public var edgeOffset: Double
  /// Whether the app's appearance is light or dark.
  public var colorScheme: ColorScheme
  /// The orientation to show it in.
  public var orientation: Orientation
  /// Whether it covers the screen; in a large window a full-screen message is a dialog.
  public var coversScreen: Bool
  /// Whether it appears with an animation.
  public var isAnimated: Bool
  /// Whether the media that plays here alone can be shared with the group now.
  public var canShare = true
  package var statusBarHideBehavior = PresentationContext.StatusBarHideBehavior.auto

  init(
    _ context: PresentationContext, in view: String, _ platform: PlatformState, coversScreen: Bool
  ) {
    message = context.message
    viewType = view
    edgeOffset = context.edgeOffset
    colorScheme = platform.colorScheme
    orientation = platform.orientation
    self.coversScreen = coversScreen
    isAnimated = context.message.animatesIn && !platform.reducesMotion
    statusBarHideBehavior = context.statusBarHideBehavior
  }

  /// The buttons that can be used now; a button that starts watching for everyone is left out while
  /// that is impossible.
  public var buttons: [InAppMessage.Button] {
    guard !canShare else { return message.buttons }
    return message.buttons.filter { !$0.clickAction.leaves.contains(.session(.startForAll)) }
  }

  /// How far a message at an edge stands from it, in points; ask again whenever the base changes, as
  /// it does when the device is turned.
  ///
  /// - Parameter base: the space that the view keeps clear: of a notch, a keyboard or a toolbar.
  /// - Returns: the base and ``edgeOffset``; or the message's extra `slideConstraint`, which is the
  ///   whole distance.
  public func distance(fromEdge base: Double) -> Double {
    var offset = EdgeOffset(message)
    (offset.base, offset.adjustment) = (base, edgeOffset)
    return offset.distance
  }

  /// The message's colours in this colour scheme.
  public var theme: InAppMessage.Theme { message.themes.theme(for: colorScheme) }

  /// A button's colours in this colour scheme.
  public func theme(of button: InAppMessage.Button) -> InAppMessage.Theme {
    button.themes.theme(for: colorScheme)
  }

  /// The items that its text lists, for views that let a person choose.
  ///
  /// - Parameter isLenient: whether a comma alone separates items, with or without spaces around
  ///   it; otherwise a comma and a space do, so that items can contain commas.
  public func items(isLenient: Bool = false) -> [String] {
    ItemList(message, isLenient ? .lenient : .exact).items
  }

  /// The attribute that stores the choice; `nil` means that nothing can be submitted.
  public var attributeKey: String? { ItemList(message).attributeKey }
}

extension ShownMessage {
  /// The same, while the media that plays here alone can be shared with the group or not.
  package func with(canShare: Bool) -> ShownMessage {
    var shown = self
    shown.canShare = canShare
    return shown
  }
}
