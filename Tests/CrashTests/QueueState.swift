/// A session's queue, computed from its events.
struct QueueState: Equatable {
  private(set) var entries: [JSONValue] = []
  private var current: String?
  private var repeatMode: String?
  private var advances = true
  private var unshuffled: [String]?
  private var nextNumber = 1

  /// The queue in a snapshot; empty if the snapshot has none.
  init(_ value: JSONValue?) {
    guard let value else {
      repeatMode = "off"
      return
    }
    entries = value["entries"].elements
    current = value["current"].text
    repeatMode = value["repeat"].text
    advances = value["autoAdvance"].isTrue
    if let order = value["unshuffled"] { unshuffled = order.elements.compactMap(\.text) }
    nextNumber = value["nextNumber"].int ?? 1
  }

  /// The identifiers of the entries, in order.
  var ids: [String] { entries.compactMap { $0["entry"].text } }

  /// The media item of the current entry.
  var media: JSONValue? {
    entries.first { $0["entry"].text == current }?.without("entry", "addedBy")
  }

  /// Applies an event if it is one of the queue's.
  mutating func apply(_ event: JSONValue) {
    let entry = event["entry"].text
    switch event["event"].text {
    case "inserted": insert(event["entries"].elements, after: event["after"].text)
    case "moved":
      guard let from = ids.firstIndex(of: entry ?? "") else { return }
      let moved = entries.remove(at: from)
      entries.insert(moved, at: place(behind: event["after"].text))
    case "entryRemoved":
      entries.removeAll { $0["entry"].text == entry }
      unshuffled?.removeAll { $0 == entry }
      if current == entry { current = nil }
    case "queueCleared":
      entries.removeAll { $0["entry"].text != current }
      unshuffled = nil
    case "selected": current = entry
    case "repeatSet": repeatMode = event["repeat"].text
    case "shuffled":
      unshuffled = unshuffled ?? ids
      reorder(event["order"].elements.compactMap(\.text))
    case "unshuffled":
      reorder(unshuffled ?? [])
      unshuffled = nil
    case "autoAdvanceSet": advances = event["autoAdvance"].isTrue
    default: break
    }
  }

  /// Makes this the current item: its entry if there is one, otherwise a new entry after the
  /// current one.
  mutating func play(_ media: JSONValue?, addedBy person: String?) {
    guard let media else { return current = nil }
    let item = Self.item(media)
    let known = entries.firstIndex { $0["entry"].text == current && Self.item($0) == item }
    if let place = known ?? entries.firstIndex(where: { Self.item($0) == item }) {
      let old = entries[place]
      entries[place] = media.with("entry", old["entry"]).with("addedBy", old["addedBy"])
      current = old["entry"].text
    } else {
      let id = "e\(nextNumber)"
      let entry = media.with("entry", .text(id)).with("addedBy", person.map { .text($0) })
      insert([entry], after: current)
      current = id
    }
  }

  private static func item(_ media: JSONValue) -> String? {
    media["item"].text ?? media["url"].text
  }

  private mutating func insert(_ new: [JSONValue], after anchor: String?) {
    nextNumber += new.count
    entries.insert(contentsOf: new, at: place(behind: anchor))
    unshuffled?.append(contentsOf: new.compactMap { $0["entry"].text })
  }

  private func place(behind anchor: String?) -> Int {
    anchor.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
  }

  private mutating func reorder(_ order: [String]) {
    let known = order.compactMap { id in entries.first { $0["entry"].text == id } }
    entries = known + entries.filter { !order.contains($0["entry"].text ?? "") }
  }
}
