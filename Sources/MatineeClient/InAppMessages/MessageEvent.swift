public import InAppMessaging

/// An event in the life of messages, for an app's own analytics.
public enum MessageEvent: Hashable, Sendable {
  /// The message is about to come on screen.
  case willPresent(InAppMessage)
  /// The message counts as seen.
  case impression(InAppMessage)
  /// The message is on screen.
  case didPresent(InAppMessage)
  /// The message was clicked, on a button or, with `nil`, on its body.
  case clicked(MessageID, button: String?)
  /// The message is about to change in place.
  case willUpdate(InAppMessage)
  /// The message is about to leave the screen.
  case willDismiss(InAppMessage, InAppMessage.DismissReason)
  /// The message has left the screen.
  case didDismiss(InAppMessage, InAppMessage.DismissReason)
  /// The delivery ended.
  case finished(MessageID, InAppMessage.Outcome)
  /// A problem that stopped nothing.
  case warning(MessageWarning, MessageID)
  /// What draws messages has changed, and nothing draws these kinds; see
  /// ``InAppMessages/undrawnKinds``.
  case undrawn(Set<InAppMessage.Kind>)
  /// Something, such as an event, did not reach the server: the backlog was full, it was refused, or
  /// the server has no campaigns.
  case unsent(String)
  /// No live campaign is triggered by an event of this name and these properties.
  ///
  /// A campaign that is triggered but kept from the person, such as by a cap, does not cause this.
  case noMatchingTrigger(event: String)
  /// This many events were dropped because this reader was too slow.
  case missed(Int)

  /// The event's name, such as `iam.didPresent`; names never change.
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
    case .undrawn: "iam.undrawn"
    case .unsent: "iam.unsent"
    case .noMatchingTrigger: "iam.noMatchingTrigger"
    case .missed: "iam.missed"
    }
  }

  /// The delivery it is about; `nil` for events about no delivery.
  public var messageID: MessageID? {
    switch self {
    case .willPresent(let message), .impression(let message), .didPresent(let message),
      .willUpdate(let message), .willDismiss(let message, _), .didDismiss(let message, _):
      message.id
    case .clicked(let id, _), .finished(let id, _), .warning(_, let id): id
    case .undrawn, .unsent, .noMatchingTrigger, .missed: nil
    }
  }
}

extension MessageEvent {
  /// The event for an output of the presenter; `nil` for outputs between presenter and app.
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

/// A problem with a message that stopped nothing; for the app's developers.
public struct MessageWarning: Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The display never reported an impression: the message does not count as seen and comes
    /// again.
    case impressionMissing
    /// No button has that id.
    case unknownButton
    /// No view has that name, or the kind has no view.
    case unknownView
    /// The app replaced the message by one with another id; the delivery's own id is kept.
    case identityChanged
    /// The content to show is invalid.
    case invalidContent
    /// A link's target is not allowed.
    case refusedLink
    /// The session watches other media than the message names; the session's media is shown.
    case otherMedia
    /// The app or the message does not support the orientation.
    case unsupportedOrientation
    /// The view did not report in time that it was presented or dismissed.
    case viewSilent
    /// Too many clicks wait for an answer at once.
    case tooManyClicks
  }

  /// The kind of problem.
  public let kind: Kind
  /// What it is about: the button, the view, the extra or the link.
  public let detail: String?

  /// The kind and the detail on one line.
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
