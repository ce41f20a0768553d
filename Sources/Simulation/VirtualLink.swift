import Vocabulary

/// What a network does to what is sent over it: data, so that a plan of faults is a value.
package struct LinkConditions: Equatable, Sendable {
  /// The least time one way.
  package var delay: Duration
  /// What chance adds to it, at most.
  package var jitter: Duration
  /// Whether nothing passes and nothing can be opened.
  package var isCut = false
  /// Until then everything sent waits; it arrives all at once, in order.
  package var heldUntil = Duration.zero

  /// A link that works.
  package init(delay: Duration = .milliseconds(2), jitter: Duration = .zero) {
    self.delay = delay
    self.jitter = jitter
  }
}

/// One direction of one connection: what was sent arrives in order, each after its delay.
struct VirtualDirection<Payload: Sendable>: Sendable {
  private var parcels: ArraySlice<(at: Duration, payload: Payload)> = []
  /// When the last parcel arrives: none overtakes it.
  private var lastArrival = Duration.zero

  var nextArrival: Duration? { parcels.first?.at }

  mutating func send(
    _ payload: Payload, at now: Duration, _ conditions: LinkConditions,
    by chance: inout SplitMix64
  ) {
    let jitter = conditions.jitter * (Double(chance.next() >> 11) / 9_007_199_254_740_992)
    let departure = max(now, conditions.heldUntil)
    lastArrival = max(lastArrival, departure + conditions.delay + jitter)
    parcels.append((lastArrival, payload))
  }

  /// What is on the way stands still until then.
  mutating func hold(until moment: Duration) {
    parcels = ArraySlice(parcels.map { (max($0.at, moment), $0.payload) })
    if !parcels.isEmpty { lastArrival = max(lastArrival, moment) }
  }

  mutating func receive(at now: Duration) -> Payload? {
    guard let first = parcels.first, first.at <= now else { return nil }
    parcels.removeFirst()
    return first.payload
  }
}
