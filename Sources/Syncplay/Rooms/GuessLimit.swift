import Vocabulary

/// How often operator passwords may be guessed: by each address, whatever its connections.
struct GuessLimit: Equatable, Sendable {
  /// When each has all its guesses again; who has, is not remembered.
  private var restored: SortedMap<String, Instant> = [:]

  /// How many addresses are remembered.
  var count: Int { restored.count }

  /// Takes a guess; false if there is none left for now.
  ///
  /// The generic cell rate algorithm (ITU-T I.371): one instant for each instead of a count and one.
  mutating func take(by address: String, at now: Instant) -> Bool {
    let full = max(restored[address] ?? now, now) + SyncplayLimits.guessInterval
    guard full - now <= SyncplayLimits.guessInterval * SyncplayLimits.guesses else { return false }
    if restored[address] == nil { makeRoom(at: now) }
    restored[address] = full
    return true
  }

  /// A right guess costs nothing: an operator may come back as often as a bad line has it.
  mutating func forgive(_ address: String) {
    restored[address] = nil
  }

  private mutating func makeRoom(at now: Instant) {
    guard restored.count >= SyncplayLimits.guessers else { return }
    for (address, instant) in restored where instant <= now { restored[address] = nil }
    guard restored.count >= SyncplayLimits.guessers,
      let first = restored.min(by: { $0.value < $1.value })
    else { return }
    restored[first.key] = nil
  }
}
