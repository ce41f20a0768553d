import Signatures
import Vocabulary
import Wire

/// Who a name belongs to, as an aggregate: whoever shows one of its credentials.
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

  /// Who claims the name next is decided after the consequences.
  static func endsBatch(_ command: Command) -> Bool { command == .free }

  /// Nothing is remembered of a device whose person is not known.
  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool { false }

  static func recorded(_ event: NameEvent) -> AggregateEvent { .name(event) }

  static func event(in recorded: AggregateEvent) -> NameEvent? {
    if case .name(let event) = recorded { event } else { nil }
  }
}

typealias NameWork = Work<NameAggregate.Command>

/// One name with its lane.
struct NameRoom: Sendable {
  var lane = Lane(NameAggregate())

  var name: NameAggregate {
    _read { yield lane.state }
  }
}

/// What a credential proves.
enum Proof: Equatable, Sendable {
  /// The name is the person's who shows it.
  case proved
  /// The name is nobody's yet.
  case unclaimed
  /// The name is of a time when the server asked for no credentials.
  case held
  indirect case refused(ProtocolError)
}

/// The lanes of names.
enum NameLanes: LaneKind {
  typealias State = NameAggregate

  static func stream(_ id: UserID) -> AggregateID { .name(id) }
  static func subject(_ id: UserID) -> People.Subject { .name(id) }
  static var clockAdvanced: NameAggregate.Command { .clockAdvanced }
  static var endsForGood: Bool { false }

  static func change<Result>(
    _ id: UserID, in owner: inout People, _ body: (inout Lane<NameAggregate>) -> Result
  ) -> Result? {
    owner.names.change(id) { $0?.lane.change(body) }
  }

  static func nextDeadline(of id: UserID, in owner: People) -> Instant? { nil }

  static func apply(
    _ event: NameEvent, at instant: Instant, to id: UserID, in owner: inout People
  ) {
    owner.names.change(id) { $0?.lane.evolve(event, at: instant) }
    switch event {
    // Nothing was posted while the name was nobody's.
    case .claimed: owner.turn.say(.groups(.reinvite(id)))
    case .paired: break
    case .freed: owner.erase(freed: id)
    }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID, in owner: inout People
  ) {
    guard let reply = decided.work.reply else { return }
    if case .claim = decided.work.command {
      owner.turn.say(.front(.claimed(reply)))
    } else {
      owner.turn.finish(reply)
    }
  }

  static func fail(
    _ work: NameWork, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: UserID,
    in owner: inout People
  ) {
    owner.turn.refuse(work.reply, error, answer)
  }

  static func miss(_ work: NameWork, on id: UserID, in owner: inout People) {
    // Nobody claimed the name, but there may be something for it.
    owner.erase(freed: id)
    owner.turn.finish(work.reply)
  }

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in owner: inout People
  ) {}

  static func pause(without works: [NameWork], on id: UserID, in owner: inout People) {}

  static func reconcile(_ id: UserID, in owner: inout People) {}

  /// Removes a name that is free.
  static func removeIfOver(_ id: UserID, in owner: inout People) {
    guard let room = owner.names[id], room.name.credentials.isEmpty, !room.lane.isAtWork,
      !room.lane.isPaused
    else { return }
    owner.names[id] = nil
    owner.turn.disarm(.name(id))
    if room.name.seq > 0 { owner.turn.say(.output(.forget(.name(id)))) }
  }
}
