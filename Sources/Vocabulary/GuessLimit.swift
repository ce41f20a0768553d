/// Limits how often each source may guess a secret, over all its connections.
///
/// It implements the generic cell rate algorithm (ITU-T I.371), which stores one instant per source
/// instead of a count and an instant.
package struct GuessLimit<Source: Hashable & Comparable & Sendable>: Equatable, Sendable {
  /// How long until there is one more guess.
  private let interval: Duration
  /// How long until a source without any has all of them again.
  private let span: Duration
  private let most: Int
  /// When each source has all its guesses again; sources with all guesses need not be stored.
  private var restored: [Source: Instant] = [:]

  /// A limit that nobody has touched.
  ///
  /// - Parameters:
  ///   - guesses: how many a source has at once.
  ///   - interval: how long until there is one more.
  ///   - sources: how many sources are remembered.
  package init(guesses: Int, interval: Duration, sources: Int) {
    self.interval = interval
    span = interval * guesses
    most = sources
  }

  /// The number of stored sources.
  package var count: Int { restored.count }

  /// How long a source has to wait for its next guess; `nil` if it has one.
  package func wait(for source: Source, at now: Instant) -> Duration? {
    guard let full = restored[source] else { return nil }
    let wait = full + interval - now - span
    return wait > .zero ? wait : nil
  }

  /// Counts a guess; beyond the limit, guesses do not add up.
  package mutating func note(_ source: Source, at now: Instant) {
    if restored[source] == nil { makeRoom(at: now) }
    restored[source] = min(max(restored[source] ?? now, now) + interval, now + span)
  }

  /// Takes one guess; false if none is left at the moment.
  package mutating func take(by source: Source, at now: Instant) -> Bool {
    guard wait(for: source, at: now) == nil else { return false }
    note(source, at: now)
    return true
  }

  /// A correct guess costs nothing, so somebody with a bad line may reconnect any number of times.
  package mutating func forgive(_ source: Source) { restored[source] = nil }

  /// Forgets the sources that have all guesses again; if that is not enough, the half that has them
  /// soonest, so that an attack from many sources pays for a sort only now and then.
  private mutating func makeRoom(at now: Instant) {
    guard restored.count >= most else { return }
    restored = restored.filter { $0.value > now }
    guard restored.count >= most else { return }
    let latest = restored.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(most / 2)
    restored = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
  }
}
