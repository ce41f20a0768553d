import Signatures
import Vocabulary
import Wire

/// The owner of a name, as an aggregate: the person who shows one of its credentials.
struct NameAggregate: Aggregate {
  enum Command: Equatable, Sendable {
    /// Somebody has shown a group's key.
    case claim(CredentialHash)
    /// Another device was let in.
    case pair(CredentialHash)
    /// The administrator takes the name from the person.
    case free
    case clockAdvanced
  }

  private(set) var seq = 0
  /// The hashes of the credentials, one for each device; empty if the name is free.
  private(set) var credentials: [CredentialHash] = []

  var isForgettable: Bool { seq > 0 && credentials.isEmpty }

  func decide(_ work: Work<Command>, at now: Instant, under limits: Limits) throws(ProtocolError)
    -> Decision<NameEvent, Never>
  {
    switch work.command {
    case .claim(let hash):
      guard !credentials.contains(hash) else { return Decision(events: []) }
      guard credentials.isEmpty else { throw ProtocolError(.credentialRefused, reason: "user") }
      return Decision(events: [.claimed(hash)])
    case .pair(let hash):
      guard !credentials.contains(hash) else { return Decision(events: []) }
      guard !credentials.isEmpty else { return Decision(events: [.claimed(hash)]) }
      guard credentials.count < limits.credentials else {
        throw ProtocolError(.pairingRefused, limit: limits.credentials)
      }
      return Decision(events: [.paired(hash)])
    case .free: return Decision(events: credentials.isEmpty ? [] : [.freed])
    case .clockAdvanced: return Decision(events: [])
    }
  }

  mutating func evolve(_ event: NameEvent, at now: Instant) {
    seq += 1
    switch event {
    case .claimed(let hash): credentials = [hash]
    case .paired(let hash): credentials.append(hash)
    case .freed: credentials = []
    }
  }

  /// A claim behind it is decided once the previous owner's data is being erased.
  static func endsBatch(_ command: Command) -> Bool { command == .free }

  /// Nothing is remembered of a device whose person is not known.
  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool { false }

  static func recorded(_ event: NameEvent) -> AggregateEvent { .name(event) }

  static func event(in recorded: AggregateEvent) -> NameEvent? {
    if case .name(let event) = recorded { event } else { nil }
  }
}

typealias NameWork = Work<NameAggregate.Command>

/// The names that belong to somebody.
struct Names: Sendable {
  private(set) var lanes = PagedTable<UserID, Lane<NameAggregate>>()

  /// The credentials of a name's person; empty if the name is free.
  func credentials(of user: UserID) -> [CredentialHash] { lanes[user]?.state.credentials ?? [] }

  mutating func add(_ user: UserID, _ name: NameAggregate = NameAggregate()) {
    lanes[user] = Lane(name)
  }

  mutating func remove(_ user: UserID) { lanes[user] = nil }

  /// Changes a name's lane in place; `nil` if there is none.
  mutating func change<Result>(
    _ user: UserID, _ body: (inout Lane<NameAggregate>) -> Result
  ) -> Result? {
    lanes.change(user) { $0?.change(body) }
  }
}

/// What a credential proves.
enum Proof: Equatable, Sendable {
  /// The name belongs to the person who shows the credential.
  case proved
  /// The name is nobody's yet.
  case unclaimed
  /// The name is of a time when the server asked for no credentials.
  case held
  indirect case refused(ProtocolError)
}
