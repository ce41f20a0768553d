/// A kind of notification: its actions, and how the system treats it.
public struct NotificationCategory: Hashable, Sendable, Identifiable {
  /// The app's name for it; payloads carry it as `aps.category`.
  public var id: String
  /// The actions, the most important first.
  public var actions: [NotificationAction]
  /// How its notifications are treated.
  public var options: Options

  /// A category.
  public init(id: String, actions: [NotificationAction], options: Options = []) {
    self.id = id
    self.actions = actions
    self.options = options
  }

  /// The action of that name; the first, if two have it.
  public func action(_ id: String) -> NotificationAction? {
    actions.first { $0.id == id }
  }

  /// The actions that are drawn: four where there is room, two in a banner or a browser.
  public func actions(isCompact: Bool) -> ArraySlice<NotificationAction> {
    actions.prefix(isCompact ? 2 : 4)
  }

  /// How notifications of a category are treated; the raw values are UserNotifications' own.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// The options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The app hears when the person dismisses one.
    public static let customDismissAction = Options(rawValue: 1)
    /// Shown in a car, too.
    public static let allowInCarPlay = Options(rawValue: 2)
    /// The title is shown even where previews are hidden.
    public static let hiddenPreviewsShowTitle = Options(rawValue: 4)
    /// The subtitle is shown even where previews are hidden.
    public static let hiddenPreviewsShowSubtitle = Options(rawValue: 8)
    /// May be read aloud.
    public static let allowAnnouncement = Options(rawValue: 16)
  }
}

// MARK: Invitations to watch together

extension NotificationCategory {
  /// The category of invitations to a session.
  public static let groupWatchInviteID = "GROUP_WATCH_INVITE"
  /// The category under which Kii's samples have the same two actions.
  public static let messageCategoryID = "MESSAGE_CATEGORY"

  /// Invitations to a session: accept in the app, decline without it, or write back.
  public static func groupWatchInvite(id: String = groupWatchInviteID) -> NotificationCategory {
    NotificationCategory(
      id: id,
      actions: [
        NotificationAction(id: ActionIdentifier.accept, title: "Join", options: .foreground),
        NotificationAction(
          id: ActionIdentifier.decline, title: "Decline", options: .destructive),
        NotificationAction(
          id: ActionIdentifier.reply, title: "Reply",
          textInput: NotificationAction.TextInput(
            buttonTitle: "Send", placeholder: "Be right there")),
      ],
      options: .customDismissAction)
  }
}

/// What a person can do about a notification without opening the app first.
public struct NotificationAction: Hashable, Sendable, Identifiable {
  /// The app's name for it; responses carry it.
  public var id: String
  /// The text on its button.
  public var title: String
  /// How it is to be carried out.
  public var options: Options
  /// A symbol's name or character, beside the title.
  public var icon: String?
  /// The field for a text that the person writes first; `nil` if the action needs none.
  public var textInput: TextInput?

  /// An action.
  public init(
    id: String, title: String, options: Options = [], icon: String? = nil,
    textInput: TextInput? = nil
  ) {
    self.id = id
    self.title = title
    self.options = options
    self.icon = icon
    self.textInput = textInput
  }

  /// How an action is carried out; the raw values are UserNotifications' own.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// The options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Carried out only once the device is unlocked.
    public static let authenticationRequired = Options(rawValue: 1)
    /// It destroys something: it is drawn as such, and the app should ask for confirmation.
    public static let destructive = Options(rawValue: 2)
    /// Brings the app to the front; without it the action is taken in the background.
    public static let foreground = Options(rawValue: 4)
  }

  /// A field for a reply.
  public struct TextInput: Hashable, Sendable {
    /// The text on the button that sends the reply.
    public var buttonTitle: String
    /// The placeholder of the empty field.
    public var placeholder: String

    /// A field.
    public init(buttonTitle: String, placeholder: String = "") {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }
}

/// The identifiers of a response's action, exactly as in UserNotifications and in Kii's samples.
public enum ActionIdentifier {
  /// The notification itself was tapped.
  public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
  /// The notification was dismissed on purpose; the app hears of it only in categories that ask for
  /// it.
  public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"
  /// An invitation is accepted.
  public static let accept = "ACCEPT_IDENTIFIER"
  /// An invitation is declined.
  public static let decline = "DECLINE_IDENTIFIER"
  /// An invitation is answered with a text, and stays open.
  public static let reply = "REPLY_IDENTIFIER"
}
