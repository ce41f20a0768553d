import GroupSessions
import Vocabulary
import Wire

/// The connections, each found by indexing an array, and who of them is silent for longest.
///
/// Those with the same patience stand in a queue in the order of their last words: whoever is
/// heard goes to its end, so that its front is the next whose patience is over. The queues are
/// linked through the places, which costs a peer eight bytes and no wish in a heap.
struct PeerTable: Sendable {
  private struct Place: Sendable {
    var peer: Peer?
    var generation: UInt32 = 0
    var before = none
    var after = none
  }

  private struct Ends: Sendable {
    var first = none
    var last = none
  }

  /// No place.
  private static let none = UInt32.max

  private var places = Pages<Place>()
  private var queues = [Ends](repeating: Ends(), count: Patience.allCases.count)
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Those who are connected, in the order of their places.
  var keys: [PeerID] {
    (0..<UInt32(places.count)).compactMap { slot in
      places[slot].peer == nil ? nil : PeerID(slot: slot, generation: places[slot].generation)
    }
  }

  subscript(id: PeerID) -> Peer? {
    isConnected(id) ? places[id.slot].peer : nil
  }

  mutating func insert(_ peer: Peer, as id: PeerID) {
    while places.count <= Int(id.slot) { places.append(Place()) }
    remove(PeerID(slot: id.slot, generation: places[id.slot].generation))
    places[id.slot].peer = peer
    places[id.slot].generation = id.generation
    enqueue(id.slot, peer.patience)
    count += 1
  }

  @discardableResult
  mutating func remove(_ id: PeerID) -> Peer? {
    guard isConnected(id), let peer = places[id.slot].peer else { return nil }
    dequeue(id.slot, peer.patience)
    places[id.slot].peer = nil
    count -= 1
    return peer
  }

  enum Admission: Equatable {
    case admitted
    /// It came too soon.
    case refused(ProtocolError)
    /// So did a whole burst before it: whoever sends it does not listen.
    case tooMany(ProtocolError)
  }

  /// Takes a message from a peer's allowance; `nil` if there is no such peer.
  mutating func admit(_ id: PeerID, at now: Instant, limits: Limits, weight: Int = 1) -> Admission?
  {
    guard let peer = self[id] else { return nil }
    // Only a peer that said hello earns patience by talking.
    if peer.device != nil { hear(id, at: now) }
    guard let wait = take(from: id, at: now, limits: limits, weight: weight) else {
      return .admitted
    }
    let error = ProtocolError(
      .rateLimited, limit: weight == 1 ? limits.messagesPerSecond : nil, retryAfter: wait)
    let isDeaf = (self[id]?.allowance.refusals ?? 0) > limits.messageBurst
    return isDeaf ? .tooMany(error) : .refused(error)
  }

  /// Something was heard from a peer.
  mutating func hear(_ id: PeerID, at now: Instant) {
    guard let patience = self[id]?.patience else { return }
    places.change(id.slot) { $0.peer?.lastHeard = now }
    dequeue(id.slot, patience)
    enqueue(id.slot, patience)
  }

  /// A peer said hello, which is how long it may be silent from here on.
  mutating func greet(_ id: PeerID, as identity: Identity, _ patience: Patience, at now: Instant) {
    guard let old = self[id]?.patience else { return }
    dequeue(id.slot, old)
    places[id.slot].peer?.identity = identity
    places[id.slot].peer?.lastHeard = now
    places[id.slot].peer?.patience = patience
    enqueue(id.slot, patience)
  }

  /// Takes a message from a peer's allowance, or says how long until one may come.
  mutating func take(
    from id: PeerID, at now: Instant, limits: Limits, weight: Int = 1
  ) -> Duration? {
    guard isConnected(id) else { return nil }
    return places.change(id.slot) {
      $0.peer?.allowance.take(at: now, limits: limits, weight: weight)
    }
  }

  private func isConnected(_ id: PeerID) -> Bool {
    Int(id.slot) < places.count && places[id.slot].generation == id.generation
  }
}

// MARK: Silence

extension PeerTable {
  /// The peer whose patience is over first, and when.
  func next(_ limits: Limits) -> (peer: PeerID, deadline: Instant)? {
    var next: (peer: PeerID, deadline: Instant)?
    for patience in Patience.allCases {
      let slot = queues[patience.rawValue].first
      guard slot != Self.none, let lastHeard = places[slot].peer?.lastHeard else { continue }
      let deadline = lastHeard + patience.duration(limits)
      if let earlier = next?.deadline, earlier <= deadline { continue }
      next = (PeerID(slot: slot, generation: places[slot].generation), deadline)
    }
    return next
  }

  private mutating func enqueue(_ slot: UInt32, _ patience: Patience) {
    let last = queues[patience.rawValue].last
    places[slot].before = last
    places[slot].after = Self.none
    queues[patience.rawValue].last = slot
    if last == Self.none {
      queues[patience.rawValue].first = slot
    } else {
      places[last].after = slot
    }
  }

  private mutating func dequeue(_ slot: UInt32, _ patience: Patience) {
    let (before, after) = (places[slot].before, places[slot].after)
    if before == Self.none {
      queues[patience.rawValue].first = after
    } else {
      places[before].after = after
    }
    if after == Self.none {
      queues[patience.rawValue].last = before
    } else {
      places[after].before = before
    }
  }
}

/// One connection as the coordinator sees it.
struct Peer: Equatable, Sendable {
  /// Who it said hello as; `nil` until then.
  var identity: Identity?
  /// When something was last heard from it.
  var lastHeard: Instant
  /// What it may still send at once.
  var allowance: Allowance
  /// How long it may be silent.
  var patience = Patience.hello

  var device: DeviceID? { identity?.device }

  init(at now: Instant) {
    lastHeard = now
    allowance = Allowance(at: now)
  }
}

/// How long a peer may be silent.
enum Patience: Int, Sendable, CaseIterable {
  /// Until it has said hello.
  case hello
  /// One that promised to ping.
  case heartbeat
  /// One that did not.
  case idle

  func duration(_ limits: Limits) -> Duration {
    switch self {
    case .hello: limits.helloDeadline
    case .heartbeat: limits.heartbeatDeadline
    case .idle: limits.idleDeadline
    }
  }
}

/// A token bucket: what a peer may send at once, refilled as time passes.
///
/// How full it is follows from when it will be full: one number instead of two (ITU-T I.371 calls
/// it the generic cell rate algorithm).
struct Allowance: Equatable, Sendable {
  /// When it is full again, if nothing more is taken.
  private var fullAt: Instant
  /// Messages refused since the last one that was taken.
  private(set) var refusals: Int32 = 0

  init(at now: Instant) {
    fullAt = now
  }

  /// Takes one message, or says how long until one may come.
  mutating func take(at now: Instant, limits: Limits, weight: Int = 1) -> Duration? {
    // Whole microseconds are exact enough: beyond a million messages a second nothing is refused.
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
