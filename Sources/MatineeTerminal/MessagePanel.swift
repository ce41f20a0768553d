package import InAppMessaging
package import UserNotifications

/// An in-app message as text for a terminal.
///
/// It is a pure value: the same message, view and width give the same lines. Nothing in a message
/// can move the cursor or colour the screen. A control message has no lines.
package struct MessagePanel: Equatable, Sendable {
  package let lines: [StyledLine]
  /// The index of the first visible line of the content.
  package let top: Int
  /// The number of visible lines of the content; `nil` if all are visible.
  package let page: Int?

  /// The minimum width; in a narrower terminal the lines are longer than requested.
  package static let narrowest = 20
  /// The maximum width of a dialog, because longer lines are hard to read.
  package static let widestDialog = 64

  /// Draws a message.
  ///
  /// - Parameters:
  ///   - message: the message, with its templates filled in.
  ///   - view: the custom view's content and selection; `nil` for the message's own view in its
  ///     initial state.
  ///   - width: the number of columns.
  ///   - rows: the number of rows; the close button and the buttons stay visible, and the content
  ///     between them scrolls. `nil` for as many as needed.
  ///   - top: the first visible line of the content; it is adjusted so that the selection is
  ///     visible.
  package init(
    _ message: InAppMessage, view: DrawnView? = nil, width: Int, rows: Int? = nil,
    from top: Int = 0
  ) {
    guard message.kind != .control, message.surface != .invisible else {
      (lines, self.top, page) = ([], 0, nil)
      return
    }
    let width = max(Self.narrowest, width)
    let frame = PanelFrame(message.surface, width)
    let drawing = MessageDrawing(
      message, view ?? DrawnView(message), width: frame.innerColumns)
    let (content, buttons) = (drawing.content, drawing.buttons)
    let window = Window(
      content.count, room: rows.map { $0 - buttons.count - 2 }, from: top,
      showing: drawing.chosenLine)
    self.top = window?.first ?? 0
    page = window?.count
    let seen = window.map { window in
      content[window.first..<window.first + window.count]
        + [StyledLine(window.text, .dim), StyledLine("")]
    }
    lines = frame.lines(
      around: (seen.map(Array.init) ?? content) + buttons, hasCloseButton: message.closing.byButton)
  }

  /// The lines with terminal styling.
  package func text(_ styling: TextStyling) -> [String] {
    lines.map { $0.styled(styling) }
  }
}

extension MessagePanel {
  /// The visible part of a long content.
  private struct Window {
    let first: Int
    let count: Int
    private let total: Int

    /// Creates a window; `nil` if all of the content fits.
    init?(_ total: Int, room: Int?, from top: Int, showing line: Int?) {
      guard let room, total > max(room, 0) else { return nil }
      // One line shows the scroll position, and one separates it from the buttons.
      let count = max(1, room - 2)
      var first = min(max(0, top), total - count)
      if let line { first = min(max(first, line - count + 1), line) }
      (self.total, self.count, self.first) = (total, count, first)
    }

    var text: String {
      let (above, below) = (first, total - first - count)
      return [above > 0 ? "↑ \(above) more" : nil, below > 0 ? "↓ \(below) more" : nil]
        .compactMap(\.self).joined(separator: "  ")
    }
  }
}

/// The border of a surface on a terminal.
package struct PanelFrame {
  private let width: Int
  private let indent: Int
  /// In this order: top left, top, top right, side, bottom left, bottom right.
  private let parts: [String]

  package init(_ surface: InAppMessage.Surface, _ columns: Int) {
    switch surface {
    case .dialog, .invisible:
      width = min(columns, MessagePanel.widestDialog)
      parts = ["╭", "─", "╮", "│", "╰", "╯"]
    case .edge:
      width = columns
      parts = ["┌", "─", "┐", "│", "└", "┘"]
    case .fullScreen:
      width = columns
      parts = ["╔", "═", "╗", "║", "╚", "╝"]
    }
    indent = (columns - width) / 2
  }

  /// The columns inside the border and its padding of two columns at each side.
  package var innerColumns: Int { width - 6 }

  package func lines(around content: [StyledLine], hasCloseButton: Bool) -> [StyledLine] {
    let close = hasCloseButton ? "[✕]" : ""
    let end = hasCloseButton ? parts[1] : ""
    let above = rule(width - 2 - close.columns - end.columns)
    let top =
      StyledLine(parts[0] + above, .dim) + StyledLine(close) + StyledLine(end + parts[2], .dim)
    let bottom = StyledLine(parts[4] + rule(width - 2) + parts[5], .dim)
    let side = StyledLine(parts[3], .dim)
    let middle = content.map { line in
      side + .space(2) + line + .space(innerColumns - line.columns + 2) + side
    }
    return ([top] + middle + [bottom]).map { .space(indent) + $0 }
  }

  private func rule(_ count: Int) -> String { String(repeating: parts[1], count: count) }
}

/// A notification as text for a terminal.
///
/// It is a pure value: the same notification and width give the same lines. Nothing in a
/// notification can move the cursor or colour the screen.
package struct NotificationPanel: Equatable, Sendable {
  package let lines: [StyledLine]

  /// Draws a notification as a banner with its actions.
  ///
  /// - Parameters:
  ///   - content: the notification's content.
  ///   - actions: the actions to show as buttons.
  ///   - width: the number of columns.
  package init(_ content: NotificationContent, actions: [NotificationAction], width: Int) {
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

  /// The buttons in reading order; stacked if they do not fit in one row.
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
  /// The title for its button, on one line and without control characters.
  package var spokenTitle: String {
    title.onOneLine.trimmingSpaces
  }
}

extension NotificationContent {
  /// Its one-line title: the first text that is not empty.
  package var spokenTitle: String {
    let text = [title, subtitle, body].first { !$0.isEmpty } ?? "a notification"
    return text.onOneLine
  }
}
