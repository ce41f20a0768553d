import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

/// One session in the coordinator: its value, what waits for its journal, and who follows it.
struct SessionAggregate: Sendable {
  /// The session; `nil` until its beginning is kept.
  var session: GroupSession?
  /// What it began with, for those who start the same before its beginning is kept.
  let first: GroupActivity
  /// What is being kept; an aggregate has one append in flight, commands behind it wait.
  var inFlight: InFlight?
  var waiting: Deque<SessionWork> = []
  /// The connections that follow the session.
  var audience: [PeerID] = []
  var tail = EventTail()
  var delays = Delays()
  /// What the players last said of their places.
  var offsets: [ParticipantID: Duration] = [:]

  struct InFlight: Sendable {
    let work: SessionWork
    let events: [SessionEvent]
    let at: Instant
  }

  init(activity: GroupActivity) {
    first = activity
  }

  var seq: Int { session?.seq ?? 0 }
  var activity: GroupActivity { session?.activity ?? first }
}

/// A command for a session, and who waits for what becomes of it.
struct SessionWork: Sendable {
  enum Task: Sendable {
    case begin(SessionBeginning)
    case command(SessionCommand)
    /// Changes nothing; answered once what was asked before it is done.
    case look
  }

  let task: Task
  let reply: Reply?
}

/// A request that waits for its answer.
struct Reply: Equatable, Sendable {
  let device: DeviceID
  /// Which of the device's lives asked: one that starts anew is not sent what the old one asked.
  let life: UInt32
  let id: RequestID
  /// What to say beyond that it is done.
  var wanted = Wanted.done

  init(to device: Device, _ id: RequestID) {
    self.device = device.id
    life = device.life
    self.id = id
  }

  func wanting(_ wanted: Wanted) -> Reply {
    var reply = self
    reply.wanted = wanted
    return reply
  }

  enum Wanted: Equatable, Sendable {
    case done
    case activated(isNew: Bool)
    case joined
    case suspended(ParticipantID, SuspensionReason)
    case suspensionEnded(ParticipantID, isProposing: Bool)
  }
}

/// The last events of a session, for peers that resume.
struct EventTail: Sendable {
  struct Entry: Sendable {
    let seq: Int
    let at: Instant
    let event: SessionEvent
    let weight: Int
  }

  private(set) var entries: Deque<Entry> = []
  private var weight = 0

  mutating func append(_ event: SessionEvent, seq: Int, at now: Instant, limits: Limits) {
    let entry = Entry(seq: seq, at: now, event: event, weight: event.retainedWeight)
    entries.append(entry)
    weight += entry.weight
    while entries.count > limits.retainedEvents || weight > limits.retainedBytes {
      guard let first = entries.popFirst() else { return }
      weight -= first.weight
    }
  }

  /// The events behind `seq`; `nil` if some of them are no longer kept.
  func events(after seq: Int, upTo last: Int) -> Deque<Entry>.SubSequence? {
    guard seq <= last else { return nil }
    if seq == last { return entries[entries.endIndex...] }
    guard let first = entries.first, first.seq <= seq + 1 else { return nil }
    return entries[(seq + 1 - first.seq)...]
  }
}

extension SessionEvent {
  /// Roughly the bytes an event keeps alive: its opaque payload, and a little.
  fileprivate var retainedWeight: Int {
    switch self {
    case .messageSent(let payload, _, _): 256 + payload.text.utf8.count
    case .activitySet(let activity, _, _): 512 + activity.payload.text.utf8.count
    default: 256
    }
  }
}

/// The one-way delays of a session's participants, and the slowest of them.
struct Delays: Equatable, Sendable {
  private var delays: [ParticipantID: Duration] = [:]
  private(set) var slowest = Duration.zero

  /// Notes what a peer says of itself.
  mutating func note(_ delay: Duration, of id: ParticipantID) {
    let old = delays.updateValue(delay, forKey: id)
    if delay >= slowest {
      slowest = delay
    } else if old == slowest {
      slowest = delays.values.max() ?? .zero
    }
  }

  mutating func forget(_ id: ParticipantID) {
    guard let old = delays.removeValue(forKey: id), old == slowest else { return }
    slowest = delays.values.max() ?? .zero
  }

  func roundTrip(of id: ParticipantID) -> Duration? { delays[id].map { $0 * 2 } }
}
