/// Limits what each source does, such as guesses of an address or the bytes that a person's requests
/// cost: a source has an allowance, which fills up again with time.
///
/// It implements the generic cell rate algorithm (ITU-T I.371), which stores one instant per source
/// instead of an allowance and an instant.
package struct RateLimit<Source: Hashable & Comparable & Sendable>: Equatable, Sendable {
  private let burst: Int
  /// How long until one comes back.
  private let interval: Duration
  /// How long until a source that has used its allowance has all of it again.
  private let span: Duration
  private let most: Int
  /// When each source has its whole allowance again; sources that have it need not be stored.
  private var restored: [Source: Instant] = [:]

  /// A limit that nobody has touched.
  ///
  /// - Parameters:
  ///   - burst: the allowance of a source, which it may use at once.
  ///   - span: how long until a used allowance is whole again.
  ///   - sources: how many sources are remembered.
  package init(burst: Int, refilledIn span: Duration, sources: Int) {
    self.burst = max(burst, 1)
    self.span = span
    interval = span / self.burst
    most = max(sources, 1)
  }

  /// A limit that nobody has touched, of which so much comes back a second.
  package init(burst: Int, perSecond: Int, sources: Int) {
    self.init(burst: burst, refilledIn: .seconds(burst) / max(perSecond, 1), sources: sources)
  }

  /// The number of stored sources.
  package var count: Int { restored.count }

  /// How long a source has to wait until it may use so much; `nil` if it may now.
  ///
  /// What costs more than the whole allowance may be done with the whole allowance.
  package func wait(for source: Source, cost: Int = 1, at now: Instant) -> Duration? {
    guard let full = restored[source] else { return nil }
    let wait = full + time(of: cost) - now - span
    return wait > .zero ? wait : nil
  }

  /// Takes a cost from a source's allowance; what is beyond it does not add up.
  package mutating func note(_ source: Source, cost: Int = 1, at now: Instant) {
    if restored[source] == nil { makeRoom(at: now) }
    restored[source] = min(max(restored[source] ?? now, now) + time(of: cost), now + span)
  }

  /// Takes one from a source's allowance; false if none is left at the moment.
  package mutating func take(by source: Source, at now: Instant) -> Bool {
    guard wait(for: source, at: now) == nil else { return false }
    note(source, at: now)
    return true
  }

  /// Gives back a cost that did not arise, such as that of a correct guess.
  ///
  /// So somebody with a bad line may reconnect any number of times.
  package mutating func giveBack(_ cost: Int, to source: Source, at now: Instant) {
    guard let full = restored[source] else { return }
    let earlier = full - time(of: cost)
    restored[source] = earlier > now ? earlier : nil
  }

  /// How long a cost takes to come back.
  private func time(of cost: Int) -> Duration { interval * min(cost, burst) }

  /// Forgets the sources that have their whole allowance, before the table grows; if that is not
  /// enough, the half that has it soonest, so that an attack from many sources pays for a sort only
  /// now and then.
  private mutating func makeRoom(at now: Instant) {
    guard restored.count == restored.capacity || restored.count >= most else { return }
    restored = restored.filter { $0.value > now }
    if restored.count >= most {
      let latest = restored.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(most / 2)
      restored = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
    }
    // As many can come again until the next search, if there may be so many.
    restored.reserveCapacity(min(2 * restored.count, most))
  }
}
