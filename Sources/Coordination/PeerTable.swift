import GroupSessions
import Vocabulary
import Wire

/// The connections in an array indexed by slot, and the order in which their silence times out.
///
/// The connections with the same timeout form a queue ordered by when each was last heard. A
/// connection that is heard moves to the end, so that the first one is the next to time out. The
/// queues are doubly linked lists through the slots, which takes eight bytes per connection and no
/// heap entry.
struct PeerTable: Sendable {
  private struct Slot: Sendable {
    var peer: Peer?
    var generation: UInt32 = 0
    var before = none
    var after = none
  }

  private struct Ends: Sendable {
    var first = none
    var last = none
  }

  /// The end of a list.
  private static let none = UInt32.max

  private var slots = Pages<Slot>()
  private var queues = [Ends](repeating: Ends(), count: Patience.allCases.count)
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The connections in the order of their slots.
  var keys: [PeerID] {
    (0..<UInt32(slots.count)).compactMap { slot in
      slots[slot].peer == nil ? nil : PeerID(slot: slot, generation: slots[slot].generation)
    }
  }

  subscript(id: PeerID) -> Peer? {
    isConnected(id) ? slots[id.slot].peer : nil
  }

  mutating func insert(_ peer: Peer, as id: PeerID) {
    while slots.count <= Int(id.slot) { slots.append(Slot()) }
    remove(PeerID(slot: id.slot, generation: slots[id.slot].generation))
    slots[id.slot].peer = peer
    slots[id.slot].generation = id.generation
    enqueue(id.slot, peer.patience)
    count += 1
  }

  @discardableResult
  mutating func remove(_ id: PeerID) -> Peer? {
    guard isConnected(id), let peer = slots[id.slot].peer else { return nil }
    dequeue(id.slot, peer.patience)
    slots[id.slot].peer = nil
    count -= 1
    return peer
  }

  enum Admission: Equatable {
    case admitted
    /// The message exceeds the rate limit.
    case refused(ProtocolError)
    /// So did a whole burst of messages before it: the peer ignores the errors.
    case tooMany(ProtocolError)
  }

  /// Charges a message to a peer's allowance; `nil` if there is no such peer.
  mutating func admit(_ id: PeerID, at now: Instant, limits: Limits, weight: Int = 1) -> Admission?
  {
    guard let peer = self[id] else { return nil }
    // Before its hello, a peer's messages do not extend its timeout.
    if peer.device != nil { hear(id, at: now) }
    guard let wait = take(from: id, at: now, limits: limits, weight: weight) else {
      return .admitted
    }
    let error = ProtocolError(
      .rateLimited, limit: weight == 1 ? limits.messagesPerSecond : nil, retryAfter: wait)
    let ignoresErrors = (self[id]?.allowance.refusals ?? 0) > limits.messageBurst
    return ignoresErrors ? .tooMany(error) : .refused(error)
  }

  /// Restarts a peer's timeout.
  mutating func hear(_ id: PeerID, at now: Instant) {
    guard let patience = self[id]?.patience else { return }
    slots.change(id.slot) { $0.peer?.lastHeard = now }
    dequeue(id.slot, patience)
    enqueue(id.slot, patience)
  }

  /// Notes that what a peer sends is encrypted.
  mutating func secure(_ id: PeerID) {
    guard self[id] != nil else { return }
    slots[id.slot].peer?.isSecured = true
  }

  /// Identifies a peer by its hello, and sets its timeout from then on.
  mutating func greet(_ id: PeerID, as identity: Identity, _ patience: Patience, at now: Instant) {
    guard let old = self[id]?.patience else { return }
    dequeue(id.slot, old)
    slots[id.slot].peer?.identity = identity
    slots[id.slot].peer?.lastHeard = now
    slots[id.slot].peer?.patience = patience
    enqueue(id.slot, patience)
  }

  /// Charges a message to a peer's allowance; returns the time to wait if there is none left.
  mutating func take(
    from id: PeerID, at now: Instant, limits: Limits, weight: Int = 1
  ) -> Duration? {
    guard isConnected(id) else { return nil }
    return slots.change(id.slot) {
      $0.peer?.allowance.take(at: now, limits: limits, weight: weight)
    }
  }

  private func isConnected(_ id: PeerID) -> Bool {
    Int(id.slot) < slots.count && slots[id.slot].generation == id.generation
  }
}

// MARK: Timeouts

extension PeerTable {
  /// The connection that has said nothing for longest; `nil` if all have said hello.
  var oldestSilent: PeerID? {
    let slot = queues[Patience.hello.rawValue].first
    return slot == Self.none
      ? nil : PeerID(slot: slot, generation: slots[slot].generation)
  }

  /// The connection that times out next, and when.
  func next(_ limits: Limits) -> (peer: PeerID, deadline: Instant)? {
    var next: (peer: PeerID, deadline: Instant)?
    for patience in Patience.allCases {
      let slot = queues[patience.rawValue].first
      guard slot != Self.none, let lastHeard = slots[slot].peer?.lastHeard else { continue }
      let deadline = lastHeard + patience.duration(limits)
      if let earlier = next?.deadline, earlier <= deadline { continue }
      next = (PeerID(slot: slot, generation: slots[slot].generation), deadline)
    }
    return next
  }

  private mutating func enqueue(_ slot: UInt32, _ patience: Patience) {
    let last = queues[patience.rawValue].last
    slots[slot].before = last
    slots[slot].after = Self.none
    queues[patience.rawValue].last = slot
    if last == Self.none {
      queues[patience.rawValue].first = slot
    } else {
      slots[last].after = slot
    }
  }

  private mutating func dequeue(_ slot: UInt32, _ patience: Patience) {
    let (before, after) = (slots[slot].before, slots[slot].after)
    if before == Self.none {
      queues[patience.rawValue].first = after
    } else {
      slots[before].after = after
    }
    if after == Self.none {
      queues[patience.rawValue].last = before
    } else {
      slots[after].before = before
    }
  }
}

/// The state of one connection.
struct Peer: Equatable, Sendable {
  /// The identity of its hello; `nil` before the hello.
  var identity: Identity?
  /// When it was last heard.
  var lastHeard: Instant
  /// The messages it may still send at once.
  var allowance: Allowance
  /// Which timeout applies.
  var patience = Patience.hello
  /// Where it comes from; `nil` for a peer of this process.
  let address: PeerAddress?
  /// The link to the server that keeps its audiences; `nil` if this one does.
  let link: LinkID?
  /// Whether what it carries is encrypted.
  var isSecured = false

  /// Whether nobody on the way can read what it carries.
  var isPrivate: Bool { isSecured || address?.isLoopback ?? true }

  var device: DeviceID? { identity?.device }

  init(at now: Instant, from address: PeerAddress? = nil, over link: LinkID? = nil) {
    self.address = address
    self.link = link
    lastHeard = now
    allowance = Allowance(at: now)
  }
}

/// The timeouts of silent connections.
enum Patience: Int, Sendable, CaseIterable {
  /// Before the hello.
  case hello
  /// For clients that announced heartbeats.
  case heartbeat
  /// For other clients.
  case idle

  func duration(_ limits: Limits) -> Duration {
    switch self {
    case .hello: limits.helloDeadline
    case .heartbeat: limits.heartbeatDeadline
    case .idle: limits.idleDeadline
    }
  }
}

/// A token bucket that limits a peer's messages.
///
/// It stores only when the bucket will be full, from which the fill level follows (ITU-T I.371
/// calls this the generic cell rate algorithm).
struct Allowance: Equatable, Sendable {
  /// When the bucket is full again if nothing more is taken.
  private var fullAt: Instant
  /// The number of messages refused since the last accepted one.
  private(set) var refusals: Int32 = 0

  init(at now: Instant) {
    fullAt = now
  }

  /// Takes a message's share; returns the time to wait if there is not enough.
  mutating func take(at now: Instant, limits: Limits, weight: Int = 1) -> Duration? {
    // Whole microseconds are precise enough; above a million messages a second nothing is refused.
    let perMessage = 1_000_000 / max(limits.messagesPerSecond, 1)
    let full = max(fullAt, now) + .microseconds(weight * perMessage)
    let wait = full - now - .microseconds(limits.messageBurst * perMessage)
    guard wait <= .zero else {
      refusals &+= 1
      return wait
    }
    fullAt = full
    refusals = 0
    return nil
  }
}
