import Vocabulary

/// Judges operator passwords of managed rooms, and limits guesses.
struct OperatorPasswords: Sendable {
  /// What becomes of a password.
  enum Verdict: Equatable, Sendable {
    /// It is right: the client becomes an operator.
    case right
    /// It is wrong, which everybody in the audience of the room hears.
    case wrong
    /// It has another form, or is for another room, which the client's room hears.
    case malformed
    /// The address has no guess left, which only the client hears.
    case tooManyGuesses
    /// The room was not managed: this is the managed one, to which the client goes by itself.
    case makes(ManagedRoom)
  }

  private let options: SyncplayOptions
  private var guesses = GuessLimit()

  init(_ options: SyncplayOptions) { self.options = options }

  /// Judges the password that a client in a room sends.
  ///
  /// - Parameter named: the room that the client names; `nil` is the one that it is in.
  mutating func judge(
    _ password: String, named: String?, in room: String, from address: String, at now: Instant
  ) -> Verdict {
    let wanted = named.map(\.strippedOfSpace) ?? room
    guard let managed = ManagedRoom(wanted) else {
      guard ManagedRoom.isPassword(password),
        wanted.codePointCount + ManagedRoom.overhead <= options.maximumRoomNameLength
      else { return .malformed }
      return .makes(ManagedRoom(base: wanted, password: password, salt: options.salt))
    }
    // The password must be checked for the room that the client is to steer.
    guard wanted == room, ManagedRoom.isPassword(password) else { return .malformed }
    guard guesses.take(by: address, at: now) else { return .tooManyGuesses }
    guard managed.accepts(password, salt: options.salt) else { return .wrong }
    guesses.forgive(address)
    return .right
  }
}

/// Limits the guesses of operator passwords from each address, over all its connections.
struct GuessLimit: Equatable, Sendable {
  /// When an address has all its guesses again; addresses that have are not stored.
  private var restored: SortedMap<String, Instant> = [:]

  /// How many addresses are stored.
  var count: Int { restored.count }

  /// Takes a guess; false if none is left for now.
  ///
  /// The generic cell rate algorithm (ITU-T I.371), which stores one instant per address.
  mutating func take(by address: String, at now: Instant) -> Bool {
    let full = max(restored[address] ?? now, now) + SyncplayLimits.guessInterval
    guard full - now <= SyncplayLimits.guessInterval * SyncplayLimits.guesses else { return false }
    if restored[address] == nil { makeRoom(at: now) }
    restored[address] = full
    return true
  }

  /// Gives all guesses back after a right one, so that an operator on a bad line may return often.
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
