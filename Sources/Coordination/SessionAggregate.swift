import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

/// One session in the coordinator: its value, what waits for its journal, and who follows it.
struct SessionAggregate: Sendable {
  /// The session; `nil` until its beginning is kept.
  var session: GroupSession?
  /// What is being kept: an aggregate has one append in flight, commands behind it wait.
  var inFlight = Rare<SessionWork>.absent
  var waiting: Deque<SessionWork> = []
  /// The connections that follow the session.
  var audience: [PeerID] = []
  var tail = EventTail()
  var delays = Delays()
  /// What the players last said of their places.
  var offsets: SortedMap<ParticipantID, Duration> = [:]

  /// Whether writing failed, and is tried again when the session is woken.
  var isResting = false

  /// Takes the first command that waits; the room for those that did goes with the last of them.
  mutating func takeWaiting() -> SessionWork? {
    defer { if waiting.isEmpty { waiting = [] } }
    return waiting.popFirst()
  }

  mutating func addToAudience(_ peer: PeerID) {
    audience.makeRoom()
    audience.append(peer)
  }

  /// What it is about, or will be once its beginning is kept.
  var activity: GroupActivity? {
    if case .begin(let beginning)? = inFlight.value?.task { return beginning.activity }
    return session?.activity
  }
}

/// A command for a session, and who waits for what becomes of it.
struct SessionWork: Sendable {
  enum Task: Sendable {
    indirect case begin(SessionBeginning)
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
    let at: Instant
    let event: SessionEvent
  }

  private(set) var entries: Deque<Entry> = []
  /// The number of the first event that is kept.
  private var first = 0
  private var weight = 0
  /// How many entries there is room for: it grows by an eighth, as most sessions keep a handful.
  private var room = 0

  /// Makes room for events that come one after the other.
  mutating func reserve(_ count: Int) {
    room = max(room, count)
    entries.reserveCapacity(room)
  }

  mutating func append(_ event: SessionEvent, seq: Int, at now: Instant, limits: Limits) {
    if entries.isEmpty { first = seq }
    if entries.count == room {
      room += room / 8 + 1
      entries.reserveCapacity(room)
    }
    entries.append(Entry(at: now, event: event))
    weight += event.retainedWeight
    while entries.count > limits.retainedEvents || weight > limits.retainedBytes {
      guard let oldest = entries.popFirst() else { return }
      weight -= oldest.event.retainedWeight
      first += 1
    }
  }

  /// The events behind `seq`, each with its number; `nil` if some of them are no longer kept.
  func events(after seq: Int, upTo last: Int) -> [(seq: Int, entry: Entry)]? {
    guard seq <= last else { return nil }
    if seq == last { return [] }
    guard !entries.isEmpty, first <= seq + 1 else { return nil }
    return (seq + 1...last).map { ($0, entries[$0 - first]) }
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
  private var delays: SortedMap<ParticipantID, Duration> = [:]
  private(set) var slowest = Duration.zero

  /// Notes what a peer says of itself.
  mutating func note(_ delay: Duration, of id: ParticipantID) {
    let old = delays[id]
    delays[id] = delay
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

  subscript(id: ParticipantID) -> Duration? { delays[id] }

  func roundTrip(of id: ParticipantID) -> Duration? { delays[id].map { $0 * 2 } }
}
