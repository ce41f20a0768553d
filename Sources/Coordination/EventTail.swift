import DequeModule
import GroupSessions
import Playback
import Vocabulary

/// The latest events of a session, for peers that resume.
struct EventTail: Sendable {
  struct Entry: Sendable {
    let at: Instant
    let event: SessionEvent
  }

  /// The events from a journal, in the array into which they were read; it is freed with its last
  /// event.
  ///
  /// A large server starts with a million events; copying them twice on the way took 90 MB more.
  private var recovered: ArraySlice<RecordedEvent> = []
  /// The events since then.
  private var entries: Deque<Entry> = []
  /// The number of the oldest event in the tail.
  private var first = 0
  private var weight = 0
  /// The capacity of `entries`; it grows by an eighth, because most sessions have a handful of
  /// events.
  private var room = 0
  /// The number of the last event that the journal had when the server started; 0 without one.
  private(set) var recoveredLast = 0

  init() {}

  /// Restores a tail from a journal.
  ///
  /// - Parameter last: the number of the last event.
  init(_ known: [RecordedEvent], upTo last: Int, limits: Limits) {
    recovered = known[...]
    recoveredLast = last
    first = last - known.count + 1
    // A span, because a loop over the array copies each event.
    let span = known.span
    for index in span.indices { weight += span[index].event.retainedWeight }
    guard isOver(limits) else { return }
    drop(limits)
    // A copy frees the dropped events.
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

  /// Drops the oldest events until the tail is within the limits.
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

  /// The events after `seq` with their numbers; `nil` if some of them have been dropped.
  func events(after seq: Int, upTo last: Int) -> [(seq: Int, entry: Entry)]? {
    guard seq <= last else { return nil }
    if seq == last { return [] }
    guard count > 0, first <= seq + 1 else { return nil }
    return (seq + 1...last).compactMap { seq in entry(at: seq - first).map { (seq, $0) } }
  }

  /// The entry with this index, from the oldest.
  private func entry(at index: Int) -> Entry? {
    guard index < recovered.count else { return entries[index - recovered.count] }
    let record = recovered[recovered.startIndex + index]
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
  /// The approximate size of an event in bytes, in memory and as JSON: its texts and a fixed part.
  var retainedWeight: Int { 256 + textBytes }

  private var textBytes: Int {
    switch self {
    case .began(let beginning): beginning.activity.byteBound + beginning.waitingPolicy.byteBound
    case .activated(let initiator, _): initiator.byteBound
    case .joined(let participant): participant.identity.byteBound
    case .messageSent(let payload, .all, _): payload.byteBound
    case .messageSent(let payload, .only(let ids), _):
      ids.reduce(payload.byteBound) { $0 + 16 + $1.byteBound }
    case .activitySet(let activity, _, _): activity.byteBound
    case .invited(let users, _, _), .invitationsRevoked(let users, _),
      .invitationsExpired(let users):
      users.reduce(0) { $0 + 16 + $1.byteBound }
    case .attachmentAdded(let attachment): attachment.byteBound
    case .queue(let event, _): event.textBytes
    case .playback(let event): event.textBytes
    case .left, .lost, .resumed, .interrupted, .declined, .invitationAnswered, .roleSet,
      .readinessSet, .controlSet, .dismissalPolicySet, .attachmentRemoved, .ended:
      0
    }
  }
}

extension QueueEvent {
  fileprivate var textBytes: Int {
    switch self {
    case .inserted(let entries, _): entries.reduce(0) { $0 + $1.byteBound }
    case .shuffled(let order): order.reduce(0) { $0 + 16 + $1.byteBound }
    case .moved, .removed, .cleared, .selected, .repeatSet, .unshuffled, .autoAdvanceSet: 0
    }
  }
}

extension PlaybackEvent {
  fileprivate var textBytes: Int {
    switch self {
    case .itemSelected(let item, _): item?.byteBound ?? 0
    case .itemAdvanced(let old, let new, _, _): old.byteBound + new.byteBound
    case .interstitialsDeclared(let item, let interstitials):
      item.byteBound + interstitials.byteBound
    case .timelineSet(let item, _, _, _, _), .durationLearned(let item, _),
      .durationDoubted(let item, _, _), .seekWindowSet(let item, _),
      .timelineUnattended(let item, _), .timelineDropped(let item):
      item.byteBound
    case .waitingPolicySet(let policy, _): policy.byteBound
    case .readied, .finished, .suspensionBegan, .suspensionEnded: 0
    }
  }
}

/// Ended sessions with their reasons, so that a late request gets the actual reason.
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
