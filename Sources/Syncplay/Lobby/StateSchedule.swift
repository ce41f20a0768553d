import DequeModule
import Vocabulary

/// When each client is sent its next periodic State, and when clients and rooms have something else
/// to do.
///
/// A client's first State follows soon after its Hello; from then on, it is sent one each second.
struct StateSchedule: Sendable {
  /// Who has something to do beside the periodic States.
  enum Subject: Hashable, Sendable {
    case peer(PeerID)
    case room(String)
  }

  private var beginnings = Pulses()
  private var pulses = Pulses()
  private var deadlines = Deadlines<Subject>()

  /// When anything is due; `nil` while nothing is.
  var earliest: Instant? {
    Instant.earlier(
      Instant.earlier(pulses.earliest, beginnings.earliest), deadlines.earliest)
  }

  /// Schedules a client's first State.
  ///
  /// - Returns: when it is due.
  mutating func begin(_ id: PeerID, at now: Instant) -> Instant {
    let due = (now + SyncplayLimits.firstState).roundedDown(to: SyncplayLimits.stateGrid)
    beginnings.append(id, at: due)
    return due
  }

  /// Schedules a client's next State, at what ``next(after:)`` says.
  mutating func goOn(_ id: PeerID, at next: Instant) {
    pulses.append(id, at: next)
  }

  /// When a State is due that follows one at an instant.
  static func next(after now: Instant) -> Instant {
    (now + SyncplayLimits.statePeriod).roundedDown(to: SyncplayLimits.stateGrid)
  }

  /// When States are due next, of any client.
  static func tick(after now: Instant) -> Instant {
    (now + SyncplayLimits.stateGrid).roundedDown(to: SyncplayLimits.stateGrid)
  }

  /// How many States are scheduled, if any of them is due; none otherwise.
  func backlog(at now: Instant) -> Int {
    guard let due = pulses.earliest, due <= now else { return 0 }
    return pulses.count
  }

  /// A client whose State is due.
  mutating func popState(at now: Instant) -> PeerID? {
    pulses.popDue(at: now) ?? beginnings.popDue(at: now)
  }

  /// Notes that a client or a room has something to do at an instant.
  mutating func arm(_ subject: Subject, at instant: Instant?) {
    deadlines.arm(subject, at: instant)
  }

  /// A client or a room that has something to do, and arms itself anew.
  mutating func popDue(at now: Instant) -> Subject? { deadlines.popDue(at: now) }
}

/// Peers to be woken: a queue, because the one that is added last is always due last.
///
/// A thousand clients are woken a thousand times a second. In a heap each waking would take a walk
/// and leave an outdated entry; here the client moves from the front to the end.
struct Pulses: Sendable {
  private struct Entry: Sendable {
    let at: Instant
    let peer: PeerID
  }

  private var queue: Deque<Entry> = []

  var earliest: Instant? { queue.first?.at }

  /// How many peers wait.
  var count: Int { queue.count }

  /// Puts a peer at the end, to be woken at an instant that is not before that of the peers ahead.
  mutating func append(_ peer: PeerID, at instant: Instant) {
    queue.append(Entry(at: instant, peer: peer))
  }

  /// Removes a peer that is due.
  mutating func popDue(at now: Instant) -> PeerID? {
    guard let first = queue.first, first.at <= now else { return nil }
    queue.removeFirst()
    return first.peer
  }
}
