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
    case .missed: "iam.missed"
    }
  }

  /// The delivery it is about; `nil` for ``missed(_:)``.
  public var messageID: MessageID? {
    switch self {
    case .willPresent(let message), .impression(let message), .didPresent(let message),
      .willUpdate(let message), .willDismiss(let message, _), .didDismiss(let message, _):
      message.id
    case .clicked(let id, _), .finished(let id, _), .warning(_, let id): id
    case .missed: nil
    }
  }
}
