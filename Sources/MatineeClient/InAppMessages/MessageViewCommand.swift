public import GroupSessions
public import InAppMessaging

/// What a view is to do.
public enum MessageViewCommand: Hashable, Sendable {
  /// Come on screen, and report `presented` when all movement is done: within five seconds.
  case show(ShownMessage)
  /// Show this instead, in place, without a movement: other media, other colours, turned around.
  case update(ShownMessage)
  /// Stop what plays in it.
  case pause
  /// Go, and report `dismissed` when it is gone: within five seconds.
  case dismiss(animated: Bool)
}

/// A message as it is to be shown in the surroundings of the moment.
public struct ShownMessage: Hashable, Sendable {
  /// What is shown; what the app changed is in it.
  public var message: InAppMessage
  /// The name by which the view was chosen.
  public var viewType: String
  /// How far a message at an edge stands from it, besides what the view keeps clear; in points.
  public var edgeOffset: Double
  /// Whether the surroundings are light or dark.
  public var colorScheme: ColorScheme
  /// How it is held.
  public var orientation: Orientation
  /// Whether it covers the screen; a full screen message in a large window is a dialog.
  public var coversScreen: Bool
  /// Whether it comes with a movement.
  public var isAnimated: Bool
  /// Whether what plays here alone could be shared with the group now.
  public var canShare: Bool

  /// The buttons that can be used now: one that starts the watching for everyone is there only while
  /// that is possible.
  public var buttons: [InAppMessage.Button] {
    guard !canShare else { return message.buttons }
    return message.buttons.filter { !$0.clickAction.leaves.contains(.session(.startForAll)) }
  }

  /// The message's colours in these surroundings.
  public var theme: InAppMessage.Theme { message.themes.theme(for: colorScheme) }

  /// A button's colours in these surroundings.
  public func theme(of button: InAppMessage.Button) -> InAppMessage.Theme {
    button.themes.theme(for: colorScheme)
  }

  /// The video it shows, and its title, if its view is a player's.
  public var video: MediaItem? { message.video }

  /// The items its text lists, for views that let a person choose.
  ///
  /// - Parameter isLenient: a comma alone separates, whatever the space around; else a comma and a
  ///   space do, so that items may have commas in them.
  public func items(isLenient: Bool = false) -> [String] {
    ItemList(message, isLenient ? .lenient : .exact).items
  }

  /// The attribute in which a choice is to be kept; without one nothing can be submitted.
  public var attributeKey: String? { ItemList(message).attributeKey }
}

extension InAppMessage {
  /// The video it shows, and its title, if its view is a player's.
  public var video: MediaItem? {
    VideoView(self).map { MediaItem(title: $0.title, url: $0.url) }
  }
}
