extension InAppMessage {
  /// Where a message stands.
  public enum Surface: Hashable, Sendable {
    /// At an edge, over an app that stays usable.
    case edge(Edge)
    /// In the middle, and the app waits.
    case dialog
    case fullScreen
    /// Nowhere: a control.
    case invisible
  }

  /// An edge of the screen.
  public enum Edge: String, Hashable, Sendable, CaseIterable {
    case top
    case bottom
  }

  /// How a device may be held for a message to be shown.
  public enum OrientationSupport: String, Hashable, Sendable, CaseIterable {
    case any
    case portrait
    case landscape

    /// Whether a message is shown on a device held so.
    public func contains(_ orientation: Orientation) -> Bool {
      switch self {
      case .any: true
      case .portrait: orientation == .portrait
      case .landscape: orientation == .landscape
      }
    }
  }
}

extension InAppMessage.Surface {
  /// A surface in a word.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case top
    case bottom
    case dialog
    case fullScreen
    case invisible
  }

  /// How it is called.
  package var name: Name {
    switch self {
    case .edge(.top): .top
    case .edge(.bottom): .bottom
    case .dialog: .dialog
    case .fullScreen: .fullScreen
    case .invisible: .invisible
    }
  }

  /// The surface that is called so.
  package init(_ name: Name) {
    self =
      switch name {
      case .top: .edge(.top)
      case .bottom: .edge(.bottom)
      case .dialog: .dialog
      case .fullScreen: .fullScreen
      case .invisible: .invisible
      }
  }
}

/// How a device is held.
public enum Orientation: String, Hashable, Sendable, CaseIterable {
  case portrait
  case landscape

  /// A window wider than high is held in landscape; a square one is not.
  public init(width: Double, height: Double) {
    self = width > height ? .landscape : .portrait
  }
}
