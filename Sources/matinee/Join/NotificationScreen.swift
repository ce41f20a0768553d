import MatineeClient

/// A notification on a terminal: what is drawn, and what a line that is typed does.
///
/// A pure value, so that every key can be tried without a terminal.
struct NotificationScreen: Equatable {
  /// What comes of a line.
  enum Reaction: Equatable {
    /// It looks otherwise now.
    case redraw
    case act(Act)
    /// A key that means nothing here.
    case nothing
  }

  /// What the person does about it.
  enum Act: Equatable {
    case tap
    case action(String, text: String?)
    case dismissal

    /// What handlers hear.
    func response(_ notification: UserNotification) -> NotificationResponse {
      switch self {
      case .tap:
        NotificationResponse(notification: notification, actionID: ActionIdentifier.defaultAction)
      case .action(let action, let text):
        NotificationResponse(notification: notification, actionID: action, userText: text)
      case .dismissal:
        NotificationResponse(notification: notification, actionID: ActionIdentifier.dismissAction)
      }
    }
  }

  let notification: UserNotification
  private let actions: [NotificationAction]
  private let width: Int
  /// The action that waits for its text.
  private var writing: NotificationAction?

  init(
    _ notification: UserNotification, _ category: NotificationCategory?,
    size: TerminalSize = .smallest
  ) {
    self.notification = notification
    actions = Array(category?.actions(isCompact: false) ?? [])
    width = size.columns
  }

  /// Whether what is typed next is a text for it, whatever it says.
  var isWriting: Bool { writing != nil }

  // MARK: Keys

  /// What a line does; `nil` if it is not for the notification.
  mutating func obey(_ line: String) -> Reaction? {
    let key = MessageKey(line: line)
    if let writing {
      switch key {
      case .escape:
        self.writing = nil
        return .redraw
      case .enter: return .nothing
      default: return .act(.action(writing.id, text: line))
      }
    }
    switch key {
    case .enter: return .act(.tap)
    case .escape: return .act(.dismissal)
    case .number(let number): return choose(number)
    case .tab, .up, .down: return .nothing
    case nil: return nil
    }
  }

  private mutating func choose(_ number: Int) -> Reaction {
    guard actions.indices.contains(number - 1) else { return .nothing }
    let action = actions[number - 1]
    guard action.textInput != nil else {
      return .act(.action(action.id, text: nil))
    }
    writing = action
    return .redraw
  }

  // MARK: Drawing

  /// The notification, and beneath it what can be done about it.
  var lines: [StyledLine] {
    NotificationPanel(notification.content, actions: actions, width: width).lines
      + [StyledLine(hint, .dim)]
  }

  private var hint: String {
    if let writing { return "\(prompt(for: writing)); return sends it, esc gives it up" }
    let choices = actions.enumerated().map { "\($0 + 1): \($1.spokenTitle)" }
    let parts = [choices.joined(separator: ", "), "return opens it", "esc dismisses it", "ignore"]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private func prompt(for action: NotificationAction) -> String {
    let example = action.textInput?.placeholder.withoutControls ?? ""
    return example.isEmpty ? "write your text" : "write your text, such as “\(example)”"
  }
}

/// A verb about the notifications that stand.
enum NotificationVerb: Equatable {
  /// Lists them.
  case list
  /// Shows one of the list again.
  case show(Int)
  /// Puts the one on screen aside, where it stands.
  case ignore

  /// How each is written.
  static let forms = ["notifications", "notification NUMBER", "ignore"]

  /// Reads a verb; `nil` if it is none of these.
  init?(_ phrase: String) {
    let words = phrase.split(separator: " ")
    switch (words.first, words.count) {
    case ("notifications", 1): self = .list
    case ("ignore", 1): self = .ignore
    case ("notification", 2):
      guard let number = Int(words[1]), number > 0 else { return nil }
      self = .show(number)
    default: return nil
    }
  }
}
