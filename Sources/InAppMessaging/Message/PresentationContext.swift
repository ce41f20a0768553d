/// How a message is about to be presented; an app may change all of it before it is.
///
/// Changes affect only this presentation: the campaign's message stays as it is, and the delivery
/// keeps its id and its campaign. Source: Braze's `PresentationContext`.
public struct PresentationContext: Equatable, Sendable {
  /// The message; an app may replace it.
  public var message: InAppMessage
  /// The initial orientation, if the app supports it; afterwards the message follows the device.
  public var preferredOrientation: Orientation?
  /// How the status bar is shown while the message is on screen.
  public var statusBarHideBehavior: StatusBarHideBehavior
  /// The name of the view to show it in; without one, the message decides.
  public var viewType: String?
  /// How far a message at an edge stands from it, besides what the view keeps clear; in points.
  public var edgeOffset: Double

  /// What becomes of the status bar, or what else an app has around its content.
  public enum StatusBarHideBehavior: String, Hashable, Sendable, CaseIterable {
    /// The view decides: hidden if it covers the screen, otherwise unchanged.
    case auto
    /// It is hidden while the message is shown.
    case hidden
    /// It is visible while the message is shown.
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

/// What an app wants done with a message that is about to be shown.
public enum DisplayChoice: Hashable, Sendable, CaseIterable, RawRepresentable {
  /// Shows it.
  case now
  /// Puts it on top of the stack; it is not used up.
  case reenqueue
  /// Drops it; it counts as used up.
  case discard

  /// An older name of ``reenqueue``.
  @available(*, deprecated, renamed: "reenqueue")
  public static var later: DisplayChoice { .reenqueue }

  /// The choice of that name; `later` is read as ``reenqueue``.
  public init?(rawValue: String) {
    switch rawValue {
    case "now": self = .now
    case "reenqueue", "later": self = .reenqueue
    case "discard": self = .discard
    default: return nil
    }
  }

  /// Its name; never `later`.
  public var rawValue: String {
    switch self {
    case .now: "now"
    case .reenqueue: "reenqueue"
    case .discard: "discard"
    }
  }
}

/// Why a message is presented.
public enum MessageOrigin: String, Hashable, Sendable, CaseIterable {
  /// An event triggered it.
  case trigger
  /// It was next on the stack.
  case stack
  /// A click on the previous message triggered it.
  case followUp
  /// It belongs to a session and had waited for the screen.
  case deferred
  /// The app presents it itself.
  case local
}

/// When the stack presents its next message by itself.
public enum DrainPolicy: Hashable, Sendable, CaseIterable {
  /// Never; the app calls `InAppMessages.presentNext()`.
  case manual
  /// When the app comes to the foreground.
  case onForeground
  /// When a message has ended, or what blocked the screen is gone.
  case onSlotFree
}

/// What happens to messages while the app wants none.
public enum MessageSuppression: Hashable, Sendable, CaseIterable {
  /// The app wants messages.
  case none
  /// Messages are refused and may come again at their next event, as in Firebase.
  case discard
  /// Messages wait on the stack.
  case queue
}
