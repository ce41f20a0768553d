import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

/// A session as an aggregate.
struct SessionAggregate: Aggregate {
  enum Command: Sendable {
    indirect case begin(SessionBeginning)
    case command(SessionCommand)
    /// Checks that the session has not ended; its answer waits for the earlier commands.
    case checkLive
  }

  struct Conditions {
    var playback: PlaybackConditions
    /// The people that the session invites when it begins.
    var people: [UserID] = []
  }

  let id: SessionID
  /// The session; `nil` until its beginning is stored.
  private(set) var session: GroupSession?

  /// A session whose beginning is not stored yet.
  init(beginning id: SessionID) { self.id = id }

  /// A session from a journal.
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
        case .checkLive: try checkLive()
        case .command(.activate(let initiator)):
          try activate(by: initiator, at: now, under: conditions)
        case .command(let command):
          try session?.decide(command, at: now, under: conditions.playback) ?? []
        }
      return Decision(events: events, answer: work.reply.flatMap { answer(to: work, $0, events) })
    } catch { throw ProtocolError(error) }
  }

  /// The first events of a session: its beginning, and its invitations.
  private func begin(
    _ beginning: SessionBeginning, at now: Instant, under conditions: Conditions
  ) throws(SessionRejection) -> [SessionEvent] {
    guard session == nil else { return [] }
    let began = SessionEvent.began(beginning)
    guard !beginning.isStaged else { return [began] }
    let session = GroupSession(id: id, beginning)
    return [began] + (try invitations(to: session, at: now, under: conditions))
  }

  /// Activates a staged session, which invites like a session that begins.
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

  /// Refuses the request if the session ended while it waited.
  private func checkLive() throws(SessionRejection) -> [SessionEvent] {
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

  /// Events that a participant from the same batch has to receive wait for the next batch: its own
  /// leaving, the end, and messages are not part of the state that it is sent.
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

  /// Who finds no named place may turn out to be a spectator.
  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool {
    switch command {
    case .command(.join), .command(.answerInvitation(.accept, _)): refusal.code != .sessionFull
    default: true
    }
  }

  /// The owner knows who is here and what is live.
  static func isFoundAnew(_ command: Command) -> Bool { true }

  static func enqueue(_ work: SessionWork, behind waiting: inout WaitingCommands<Command>) {
    waiting.merge(work) { command -> (of: ParticipantID, isBack: Bool?)? in
      switch command {
      case .command(.lose(let participant)): (participant, false)
      case .command(.resume(let participant)): (participant, true)
      case .command(.leave(let participant)): (participant, nil)
      default: nil
      }
    }
  }

  static func recorded(_ event: SessionEvent) -> AggregateEvent { .session(event) }

  static func event(in recorded: AggregateEvent) -> SessionEvent? {
    if case .session(let event) = recorded { event } else { nil }
  }

  static func weight(of event: SessionEvent) -> Int { event.retainedWeight }
}

// MARK: Answers

extension SessionAggregate {
  /// The answer to a command with these events.
  private func answer(to work: SessionWork, _ reply: Reply, _ events: [SessionEvent]) -> Answer? {
    switch reply.wanted {
    case .done: return .done(seq: events.isEmpty ? nil : seq + events.count)
    case .activated(let isNew, let willDeliver):
      return .activated(id, isNew: isNew, willDeliver: willDeliver)
    case .joined:
      guard case .command(.join(let joiner)) = work.command else { return nil }
      // A device that takes part already keeps its participant.
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

  /// The answer to an invitation's answer: that the device takes part, if it does.
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
  /// The number of the participant's suspension that they begin.
  fileprivate func suspension(of participant: ParticipantID) -> SuspensionID? {
    for case .playback(.suspensionBegan(participant, let number, _, isImposed: false)) in self {
      return number
    }
    return nil
  }

  /// How many of the participant's suspensions they end.
  fileprivate func endedSuspensions(of participant: ParticipantID) -> Int {
    reduce(0) { count, event in
      if case .playback(.suspensionEnded(participant, _)) = event { count + 1 } else { count }
    }
  }
}

extension GroupSession {
  /// The number of an existing suspension.
  fileprivate func suspension(of participant: ParticipantID, _ reason: SuspensionReason)
    -> SuspensionID?
  {
    playback.participants[participant]?.suspensions
      .last { $0.reason == reason && !$0.isImposed }?.id
  }
}

extension SessionEvent {
  /// Whether it begins a participant's stay.
  func isArrival(of id: ParticipantID) -> Bool {
    if case .joined(let participant) = self { participant.id == id } else { false }
  }
}

typealias SessionWork = Work<SessionAggregate.Command>

extension SessionWork {
  /// The joiner of the command, if it has one.
  var joiner: Joiner? {
    switch command {
    case .command(.join(let joiner)), .command(.answerInvitation(.accept(let joiner), _)): joiner
    default: nil
    }
  }
}

// MARK: State beside the events

/// A session with its lane, and what is kept beside its events.
struct SessionRoom: Sendable {
  private(set) var lane: Lane<SessionAggregate>
  private(set) var tail = EventTail()
  private(set) var delays = Delays()
  /// The players' last reported offsets from the group's position.
  private(set) var offsets: SortedMap<ParticipantID, Duration> = [:]

  init(_ state: SessionAggregate) {
    lane = Lane(state)
  }

  /// Restores a session from a journal.
  init(_ recovered: Recovery.RecoveredSession, _ limits: Limits) {
    self.init(SessionAggregate(recovered.session))
    tail = EventTail(recovered.known, upTo: recovered.session.seq, limits: limits)
  }

  var session: GroupSession? {
    _read { yield lane.state.session }
  }

  /// Its activity, or the activity that it begins with once that is stored.
  var activity: GroupActivity? {
    if case .begin(let beginning)? = lane.current?.command { return beginning.activity }
    return session?.activity
  }

  /// Changes the lane in place.
  mutating func change<Result>(_ body: (inout Lane<SessionAggregate>) -> Result) -> Result {
    lane.change(body)
  }

  /// Applies an event; the tail keeps all but the first, which nobody can have missed.
  mutating func apply(_ event: SessionEvent, at instant: Instant, _ limits: Limits) {
    lane.evolve(event, at: instant)
    if case .began = event { return }
    guard let seq = lane.state.session?.seq else { return }
    tail.append(event, seq: seq, at: instant, limits: limits)
  }

  /// Notes how long a message takes to a participant.
  mutating func note(_ delay: Duration, of id: ParticipantID) { delays.note(delay, of: id) }

  /// Notes how far a participant's player is from the group's position.
  mutating func note(offset: Duration, of id: ParticipantID) { offsets[id] = offset }

  /// Forgets what was measured of a participant.
  mutating func forget(_ id: ParticipantID) {
    delays.forget(id)
    offsets[id] = nil
  }
}

/// The one-way delays of a session's participants.
struct Delays: Equatable, Sendable {
  private var delays: SortedMap<ParticipantID, Duration> = [:]
  private(set) var slowest = Duration.zero

  /// Records a delay that a peer reported.
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
