import GroupSessions
import MatineeClient

/// A session's queue as lines for a person.
///
/// Each entry has the name that the verbs about the queue take.
struct QueueText {
  /// The lines; none for a queue that holds no more than what is on.
  let lines: [String]

  /// The maximum number of entries listed; with the people above them they fit on a terminal of 24
  /// rows.
  static let limit = 10

  /// Lists the entries from the current one on.
  init(_ entries: [QueueEntry], current: EntryID?) {
    guard entries.contains(where: { $0.id != current }) else {
      lines = []
      return
    }
    let first = entries.firstIndex { $0.id == current } ?? 0
    let shown = entries[first...].prefix(Self.limit)
    let rest = entries.count - first - shown.count
    lines =
      ["queue:"] + (first > 0 ? ["  … \(first) before"] : [])
      + shown.map { ($0.id == current ? "  ▶ " : "    ") + $0.media.nameText }
      + (rest > 0 ? ["  … \(rest) more"] : [])
  }
}

extension MediaItem {
  /// The name that verbs take, in quotation marks if it has several words, and the title if that is
  /// another.
  fileprivate var nameText: String {
    let name = item.text.contains(where: \.isWhitespace) ? "\"\(item.text)\"" : item.text
    guard let title, title != item.text, title != url else { return name }
    return "\(name) “\(title)”"
  }
}
