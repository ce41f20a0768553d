import GroupSessions
import Playback
import Vocabulary
import Wire

/// A session as its lane has it.
struct SessionAggregate: Aggregate {
  enum Command: Sendable {
    indirect case begin(SessionBeginning)
    case command(SessionCommand)
    /// Changes nothing; answered once what was asked before it is done.
    case look
  }

  struct Conditions {
    var playback: PlaybackConditions
    /// Whom a session invites as it begins.
    var people: [UserID] = []
  }

  let id: SessionID
  /// The session; `nil` until its beginning is kept.
  private(set) var session: GroupSession?

  /// A session that is about to begin.
  init(beginning id: SessionID) { self.id = id }

  /// A session as a journal kept it.
  init(_ session: GroupSession) {
    id = session.id
    self.session = session
  }

  var seq: Int { session?.seq ?? 0 }

  var isForgettable: Bool {
    if case .ended? = session?.state { true } else { false }
  }

  func decide(
    _ work: SessionWork, at now: Instant, under conditions: Conditions
  ) throws(ProtocolError) -> Decision<SessionEvent, Never> {
    do throws(SessionRejection) {
      let events: [SessionEvent] =
        switch work.command {
        case .begin(let beginning): try begin(beginning, at: now, under: conditions)
        case .look: try look()
        case .command(.activate(let initiator)):
          try activate(by: initiator, at: now, under: conditions)
        case .command(let command):
          try session?.decide(command, at: now, under: conditions.playback) ?? []
        }
      return Decision(events: events, answer: work.reply.flatMap { answer(to: work, $0, events) })
    } catch { throw ProtocolError(error) }
  }

  /// A session's first events: it begins, and in the same breath invites.
  private func begin(
    _ beginning: SessionBeginning, at now: Instant, under conditions: Conditions
  ) throws(SessionRejection) -> [SessionEvent] {
    guard session == nil else { return [] }
    let began = SessionEvent.began(beginning)
    guard !beginning.isStaged else { return [began] }
    let session = GroupSession(id: id, beginning)
    return [began] + (try invitations(to: session, at: now, under: conditions))
  }

  /// A staged session that becomes one invites, as one does that begins.
  private func activate(
    by initiator: Initiator, at now: Instant, under conditions: Conditions
  ) throws(SessionRejection) -> [SessionEvent] {
    guard var session else { return [] }
    let events = try session.decide(.activate(by: initiator), at: now, under: conditions.playback)
    guard !events.isEmpty else { return [] }
    for event in events { session.evolve(event, at: now) }
    return events + (try invitations(to: session, at: now, under: conditions))
  }

  private func invitations(
    to session: GroupSession, at now: Instant, under conditions: Conditions
  ) throws(SessionRejection) -> [SessionEvent] {
    guard !conditions.people.isEmpty else { return [] }
    return try session.decide(
      .invite(conditions.people, by: nil), at: now, under: conditions.playback)
  }

  /// Nothing happens; but a session that ended while this waited is not what was asked for.
  private func look() throws(SessionRejection) -> [SessionEvent] {
    if case .ended(let reason)? = session?.state { throw .ended(reason) }
    return []
  }

  mutating func evolve(_ event: SessionEvent, at now: Instant) {
    if case .began(let beginning) = event {
      session = GroupSession(id: id, beginning)
    } else {
      session?.evolve(event, at: now)
    }
  }

  /// Whoever joined just now hears of its own leaving, of the end and of messages as of anything
  /// else: the state that it is sent would not have them.
  func mustWait(_ events: [SessionEvent], behind earlier: [SessionEvent]) -> Bool {
    events.contains { event in
      switch event {
      case .left(let id, _): earlier.contains { $0.isArrival(of: id) }
      case .ended, .messageSent: earlier.contains { if case .joined = $0 { true } else { false } }
      default: false
      }
    }
  }

  static func endsBatch(_ command: Command) -> Bool {
    if case .begin = command { true } else { false }
  }

  static func recorded(_ event: SessionEvent) -> AggregateEvent { .session(event) }

  static func event(in recorded: AggregateEvent) -> SessionEvent? {
    if case .session(let event) = recorded { event } else { nil }
  }

  static func weight(of event: SessionEvent) -> Int { event.retainedWeight }
}

// MARK: Answers

extension SessionAggregate {
  /// What a command is answered once these events are kept.
  private func answer(to work: SessionWork, _ reply: Reply, _ events: [SessionEvent]) -> Answer? {
    switch reply.wanted {
    case .done: return .done(seq: events.isEmpty ? nil : seq + events.count)
    case .activated(let isNew, let willDeliver):
      return .activated(id, isNew: isNew, willDeliver: willDeliver)
    case .joined:
      guard case .command(.join(let joiner)) = work.command else { return nil }
      // One who takes part already goes on as who it is.
      return .joined(id, session?.participant(on: reply.device)?.id ?? joiner.id)
    case .invitationAnswered: return invitationAnswer(to: work, reply, events)
    case .suspended(let participant, let reason):
      let standing = session?.suspension(of: participant, reason)
      return (events.suspension(of: participant) ?? standing).map { .suspended($0) }
        ?? .done(seq: nil)
    case .suspensionEnded(let participant, let isProposing):
      let open = session?.playback.participants[participant]?.suspensions.count ?? 0
      return isProposing && open > events.endedSuspensions(of: participant)
        ? .proposalDropped : .done(seq: seq + events.count)
    }
  }

  /// What an answer to an invitation is answered: that the device takes part, where it does.
  private func invitationAnswer(to work: SessionWork, _ reply: Reply, _ events: [SessionEvent])
    -> Answer
  {
    if let joiner = work.joiner {
      let joined = events.contains { $0.isArrival(of: joiner.id) } ? joiner.id : nil
      if let participant = session?.participant(on: reply.device)?.id ?? joined {
        return .joined(id, participant)
      }
    }
    return events.isEmpty ? .alreadyAnswered : .done(seq: seq + events.count)
  }
}

extension [SessionEvent] {
  /// The number of the suspension that they begin.
  fileprivate func suspension(of participant: ParticipantID) -> SuspensionID? {
    for case .playback(.suspensionBegan(participant, let number, _, isImposed: false)) in self {
      return number
    }
    return nil
  }

  /// How many suspensions they end.
  fileprivate func endedSuspensions(of participant: ParticipantID) -> Int {
    reduce(0) { count, event in
      if case .playback(.suspensionEnded(participant, _)) = event { count + 1 } else { count }
    }
  }
}

extension GroupSession {
  /// The number of a suspension that stands already.
  fileprivate func suspension(of participant: ParticipantID, _ reason: SuspensionReason)
    -> SuspensionID?
  {
    playback.participants[participant]?.suspensions
      .last { $0.reason == reason && !$0.isImposed }?.id
  }
}

extension SessionEvent {
  /// Whether a participant's stay begins with it.
  func isArrival(of id: ParticipantID) -> Bool {
    if case .joined(let participant) = self { participant.id == id } else { false }
  }
}

typealias SessionWork = Work<SessionAggregate.Command>

extension SessionWork {
  /// Who joins by it, if it comes to that.
  var joiner: Joiner? {
    switch command {
    case .command(.join(let joiner)), .command(.answerInvitation(.accept(let joiner), _)): joiner
    default: nil
    }
  }
}

// MARK: Room

/// One session in its lane, and what is held beside its events.
struct SessionRoom: Sendable {
  var lane: Lane<SessionAggregate>
  var tail = EventTail()
  var delays = Delays()
  /// What the players last said of their places.
  var offsets: SortedMap<ParticipantID, Duration> = [:]
  /// What those who follow its parts by notifications were told last.
  var told = Rare<ToldObjects>.absent

  init(_ state: SessionAggregate) {
    lane = Lane(state)
  }

  var session: GroupSession? {
    _read { yield lane.state.session }
  }

  /// What it is about, or will be once its beginning is kept.
  var activity: GroupActivity? {
    if case .begin(let beginning)? = lane.current?.command { return beginning.activity }
    return session?.activity
  }
}

/// The one-way delays of a session's participants, and the slowest of them.
struct Delays: Equatable, Sendable {
  private var delays: SortedMap<ParticipantID, Duration> = [:]
  private(set) var slowest = Duration.zero

  /// Notes what a peer says of itself.
  mutating func note(_ delay: Duration, of id: ParticipantID) {
    let old = delays[id]
    delays[id] = delay
    if delay >= slowest {
      slowest = delay
    } else if old == slowest {
      slowest = delays.values.max() ?? .zero
    }
  }

  mutating func forget(_ id: ParticipantID) {
    guard let old = delays.removeValue(forKey: id), old == slowest else { return }
    slowest = delays.values.max() ?? .zero
  }

  subscript(id: ParticipantID) -> Duration? { delays[id] }

  func roundTrip(of id: ParticipantID) -> Duration? { delays[id].map { $0 * 2 } }
}
