import MatineeClient
import MatineeTerminal

/// A notification on a terminal: what it draws, and how it handles a typed line.
///
/// It is a pure value, so that tests can try every key without a terminal.
struct NotificationScreen: Equatable {
  /// The effect of a line.
  enum Reaction: Equatable {
    /// The notification must be drawn again.
    case redraw
    case act(Act)
    /// The key has no effect here.
    case nothing
  }

  /// The person's response.
  enum Act: Equatable {
    case tap
    case action(String, text: String?)
    case dismissal

    /// The response that handlers receive.
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
  /// The action whose text is being entered.
  private var writing: NotificationAction?

  init(
    _ notification: UserNotification, _ category: NotificationCategory?, size: TerminalSize
  ) {
    self.notification = notification
    actions = Array(category?.actions(isCompact: false) ?? [])
    width = size.columns
  }

  /// Whether the next line is the text of an action, whatever the line contains.
  var isWriting: Bool { writing != nil }

  // MARK: Keys

  /// Handles a line; returns `nil` if it is not meant for the notification.
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

  /// The notification and, below it, the hint about keys.
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

/// A verb about the outstanding notifications.
enum NotificationVerb: Equatable {
  /// Lists the notifications.
  case list
  /// Shows a listed notification again.
  case show(Int)
  /// Takes the notification off the screen; it stays outstanding.
  case ignore

  /// The syntax of each verb.
  static let forms = ["notifications", "notification NUMBER", "ignore"]

  /// Parses a verb; `nil` if the phrase is none of these.
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
