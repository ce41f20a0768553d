/// What a kept event survives.
package enum Durability: String, Sendable, CaseIterable {
  /// The end of the process, however it comes (SQLite's `synchronous = NORMAL` in a write-ahead log).
  case process
  /// A loss of power, too: each commit waits for the disk (`synchronous = FULL`).
  case power

  /// SQLite's word for it.
  var synchronous: String {
    switch self {
    case .process: "NORMAL"
    case .power: "FULL"
    }
  }
}
