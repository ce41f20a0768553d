import GRDB
import Vocabulary

/// A journal's file that is damaged: it is set aside, and a new one takes its place, with all that
/// could be read of it.
///
/// The new file is complete before the damaged one is touched, and the plug may be pulled at any
/// moment: either the next start begins again, or it finds a complete file and finishes the renaming.
struct DamagedJournal {
  private let paths: JournalPaths
  private let answersPerDevice: Int
  private let now: Instant

  init(_ paths: JournalPaths, answersPerDevice: Int, at now: Instant) {
    self.paths = paths
    self.answersPerDevice = answersPerDevice
    self.now = now
  }

  /// Sets the file aside.
  ///
  /// - Returns: what people should know.
  func replace(because damage: Damage) throws -> [String] {
    let stamp = paths.stamp(at: now)
    for part in JournalPaths.parts { try JournalFiles.remove(paths.salvage + part) }
    let salvage = try fill(paths.salvage)
    let notices =
      [
        "the journal \(paths.file) is damaged (\(damage)) and is set aside as "
          + "\(paths.damaged(stamp)); a new one holds what could be read of it: "
          + salvage.summary
      ] + salvage.details
    try say(notices, in: paths.salvage)
    try JournalFiles.rename(paths.salvage, to: paths.salvaged(stamp))
    try takePlace(stamp)
    return notices
  }

  /// Finishes what another process began and could not finish.
  ///
  /// - Returns: what people should know.
  func finishReplacement() throws -> [String] {
    try paths.unfinished().map { stamp in
      try takePlace(stamp)
      return "the journal \(paths.file) was damaged and is set aside as \(paths.damaged(stamp)); "
        + "a new one holds what could be read of it"
    }
  }

  private func takePlace(_ stamp: String) throws {
    for part in JournalPaths.parts {
      try JournalFiles.rename(paths.file + part, to: paths.damaged(stamp) + part)
    }
    try JournalFiles.rename(paths.salvaged(stamp), to: paths.file)
  }

  private func fill(_ path: String) throws -> JournalSalvage {
    let new = try open(path)
    try JournalSchema.migrator.migrate(new)
    var salvage = JournalSalvage(ring: answersPerDevice)
    // Of an empty file SQLite would not even leave the log.
    guard try JournalFiles.size(of: paths.file) > 0 else {
      try new.close()
      return salvage
    }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      let old = try DatabaseQueue(path: paths.file, configuration: configuration)
      try old.inDatabase { old in
        try new.write { new in try salvage.copy(from: DamagedRows(old), to: new) }
      }
      try old.close()
    } catch {
      // Nothing at all can be read of what is no database.
      guard Damage(error) != nil else { throw error }
    }
    try new.close()
    return salvage
  }

  private func say(_ notices: [String], in path: String) throws {
    let new = try open(path)
    try new.write { new in
      for notice in notices { try new.addNotice(notice, at: now) }
    }
    try new.close()
  }

  /// Without a log beside it: the file is to be renamed.
  private func open(_ path: String) throws -> DatabaseQueue {
    try JournalFiles.makePrivate(path)
    return try DatabaseQueue(path: path)
  }
}
