import InAppMessaging
import Vocabulary

/// What the server has to hear of a person and of messages, in order, until it answers.
///
/// One is on its way at a time: a server takes what is numbered below the last for a repeat, so none
/// may overtake another. What comes while there is no connection waits here, and what was not
/// answered goes again.
struct MessagingOutbox: Equatable, Sendable {
  /// A week of a busy app without a connection.
  static let limit = 1_000
  /// What is older is of no use to a campaign; Firebase keeps its log as long.
  static let longestWait = Duration.seconds(14 * 86_400)

  struct Entry: Equatable, Sendable {
    /// Rising, over one run of the client: it says to the server whether it was there before.
    let sequence: Int
    let notice: MessagingNotice
    let since: HostTime
  }

  private(set) var entries: [Entry] = []
  /// The entry whose answer is awaited.
  private(set) var sent: Int?
  private var lastSequence = 0

  /// The next to be sent; `nil` while an answer is awaited, or with nothing to say.
  var next: Entry? { sent == nil ? entries.first : nil }

  /// Adds a notice; returns what had to go to make room for it: the oldest.
  mutating func add(_ notice: MessagingNotice, at now: HostTime) -> MessagingNotice? {
    lastSequence += 1
    entries.append(Entry(sequence: lastSequence, notice: notice, since: now))
    guard entries.count > Self.limit, let oldest = entries.firstIndex(where: mayGo) else {
      return nil
    }
    return entries.remove(at: oldest).notice
  }

  /// Not what is on its way, which may have arrived already; nor that somebody is to be forgotten,
  /// however long it takes.
  private func mayGo(_ entry: Entry) -> Bool { entry.sequence != sent && entry.notice != .wipe }

  mutating func markSent(_ sequence: Int) { sent = sequence }

  /// The server has it, or will never want it.
  mutating func settle(_ sequence: Int) -> MessagingNotice? {
    if sent == sequence { sent = nil }
    guard let place = entries.firstIndex(where: { $0.sequence == sequence }) else { return nil }
    return entries.remove(at: place).notice
  }

  /// It has to go again.
  mutating func release(_ sequence: Int) { if sent == sequence { sent = nil } }

  /// Forgets what waited for too long; returns it, the oldest first.
  mutating func expire(at now: HostTime) -> [MessagingNotice] {
    guard let oldest = entries.first, oldest.since + Self.longestWait <= now else { return [] }
    let old = entries.filter { mayGo($0) && $0.since + Self.longestWait <= now }
    entries.removeAll { entry in old.contains { $0.sequence == entry.sequence } }
    return old.map(\.notice)
  }

  /// Forgets everything that is not on its way.
  mutating func removeAll() {
    entries.removeAll { [sent] in $0.sequence != sent }
  }
}

/// Something the server has to hear.
enum MessagingNotice: Equatable, Sendable {
  case event(AppEvent)
  case report(MessageReport, of: MessageID)
  /// Something is known of the person now; `nil` is no longer.
  case attribute(String, PropertyValue?)
  /// Everything known of the person is to be forgotten.
  case wipe
}
