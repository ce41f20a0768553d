/// Limits what each source makes the server do, in bytes: a source pays what it costs, and its
/// allowance fills up again with time.
///
/// It implements the generic cell rate algorithm (ITU-T I.371), which stores one instant per source
/// instead of an allowance and an instant.
package struct CostLimit<Source: Hashable & Comparable & Sendable>: Equatable, Sendable {
  private let perSecond: Int
  private let burst: Int
  private let most: Int
  /// When each source has its whole allowance again; sources that have it need not be stored.
  private var restored: [Source: Instant] = [:]

  /// A limit of which nobody has used anything.
  ///
  /// - Parameters:
  ///   - perSecond: the bytes that a source may cost a second, sustained.
  ///   - burst: the bytes that it may cost at once.
  ///   - sources: how many sources are remembered.
  package init(perSecond: Int, burst: Int, sources: Int) {
    self.perSecond = max(perSecond, 1)
    self.burst = max(burst, 1)
    most = max(sources, 1)
  }

  /// The number of stored sources.
  package var count: Int { restored.count }

  /// How long a source has to wait until it may cost that much; `nil` if it may now.
  ///
  /// What costs more than the whole allowance may be done with the whole allowance.
  package func wait(for source: Source, cost: Int, at now: Instant) -> Duration? {
    guard let full = restored[source] else { return nil }
    let wait = full + time(of: min(cost, burst)) - now - time(of: burst)
    return wait > .zero ? wait : nil
  }

  /// Takes a cost from a source's allowance.
  package mutating func take(_ cost: Int, from source: Source, at now: Instant) {
    if restored[source] == nil { makeRoom(at: now) }
    restored[source] = max(restored[source] ?? now, now) + time(of: min(cost, burst))
  }

  /// Gives back a cost that did not arise.
  package mutating func giveBack(_ cost: Int, to source: Source, at now: Instant) {
    guard let full = restored[source] else { return }
    let earlier = full - time(of: min(cost, burst))
    restored[source] = earlier > now ? earlier : nil
  }

  private func time(of cost: Int) -> Duration {
    let (seconds, rest) = cost.quotientAndRemainder(dividingBy: perSecond)
    return .seconds(seconds) + .microseconds(Int64(Double(rest) / Double(perSecond) * 1_000_000))
  }

  /// Forgets the sources that have their whole allowance; if that is not enough, the half that has it
  /// soonest, so that many sources pay for a sort only now and then.
  private mutating func makeRoom(at now: Instant) {
    guard restored.count >= most else { return }
    restored = restored.filter { $0.value > now }
    guard restored.count >= most else { return }
    let latest = restored.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(most / 2)
    restored = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
  }
}
