extension InAppMessage {
  /// The vendors' names of the kinds of messages.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    // Braze's.
    /// A text at the bottom edge, for 5 s unless the message says otherwise.
    case slideup
    /// A dialog with text.
    case modal
    /// A dialog with an image only.
    case modalImage
    /// A full screen with text.
    case full
    /// A full screen with an image only.
    case fullImage
    /// A page of HTML on the full screen.
    case html
    /// Shown to nobody: its people are the control group.
    case control
    // Firebase's.
    /// A dialog with text, which a tap outside closes.
    case card
    /// A text at the top edge, for 12 s unless the message says otherwise.
    case banner
    /// A dialog with an image only, which a tap outside closes.
    case imageOnly
  }
}

extension InAppMessage.Kind {
  var surface: InAppMessage.Surface {
    switch self {
    case .slideup: .edge(.bottom)
    case .banner: .edge(.top)
    case .modal, .modalImage, .card, .imageOnly: .dialog
    case .full, .fullImage, .html: .fullScreen
    case .control: .invisible
    }
  }

  var closing: InAppMessage.ClosePolicy {
    switch self {
    case .slideup:
      InAppMessage.ClosePolicy(after: .seconds(5), bySwipe: true, byButton: false)
    case .banner:
      InAppMessage.ClosePolicy(after: .seconds(12), bySwipe: true, byButton: false)
    case .card, .imageOnly: InAppMessage.ClosePolicy(byTapOutside: true)
    case .modal, .modalImage, .full, .fullImage, .html: InAppMessage.ClosePolicy()
    case .control: InAppMessage.ClosePolicy(byButton: false)
    }
  }

  var impression: InAppMessage.ImpressionPolicy {
    switch self {
    case .card, .banner, .imageOnly: .afterVisible(.seconds(3))
    case .slideup, .modal, .modalImage, .full, .fullImage, .html, .control: .onPresent
    }
  }
}

// Braze's message is an enum with a case for each kind, so apps expect these accessors.
extension InAppMessage {
  /// The message if it is of that kind; setting one replaces this one if it is, too.
  public subscript(as kind: Kind) -> InAppMessage? {
    get { self.kind == kind ? self : nil }
    set {
      guard let newValue, self.kind == kind, newValue.kind == kind else { return }
      self = newValue
    }
  }

  /// The message if it is a slideup.
  public var slideup: InAppMessage? {
    get { self[as: .slideup] }
    set { self[as: .slideup] = newValue }
  }

  /// The message if it is a modal with text.
  public var modal: InAppMessage? {
    get { self[as: .modal] }
    set { self[as: .modal] = newValue }
  }

  /// The message if it is a modal with an image only.
  public var modalImage: InAppMessage? {
    get { self[as: .modalImage] }
    set { self[as: .modalImage] = newValue }
  }

  /// The message if it is a full screen with text.
  public var full: InAppMessage? {
    get { self[as: .full] }
    set { self[as: .full] = newValue }
  }

  /// The message if it is a full screen with an image only.
  public var fullImage: InAppMessage? {
    get { self[as: .fullImage] }
    set { self[as: .fullImage] = newValue }
  }

  /// The message if it is HTML.
  public var html: InAppMessage? {
    get { self[as: .html] }
    set { self[as: .html] = newValue }
  }

  /// The message if it is a card.
  public var card: InAppMessage? {
    get { self[as: .card] }
    set { self[as: .card] = newValue }
  }

  /// The message if it is a banner.
  public var banner: InAppMessage? {
    get { self[as: .banner] }
    set { self[as: .banner] = newValue }
  }

  /// The message if it is an image only.
  public var imageOnly: InAppMessage? {
    get { self[as: .imageOnly] }
    set { self[as: .imageOnly] = newValue }
  }
}

extension InAppMessage {
  /// Where a message is shown.
  public enum Surface: Hashable, Sendable {
    /// At an edge; the app stays usable.
    case edge(Edge)
    /// In the middle; the app waits.
    case dialog
    /// On the whole screen.
    case fullScreen
    /// Nowhere: a control.
    case invisible
  }

  /// An edge of the screen.
  public enum Edge: String, Hashable, Sendable, CaseIterable {
    /// The upper edge.
    case top
    /// The lower edge.
    case bottom
  }

  /// The orientations of the device in which a message may be shown.
  public enum OrientationSupport: String, Hashable, Sendable, CaseIterable {
    /// In both orientations.
    case any
    /// In portrait only.
    case portrait
    /// In landscape only.
    case landscape

    /// Whether a message is shown in that orientation.
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
  /// The names of surfaces.
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
  /// Upright, or square.
  case portrait
  /// On its side: wider than high.
  case landscape

  /// A window wider than high is held in landscape; a square one is not.
  public init(width: Double, height: Double) {
    self = width > height ? .landscape : .portrait
  }
}
