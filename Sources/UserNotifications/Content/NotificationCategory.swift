/// A sort of notification: which actions it offers, and how it is treated.
public struct NotificationCategory: Hashable, Sendable, Identifiable {
  /// The app's name for it; payloads carry it as `aps.category`.
  public var id: String
  /// What can be done, the most important first.
  public var actions: [NotificationAction]
  /// How its notifications are treated.
  public var options: Options

  /// A category.
  public init(id: String, actions: [NotificationAction], options: Options = []) {
    self.id = id
    self.actions = actions
    self.options = options
  }

  /// The action of that name; the first, should two have it.
  public func action(_ id: String) -> NotificationAction? {
    actions.first { $0.id == id }
  }

  /// The actions that are drawn: four where there is room, two where there is not, such as in a banner
  /// or in a browser.
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
    /// The title is shown even where what a notification says is hidden.
    public static let hiddenPreviewsShowTitle = Options(rawValue: 4)
    /// The subtitle is shown even where what a notification says is hidden.
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
