import InAppMessaging

/// What went wrong with a message without stopping anything; for whoever develops the app.
public struct MessageWarning: Hashable, Sendable, CustomStringConvertible {
  /// What it is about.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Whoever draws it never said that it was seen: it does not count, and comes again.
    case impressionMissing
    /// No button has that id.
    case unknownButton
    /// No view has that name, or none is there for the kind.
    case unknownView
    /// The app put a message with another id in its place; the delivery's own was kept.
    case identityChanged
    /// What was to be shown is not in order.
    case invalidContent
    /// A link leads nowhere one may go.
    case refusedLink
    /// The session watches something else than the message says; the session's is shown.
    case otherMedia
    /// The app cannot be held so, or the message not be shown so.
    case unsupportedOrientation
    /// The view did not say in time that it was there, or gone.
    case viewSilent
    /// More was asked for at once than is bearable.
    case tooManyClicks
  }

  /// What it is about.
  public let kind: Kind
  /// Where: the button, the view, the extra or the link.
  public let detail: String?

  /// Both, in a line.
  public var description: String { detail.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue }

  init(_ warning: MessagePresenter.Warning) {
    (kind, detail) =
      switch warning {
      case .impressionMissing: (.impressionMissing, nil)
      case .unknownButton(let id): (.unknownButton, id)
      case .unknownView(let name): (.unknownView, name)
      case .identityChanged: (.identityChanged, nil)
      case .invalidContent(let fault): (.invalidContent, fault.description)
      case .refusedLink(let link): (.refusedLink, link)
      case .otherMedia(let url): (.otherMedia, url)
      case .unsupportedOrientation: (.unsupportedOrientation, nil)
      case .viewSilent: (.viewSilent, nil)
      case .tooManyClicks: (.tooManyClicks, nil)
      }
  }
}
