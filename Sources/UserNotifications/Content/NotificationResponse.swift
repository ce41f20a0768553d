/// What a person did about a notification.
public struct NotificationResponse: Hashable, Sendable {
  /// The notification as it was shown.
  public let notification: UserNotification
  /// An action's name, or one of the two in ``ActionIdentifier`` that every notification knows.
  public let actionID: String
  /// What was written, if the action asks for a text.
  public let userText: String?

  /// A response.
  public init(notification: UserNotification, actionID: String, userText: String? = nil) {
    self.notification = notification
    self.actionID = actionID
    self.userText = userText
  }

  /// Whether the server sent what was responded to; a handler for both asks this first.
  public var isRemote: Bool { notification.trigger.isRemote }

  /// What an invitation is answered with; `nil` for whatever is no answer to one.
  ///
  /// The category comes before the action: the same action of another category means nothing here,
  /// and neither does one of a notification that the device made itself.
  public var invitationAnswer: InvitationAnswer? {
    let categories = [
      NotificationCategory.groupWatchInviteID, NotificationCategory.messageCategoryID,
    ]
    guard isRemote, let category = notification.content.categoryID, categories.contains(category)
    else { return nil }
    return switch actionID {
    case ActionIdentifier.accept: .accept
    case ActionIdentifier.decline: .decline
    case ActionIdentifier.reply: .reply(userText ?? "")
    default: nil
    }
  }

  /// What can be said to an invitation.
  public enum InvitationAnswer: Hashable, Sendable {
    case accept
    case decline
    /// A text; the invitation stays open.
    case reply(String)
  }
}
