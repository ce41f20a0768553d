import InAppMessaging
import UserNotifications

/// An in-app message as text: what a terminal shows of it.
///
/// A pure value: the same message, view and width are the same lines. Nothing in a message can move
/// the cursor or colour the screen. A control has no lines.
struct MessagePanel: Equatable, Sendable {
  let lines: [StyledLine]
  /// The first line of its content that is in sight, where not all of it is.
  let top: Int
  /// How many lines of its content are in sight; `nil` for all.
  let page: Int?

  /// The narrowest there is; below it lines are longer than asked for.
  static let narrowest = 20
  /// A dialog is no wider, as lines of more are hard to read.
  static let widestDialog = 64

  /// Draws a message.
  ///
  /// - Parameters:
  ///   - message: with its templates filled in.
  ///   - view: what a view of its own shows, and what is chosen there; nil is the message's own, as
  ///     it is at first.
  ///   - width: how many columns there are.
  ///   - rows: how many rows there are; what closes it and its buttons stay in sight, and what is
  ///     said between them is scrolled. `nil` is as many as it takes.
  ///   - top: the first line of its content to be in sight; what is chosen is, wherever it begins.
  init(
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

  /// The lines as they are written.
  func text(_ styling: TextStyling) -> [String] {
    lines.map { $0.styled(styling) }
  }
}

extension MessagePanel {
  /// The part of a long content that is in sight.
  private struct Window {
    let first: Int
    let count: Int
    private let total: Int

    /// `nil` where all of it fits.
    init?(_ total: Int, room: Int?, from top: Int, showing line: Int?) {
      guard let room, total > room else { return nil }
      // One line says where it is, and one stands apart from the buttons.
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

/// The border that a surface has on a terminal.
struct PanelFrame {
  private let width: Int
  private let indent: Int
  /// Left above, above, right above, beside, left below, right below.
  private let parts: [String]

  init(_ surface: InAppMessage.Surface, _ columns: Int) {
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

  /// Two columns of air at both sides.
  var innerColumns: Int { width - 6 }

  func lines(around content: [StyledLine], hasCloseButton: Bool) -> [StyledLine] {
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
