package import Vocabulary

/// How full the journal is, by the bytes that it takes and may take.
///
/// A level that was reached holds until the size is a twentieth of the limit below it, so that a
/// journal near a level does not announce it again and again.
package struct JournalFill: Equatable, Sendable {
  package enum Level: Int, Comparable, Sendable {
    case ample
    /// Nine tenths are used.
    case scarce
    /// What would make it grow is refused.
    case full

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
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
    let new = max(level(of: size), min(level, level(of: size + limit / 20)))
    guard new != level else { return nil }
    level = new
    return new
  }

  /// The level that a size reaches.
  private func level(of size: Int) -> Level {
    if size >= limit { return .full }
    return size >= limit - limit / 10 ? .scarce : .ample
  }
}
