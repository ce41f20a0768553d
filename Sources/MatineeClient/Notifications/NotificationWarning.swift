import UserNotifications

/// What went wrong with a notification without stopping anything; for whoever develops the app.
public struct NotificationWarning: Hashable, Sendable, CustomStringConvertible {
  /// What it is about.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no handler for a response yet; it is kept until there is.
    case noHandler
    /// Too many responses were kept; this one is dropped.
    case responseDropped
    /// Its category has no such action; the app hears of it, and nothing is opened.
    case unknownAction
    /// No action was named; nothing is done.
    case noAction
    /// It does not stand, or no longer; nothing is done.
    case notStanding
    /// Too many stood; this one makes way.
    case crowdedOut
    /// What was written is too long to be sent; the notification still stands.
    case replyTooLong
    /// Too many actions waited for the person to show who they are, or for too long.
    case unlockForgotten
    /// A handler did not say in time that it was done.
    case handlerSilent
    /// Too many handlers were at work; the oldest is taken as silent.
    case tooManyCalls
  }

  /// What it is about.
  public let kind: Kind
  /// Which handler, which action, how long.
  public let detail: String?

  /// Both, in a line.
  public var description: String { detail.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue }

  init(_ warning: NotificationCenterState.Warning) {
    (kind, detail) =
      switch warning {
      case .noHandler(let handler): (.noHandler, handler.rawValue)
      case .responseDropped: (.responseDropped, nil)
      case .unknownAction(let id): (.unknownAction, id)
      case .noAction: (.noAction, nil)
      case .notStanding: (.notStanding, nil)
      case .crowdedOut: (.crowdedOut, nil)
      case .replyTooLong(let bytes, let limit):
        (.replyTooLong, "\(bytes) bytes, and \(limit) may be sent")
      case .unlockForgotten: (.unlockForgotten, nil)
      case .handlerSilent(let handler): (.handlerSilent, handler.rawValue)
      case .tooManyCalls: (.tooManyCalls, nil)
      }
  }
}
