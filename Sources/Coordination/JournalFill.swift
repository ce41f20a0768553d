package import Vocabulary

/// How full the journal is, by the bytes that it takes and may take.
///
/// A level that was reached holds until the size is five hundredths below it, so that a journal near
/// a level does not announce it again and again.
package struct JournalFill: Equatable, Sendable {
  package enum Level: Int, Comparable, Sendable {
    case ample
    /// Nine tenths are used.
    case scarce
    /// What would make it grow is refused.
    case full

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// The hundredths of the limit from which on the level is reached.
    fileprivate var start: Int {
      switch self {
      case .ample: 0
      case .scarce: 90
      case .full: 100
      }
    }
  }

  package private(set) var level = Level.ample
  private let limit: Int

  package init(_ limits: Limits) {
    limit = limits.journalSize
  }

  /// Notes the journal's size in bytes.
  ///
  /// - Returns: the new level; `nil` if it is the same.
  package mutating func note(_ size: Int) -> Level? {
    let reached = level(of: size, above: 0)
    let held = min(level, level(of: size, above: -5))
    let new = max(reached, held)
    guard new != level else { return nil }
    level = new
    return new
  }

  /// The highest level that a size reaches if each begins so many hundredths later.
  private func level(of size: Int, above shift: Int) -> Level {
    let levels = [Level.full, .scarce]
    return levels.first { size >= limit / 100 * ($0.start + shift) } ?? .ample
  }
}
