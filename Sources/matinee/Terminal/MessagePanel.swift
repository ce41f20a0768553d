import InAppMessaging

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
    _ message: InAppMessage, view: MessageView? = nil, width: Int, rows: Int? = nil,
    from top: Int = 0
  ) {
    guard message.kind != .control, message.surface != .invisible else {
      (lines, self.top, page) = ([], 0, nil)
      return
    }
    let width = max(Self.narrowest, width)
    let frame = PanelFrame(message.surface, width)
    let drawing = MessageDrawing(
      message, view ?? MessageView(message), width: frame.innerColumns)
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
