import InAppMessaging

/// An in-app message as text: what a terminal shows of it.
///
/// A pure value: the same message, view and width are the same lines. Nothing in a message can move
/// the cursor or colour the screen. A control has no lines.
struct MessagePanel: Equatable, Sendable {
  let lines: [StyledLine]

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
  init(_ message: InAppMessage, view: MessageView? = nil, width: Int) {
    guard message.kind != .control, message.surface != .invisible else {
      lines = []
      return
    }
    let width = max(Self.narrowest, width)
    let frame = Frame(message.surface, width)
    let drawing = MessageDrawing(
      message, view ?? MessageView(message), width: frame.innerColumns)
    lines = frame.lines(around: drawing.lines, hasCloseButton: message.closing.byButton)
  }

  /// The lines as they are written.
  func text(_ styling: TextStyling) -> [String] {
    lines.map { $0.styled(styling) }
  }
}

extension MessagePanel {
  /// The border that a surface has.
  private struct Frame {
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
}
