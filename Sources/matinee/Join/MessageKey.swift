/// A key that works an in-app message on a terminal.
///
/// Verbs are typed in lines, and so are these: the number or the name, then return.
enum MessageKey: Equatable {
  case number(Int)
  case tab
  case enter
  case up
  case down
  case escape

  /// The key that a line means; `nil` if it means none.
  init?(line: String) {
    switch line {
    case "": self = .enter
    case "tab", "\t": self = .tab
    case "up", "\u{1B}[A": self = .up
    case "down", "\u{1B}[B": self = .down
    case "esc", "\u{1B}": self = .escape
    default:
      guard line.count <= 2, let number = Int(line), number > 0 else { return nil }
      self = .number(number)
    }
  }
}
