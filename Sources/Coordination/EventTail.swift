import DequeModule
import GroupSessions
import Vocabulary

/// The last events of a session, for peers that resume.
struct EventTail: Sendable {
  struct Entry: Sendable {
    let at: Instant
    let event: SessionEvent
  }

  /// What a journal had kept, in the array it was read into; that goes with its last one.
  ///
  /// A large start has a million: copied twice on the way here, they took 90 MB more.
  private var recovered: ArraySlice<RecordedEvent> = []
  /// What happened since.
  private var entries: Deque<Entry> = []
  /// The number of the first event that is kept.
  private var first = 0
  private var weight = 0
  /// How many entries there is room for: it grows by an eighth, as most sessions keep a handful.
  private var room = 0

  /// A tail without events.
  init() {}

  /// The tail as a journal kept it.
  ///
  /// - Parameter last: the number of the last event.
  init(_ known: [RecordedEvent], upTo last: Int, limits: Limits) {
    recovered = known[...]
    first = last - known.count + 1
    // Where they lie: a loop over the array copies each.
    let span = known.span
    for place in span.indices { weight += span[place].event.retainedWeight }
    guard isOver(limits) else { return }
    drop(limits)
    // What was dropped is not to stay as long as the rest.
    recovered = Array(recovered)[...]
  }

  private var count: Int { recovered.count + entries.count }

  mutating func append(_ event: SessionEvent, seq: Int, at now: Instant, limits: Limits) {
    if count == 0 { first = seq }
    if entries.count == room {
      room += room / 8 + 1
      entries.reserveCapacity(room)
    }
    entries.append(Entry(at: now, event: event))
    weight += event.retainedWeight
    drop(limits)
  }

  private func isOver(_ limits: Limits) -> Bool {
    count > limits.retainedEvents || weight > limits.retainedBytes
  }

  /// Drops the oldest that are too many.
  private mutating func drop(_ limits: Limits) {
    while isOver(limits) {
      if let oldest = recovered.popFirst() {
        weight -= oldest.event.retainedWeight
        if recovered.isEmpty { recovered = [] }
      } else if let oldest = entries.popFirst() {
        weight -= oldest.event.retainedWeight
      } else {
        return
      }
      first += 1
    }
  }

  /// The events behind `seq`, each with its number; `nil` if some of them are no longer kept.
  func events(after seq: Int, upTo last: Int) -> [(seq: Int, entry: Entry)]? {
    guard seq <= last else { return nil }
    if seq == last { return [] }
    guard count > 0, first <= seq + 1 else { return nil }
    return (seq + 1...last).compactMap { seq in entry(at: seq - first).map { (seq, $0) } }
  }

  /// The entry that so many older ones stand before.
  private func entry(at place: Int) -> Entry? {
    guard place < recovered.count else { return entries[place - recovered.count] }
    let record = recovered[recovered.startIndex + place]
    guard case .session(let event) = record.event else { return nil }
    return Entry(at: record.at, event: event)
  }
}

extension AggregateEvent {
  fileprivate var retainedWeight: Int {
    if case .session(let event) = self { event.retainedWeight } else { 0 }
  }
}

extension SessionEvent {
  /// Roughly the bytes an event keeps alive: its opaque payload, and a little.
  var retainedWeight: Int {
    switch self {
    case .messageSent(let payload, _, _): 256 + payload.text.utf8.count
    case .activitySet(let activity, _, _): 512 + activity.payload.text.utf8.count
    case .invited(let users, _, _), .invitationsRevoked(let users, _),
      .invitationsExpired(let users):
      users.reduce(256) { $0 + 16 + $1.text.utf8.count }
    default: 256
    }
  }
}

/// Ended sessions and their reasons, so that a late verb gets the true one.
struct Tombstones: Equatable, Sendable {
  private var reasons: [SessionID: EndReason] = [:]
  private var order: [SessionID] = []
  private var oldest = 0

  subscript(id: SessionID) -> EndReason? { reasons[id] }

  mutating func add(_ id: SessionID, _ reason: EndReason, limit: Int) {
    guard reasons.updateValue(reason, forKey: id) == nil else { return }
    if order.count < limit {
      order.append(id)
    } else {
      reasons[order[oldest]] = nil
      order[oldest] = id
      oldest = (oldest + 1) % limit
    }
  }
}
