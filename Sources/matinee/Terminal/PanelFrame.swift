import InAppMessaging

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
