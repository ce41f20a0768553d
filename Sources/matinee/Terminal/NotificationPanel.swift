import InAppMessaging
import UserNotifications

/// A notification as text: what a terminal shows of it.
///
/// A pure value: the same notification and width are the same lines. Nothing in a notification can
/// move the cursor or colour the screen.
struct NotificationPanel: Equatable, Sendable {
  let lines: [StyledLine]

  /// Draws a notification as a banner, with as many of its actions as there is room for.
  ///
  /// - Parameters:
  ///   - content: what it says.
  ///   - actions: what can be done about it.
  ///   - width: how many columns there are.
  init(_ content: NotificationContent, actions: [NotificationAction], width: Int) {
    let frame = PanelFrame(.edge(.top), max(MessagePanel.narrowest, width))
    let texts: [(String, TextStyling.Style)] = [
      (content.title, .bold), (content.subtitle, .plain), (content.body, .plain),
    ]
    let said = texts.filter { !$0.0.isEmpty }.flatMap { text, style in
      text.wrapped(to: frame.innerColumns).map { StyledLine($0, style) }
    }
    lines = frame.lines(
      around: said + Self.buttons(actions, width: frame.innerColumns), hasCloseButton: false)
  }

  /// In reading order; beneath each other where they do not fit.
  private static func buttons(_ actions: [NotificationAction], width: Int) -> [StyledLine] {
    let buttons = actions.enumerated().map { place, action in
      let text = "\(place + 1) \(action.spokenTitle)"[...].prefix(columns: width - 4)
      return StyledLine("[ \(text) ]", action.options.contains(.destructive) ? .red : .plain)
    }
    guard let first = buttons.first else { return [] }
    let row = buttons.dropFirst().reduce(first) { $0 + .space(2) + $1 }
    return row.columns <= width ? [row] : buttons
  }
}

extension NotificationAction {
  /// What stands on its button, without what a terminal would obey.
  var spokenTitle: String {
    title.onOneLine.trimmingSpaces
  }
}

extension NotificationContent {
  /// What it is called in a line: its first text.
  var spokenTitle: String {
    let text = [title, subtitle, body].first { !$0.isEmpty } ?? "a notification"
    return text.onOneLine
  }
}
