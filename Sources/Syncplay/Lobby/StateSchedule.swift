import DequeModule
import Vocabulary

/// When each client's next periodic State is due, and when clients and rooms have other deadlines.
///
/// A client's first State follows soon after its Hello; from then on it is sent one every second.
struct StateSchedule: Sendable {
  /// A client or a room with a deadline other than the periodic States.
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

  /// Schedules a client's next State, at the instant from ``next(after:)``.
  mutating func goOn(_ id: PeerID, at next: Instant) {
    pulses.append(id, at: next)
  }

  /// When the State after one sent at an instant is due.
  static func next(after now: Instant) -> Instant {
    (now + SyncplayLimits.statePeriod).roundedDown(to: SyncplayLimits.stateGrid)
  }

  /// When the next States of any client are due.
  static func tick(after now: Instant) -> Instant {
    (now + SyncplayLimits.stateGrid).roundedDown(to: SyncplayLimits.stateGrid)
  }

  /// The number of scheduled States if at least one is due; otherwise zero.
  func backlog(at now: Instant) -> Int {
    guard let due = pulses.earliest, due <= now else { return 0 }
    return pulses.count
  }

  /// Removes and returns a client whose State is due.
  mutating func popState(at now: Instant) -> PeerID? {
    pulses.popDue(at: now) ?? beginnings.popDue(at: now)
  }

  /// Sets or clears the deadline of a client or a room.
  mutating func arm(_ subject: Subject, at instant: Instant?) {
    deadlines.arm(subject, at: instant)
  }

  /// Removes and returns a client or a room whose deadline has passed; it sets its next one itself.
  mutating func popDue(at now: Instant) -> Subject? { deadlines.popDue(at: now) }
}

/// A queue of peers to wake; a queue is enough, because the peer that is added last is always due
/// last.
///
/// A thousand clients are woken a thousand times a second. In a heap each wake would cost a
/// traversal and leave an outdated entry; in a queue the client moves from the front to the end.
struct Pulses: Sendable {
  private struct Entry: Sendable {
    let at: Instant
    let peer: PeerID
  }

  private var queue: Deque<Entry> = []

  var earliest: Instant? { queue.first?.at }

  /// The number of waiting peers.
  var count: Int { queue.count }

  /// Adds a peer at the end; its instant must not be earlier than those of the peers before it.
  mutating func append(_ peer: PeerID, at instant: Instant) {
    queue.append(Entry(at: instant, peer: peer))
  }

  /// Removes and returns a peer that is due.
  mutating func popDue(at now: Instant) -> PeerID? {
    guard let first = queue.first, first.at <= now else { return nil }
    queue.removeFirst()
    return first.peer
  }
}
