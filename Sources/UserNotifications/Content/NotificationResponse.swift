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

/// What the server is to hear of a notification it sent.
public enum NotificationReport: Hashable, Sendable {
  /// What became of it on this device. A notification without one is listed again.
  case acknowledged(DeliveryResult)
  /// What the person did about it.
  case responded(actionID: String, text: String?)
  /// It stands here no more, and nobody did anything about it.
  case removed
}

/// What became of a notification on a device; the server hears it as the acknowledgement.
public enum DeliveryResult: String, Hashable, Sendable, CaseIterable {
  /// It was shown.
  case presented
  /// The app was in front, and did not want it shown.
  case notPresented
  // The word of the reception handler.
  case newData
  case noData
  case failed
  // Of a response.
  /// The handler of a response said that it was done.
  case completed
  // Of both.
  /// A handler did not say in time that it was done.
  case timedOut
  /// It had come before.
  case alreadyDelivered
}

/// What a reception handler made of a notification.
public enum FetchResult: String, Hashable, Sendable, CaseIterable {
  case newData
  case noData
  case failed

  /// The result as the server hears it.
  package var deliveryResult: DeliveryResult {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}
