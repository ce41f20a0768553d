import Vocabulary

/// What the server has to hear of a person, in order, until it answers.
///
/// One is on its way at a time: a server takes what is numbered below the last for a repeat, so none
/// may overtake another. What comes while there is no connection waits here, and what was not
/// answered goes again.
struct Outbox<Notice: OutboxNotice>: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    /// Rising, over one run of the client: it says to the server whether it was there before.
    let sequence: Int
    let notice: Notice
    let since: HostTime
  }

  private(set) var entries: [Entry] = []
  /// The entry whose answer is awaited.
  private(set) var sent: Int?
  private var lastSequence = 0

  /// The next to be sent; `nil` while an answer is awaited, or with nothing to say.
  var next: Entry? { sent == nil ? entries.first : nil }

  /// Adds a notice; returns what had to go to make room for it: the oldest.
  mutating func add(_ notice: Notice, at now: HostTime) -> Notice? {
    lastSequence += 1
    entries.append(Entry(sequence: lastSequence, notice: notice, since: now))
    guard entries.count > Notice.limit, let oldest = entries.firstIndex(where: mayGo) else {
      return nil
    }
    return entries.remove(at: oldest).notice
  }

  /// Not what is on its way, which may have arrived already.
  private func mayGo(_ entry: Entry) -> Bool { entry.sequence != sent && entry.notice.mayGo }

  mutating func markSent(_ sequence: Int) { sent = sequence }

  /// The server has it, or will never want it.
  mutating func settle(_ sequence: Int) -> Notice? {
    if sent == sequence { sent = nil }
    guard let place = entries.firstIndex(where: { $0.sequence == sequence }) else { return nil }
    return entries.remove(at: place).notice
  }

  /// It has to go again.
  mutating func release(_ sequence: Int) { if sent == sequence { sent = nil } }

  /// Forgets what waited for too long; returns it, the oldest first.
  mutating func expire(at now: HostTime) -> [Notice] {
    guard let oldest = entries.first, oldest.since + Notice.longestWait <= now else { return [] }
    let old = entries.filter { mayGo($0) && $0.since + Notice.longestWait <= now }
    entries.removeAll { entry in old.contains { $0.sequence == entry.sequence } }
    return old.map(\.notice)
  }

  /// Forgets everything of that kind that is not on its way.
  mutating func removeAll(where isMeant: (Notice) -> Bool = { _ in true }) {
    entries.removeAll { [sent] in $0.sequence != sent && isMeant($0.notice) }
  }
}

/// Something the server has to hear, sooner or later.
protocol OutboxNotice: Equatable, Sendable {
  /// How many of these wait at most.
  static var limit: Int { get }
  /// For how long one is of any use.
  static var longestWait: Duration { get }
  /// Whether it may be forgotten, for lack of room or because it waited for too long.
  var mayGo: Bool { get }
}
