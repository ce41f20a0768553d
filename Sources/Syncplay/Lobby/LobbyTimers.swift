import DequeModule
import Vocabulary

/// When the lobby has to act: each client's next State, plans of clients, rooms, and the count of
/// versions.
struct LobbyTimers: Sendable {
  /// What is due, apart from periodic States.
  enum Subject: Hashable, Sendable {
    case peer(PeerID)
    case room(String)
  }

  /// Clients that wait for their first State, and clients that wait for the next one; each queue in
  /// the order in which they are due.
  private var beginnings = Pulses()
  private var pulses = Pulses()
  private var deadlines = Deadlines<Subject>()
  private var nextCount: Instant?

  /// When something is due; `nil` if nothing is.
  var earliest: Instant? {
    Instant.earlier(
      Instant.earlier(pulses.earliest, beginnings.earliest),
      Instant.earlier(nextCount, deadlines.earliest))
  }

  /// How many clients wait for their next State, if one is due; 0 if none is.
  func count(dueAt now: Instant) -> Int {
    guard let due = pulses.earliest, due <= now else { return 0 }
    return pulses.count
  }

  /// Schedules a client's first State.
  mutating func begin(_ peer: PeerID, at instant: Instant) { beginnings.append(peer, at: instant) }

  /// Schedules a client's next State.
  mutating func goOn(_ peer: PeerID, at instant: Instant) { pulses.append(peer, at: instant) }

  /// A client whose periodic State is due, or was due before another event moved it.
  mutating func popPulse(at now: Instant) -> PeerID? {
    pulses.popDue(at: now) ?? beginnings.popDue(at: now)
  }

  /// Arms a deadline; `nil` leaves those that are armed.
  mutating func arm(_ subject: Subject, at instant: Instant?) {
    deadlines.arm(subject, at: instant)
  }

  /// A subject whose deadline has passed; it has to be armed again.
  mutating func popDeadline(at now: Instant) -> Subject? { deadlines.popDue(at: now) }

  /// Schedules the first count of versions; `nil` for none.
  mutating func count(at instant: Instant?) { nextCount = instant }

  /// Whether a count of versions is due; the next one is scheduled then.
  mutating func takeCount(at now: Instant) -> Bool {
    guard let due = nextCount, due <= now else { return false }
    nextCount = now + SyncplayLimits.countPeriod
    return true
  }
}

/// A queue of clients by the end of their second: the client that is appended last is due last.
///
/// With a thousand clients there are a thousand entries a second. A heap would need a sift and
/// leave a stale entry for each; here an entry goes from the front to the back.
struct Pulses: Sendable {
  private struct Entry: Sendable {
    let at: Instant
    let peer: PeerID
  }

  private var queue: Deque<Entry> = []

  var earliest: Instant? { queue.first?.at }

  /// The number of entries.
  var count: Int { queue.count }

  /// Appends a client that is due at an instant, which is not before those of the others.
  mutating func append(_ peer: PeerID, at instant: Instant) {
    queue.append(Entry(at: instant, peer: peer))
  }

  /// A client that is due, or was due before another event moved it.
  mutating func popDue(at now: Instant) -> PeerID? {
    guard let first = queue.first, first.at <= now else { return nil }
    queue.removeFirst()
    return first.peer
  }
}
