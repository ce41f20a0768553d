/// A person's response to a notification.
public struct NotificationResponse: Hashable, Sendable {
  /// The notification as it was shown.
  public let notification: UserNotification
  /// An action's name, or one of the two in ``ActionIdentifier`` that every notification has.
  public let actionID: String
  /// The text that the person wrote, if the action asks for one.
  public let userText: String?

  /// A response.
  public init(notification: UserNotification, actionID: String, userText: String? = nil) {
    self.notification = notification
    self.actionID = actionID
    self.userText = userText
  }

  /// Whether the server sent the notification; a handler for both kinds checks this first.
  public var isRemote: Bool { notification.trigger.isRemote }

  /// The answer to an invitation; `nil` if the response is none.
  ///
  /// Only the category of invitations counts, because members cannot publish in it: the same action
  /// of another category, or of a local notification, is no answer.
  public var invitationAnswer: InvitationAnswer? {
    guard isRemote, notification.content.categoryID == NotificationCategory.groupWatchInviteID
    else { return nil }
    return switch actionID {
    case ActionIdentifier.accept: .accept
    case ActionIdentifier.decline: .decline
    case ActionIdentifier.reply: .reply(userText ?? "")
    default: nil
    }
  }

  /// The answers to an invitation.
  public enum InvitationAnswer: Hashable, Sendable {
    /// The person wants to join.
    case accept
    /// The person does not want to join.
    case decline
    /// A text; the invitation stays open.
    case reply(String)
  }
}

/// What a device reports of a notification that the server sent.
public enum NotificationReport: Hashable, Sendable {
  /// What became of it on this device. The server lists an unacknowledged notification again.
  case acknowledged(DeliveryResult)
  /// The person responded to it.
  case responded(actionID: String, text: String?)
  /// It was removed from this device without a response.
  case removed
}

/// What became of a notification on a device; it is sent as the acknowledgement.
public enum DeliveryResult: String, Hashable, Sendable, CaseIterable {
  /// It was shown.
  case presented
  /// The app was in front and did not show it.
  case notPresented
  // The word of the reception handler.
  /// The reception handler fetched something new.
  case newData
  /// The reception handler found nothing new.
  case noData
  /// The reception handler could not fetch.
  case failed
  // Of a response.
  /// The handler of a response is done.
  case completed
  // Of an arrival and of a response.
  /// A handler ran out of time.
  case timedOut
  /// It had arrived before.
  case alreadyDelivered
}

/// The result of a reception handler.
public enum FetchResult: String, Hashable, Sendable, CaseIterable {
  /// The handler fetched something new.
  case newData
  /// The handler found nothing new.
  case noData
  /// The handler could not fetch.
  case failed

  /// The result as the server is told.
  package var deliveryResult: DeliveryResult {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}
