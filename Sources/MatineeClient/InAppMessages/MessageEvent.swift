public import InAppMessaging

/// What happens to messages, for an app's own analytics.
public enum MessageEvent: Hashable, Sendable {
  /// A message is coming on screen.
  case willPresent(InAppMessage)
  /// It counts as seen.
  case impression(InAppMessage)
  /// It is on screen.
  case didPresent(InAppMessage)
  /// It was clicked, on that button or, `nil`, on the body.
  case clicked(MessageID, button: String?)
  /// What is on screen changes in place.
  case willUpdate(InAppMessage)
  /// It is going.
  case willDismiss(InAppMessage, InAppMessage.DismissReason)
  /// It is gone.
  case didDismiss(InAppMessage, InAppMessage.DismissReason)
  /// The delivery came to its end.
  case finished(MessageID, InAppMessage.Outcome)
  /// Something went wrong without stopping anything.
  case warning(MessageWarning, MessageID)
  /// The server never heard of something, such as an event: too many waited, or it was refused.
  case unsent(String)
  /// No live campaign waits for an event of that name, or not for one with such properties; one that
  /// waits for it and is kept from the person, such as by a cap, is not meant.
  case noMatchingTrigger(event: String)
  /// So many of these went missing here, since this reader was too slow.
  case missed(Int)

  /// Its name, such as `iam.didPresent`; never changes.
  public var name: String {
    switch self {
    case .willPresent: "iam.willPresent"
    case .impression: "iam.impression"
    case .didPresent: "iam.didPresent"
    case .clicked: "iam.clicked"
    case .willUpdate: "iam.willUpdate"
    case .willDismiss: "iam.willDismiss"
    case .didDismiss: "iam.didDismiss"
    case .finished: "iam.finished"
    case .warning: "iam.warning"
    case .unsent: "iam.unsent"
    case .noMatchingTrigger: "iam.noMatchingTrigger"
    case .missed: "iam.missed"
    }
  }

  /// The delivery it is about; `nil` for those about none.
  public var messageID: MessageID? {
    switch self {
    case .willPresent(let message), .impression(let message), .didPresent(let message),
      .willUpdate(let message), .willDismiss(let message, _), .didDismiss(let message, _):
      message.id
    case .clicked(let id, _), .finished(let id, _), .warning(_, let id): id
    case .unsent, .noMatchingTrigger, .missed: nil
    }
  }
}

extension MessageEvent {
  /// What an output means for those who observe; `nil` for what is between presenter and app.
  init?(_ output: MessagePresenter.Output) {
    switch output {
    case .tell(let event): self.init(event)
    case .report(let id, .clicked(let button)): self = .clicked(id, button: button)
    case .warn(let warning, let id): self = .warning(MessageWarning(warning), id)
    default: return nil
    }
  }

  private init(_ event: MessagePresenter.LifeCycleEvent) {
    self =
      switch event {
      case .willPresent(let message): .willPresent(message)
      case .impression(let message): .impression(message)
      case .didPresent(let message): .didPresent(message)
      case .willUpdate(let message): .willUpdate(message)
      case .willDismiss(let message, let reason): .willDismiss(message, reason)
      case .didDismiss(let message, let reason): .didDismiss(message, reason)
      case .finished(let id, let outcome): .finished(id, outcome)
      }
  }
}

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
