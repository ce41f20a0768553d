import Journals

extension JournalVerification {
  /// What was checked and what was found, for people.
  func lines(of path: String) -> [String] {
    var lines = [
      "\(path): \(isSound ? "sound" : "damaged")",
      "  the file and its indexes, as SQLite sees them",
      "  \(counted(streams, "stream")), \(counted(events, "event")), "
        + "\(replayed) of them replayed from a beginning or a snapshot",
      "  \(counted(snapshots, "snapshot")), \(comparedSnapshots) of them compared with the replay",
      "  \(counted(answers, "late answer"))",
    ]
    if shortened > 0 {
      lines.append("  \(counted(shortened, "stream")) without a beginning, which is past retention")
    }
    if !setAside.isEmpty {
      lines.append("  set aside before, as unreadable: \(setAside.joined(separator: ", "))")
    }
    if !isSound {
      lines.append("what is wrong:")
      lines += damage.map { "  \($0)" }
      if furtherDamage > 0 { lines.append("  and \(counted(furtherDamage, "thing")) more") }
    }
    return lines.map(\.onOneLine)
  }
}
