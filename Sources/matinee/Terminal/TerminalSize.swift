/// How much a terminal shows at once.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int

  /// Fits every terminal: those have 80 columns and 24 rows at least, of which some are for what is
  /// typed beneath.
  static let smallest = TerminalSize(columns: 72, rows: 20)
}
