/// A journal that cannot be opened: where, why, and what to do.
package enum JournalError: Error, Equatable, CustomStringConvertible {
  /// Another process writes to it.
  case inUse(path: String, by: Int?)
  /// A newer Matinee made it.
  case newer(path: String)
  /// It is no journal, or damaged beyond reading.
  case unreadable(path: String, reason: String)
  /// It is to be filled, and holds something already.
  case notEmpty(path: String)
  /// The system does not let it be read or written.
  case failed(path: String, reason: String)

  package var description: String {
    switch self {
    case .inUse(let path, let holder):
      "the journal \(path) is in use by \(holder.map { "process \($0)" } ?? "another process"); "
        + "stop that server, or choose another file with --journal sqlite:PATH"
    case .newer(let path):
      "a newer Matinee wrote the journal \(path); run that one, or choose another file"
    case .unreadable(let path, let reason):
      "the journal \(path) cannot be read: \(reason)"
    case .notEmpty(let path):
      "the journal \(path) is not empty; choose a new file with --journal sqlite:PATH"
    case .failed(let path, let reason):
      "the journal \(path) cannot be opened: \(reason); check the directory and its permissions"
    }
  }
}
