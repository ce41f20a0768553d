import Vocabulary
import Wire

/// A value that holds aggregates with their lanes: ``Groups`` or ``People``.
protocol LaneOwner {
  /// What is woken at a deadline.
  associatedtype Subject: Hashable & Sendable

  var turn: Turn<Subject> { get set }
}

/// A kind of aggregate: where its lanes are stored, and the consequences of its events.
///
/// The path of a command is the same for all kinds; see ``LaneOwner``.
protocol LaneKind<Owner> {
  associatedtype Owner: LaneOwner
  associatedtype State: Aggregate
  associatedtype ID: Hashable & Sendable

  /// The aggregate's stream in the journal.
  static func stream(_ id: ID) -> AggregateID

  /// Changes a lane in place; `nil` if there is none.
  static func change<Result>(
    _ id: ID, in owner: inout Owner, _ body: (inout Lane<State>) -> Result
  ) -> Result?

  /// The facts from outside the aggregate that a decision depends on.
  ///
  /// - Parameter draft: the state that the decision is based on, if it is not the lane's.
  static func conditions(
    for command: State.Command, of id: ID, after draft: State?, in owner: Owner
  ) -> State.Conditions

  /// Applies a stored event, publishes it and handles its consequences.
  static func apply(
    _ event: State.Event, at instant: Instant, to id: ID, in owner: inout Owner)

  /// Handles a command whose events have all been applied.
  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: ID, in owner: inout Owner)

  /// Handles a command that was refused or could not be stored.
  ///
  /// - Parameter answer: the refusal as the journal stored it; `nil` if it is not stored.
  static func fail(
    _ work: State.Work, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: ID,
    in owner: inout Owner)

  /// Handles a command for an aggregate that does not exist.
  static func miss(_ work: State.Work, on id: ID, in owner: inout Owner)

  /// Handles the end of a batch that was carried out.
  ///
  /// - Parameter seq: the number of the last event before the batch.
  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: ID,
    in owner: inout Owner)

  /// Applies another writer's events that came first.
  static func take(_ others: [RecordedEvent], on id: ID, in owner: inout Owner)

  /// Handles a failed append, after everybody who waited was told.
  static func pause(without works: [State.Work], on id: ID, in owner: inout Owner)

  /// Makes up for the facts that did not wait for the end of a pause.
  static func reconcile(_ id: ID, in owner: inout Owner)

  /// The command that tells the aggregate that time passed, and when that is due; `nil` if never.
  static var clockAdvanced: State.Command { get }
  static func nextDeadline(of id: ID, in owner: Owner) -> Instant?
  static func subject(_ id: ID) -> Owner.Subject

  /// Removes an aggregate that is over or blank, unless commands wait for it.
  static func removeIfOver(_ id: ID, in owner: inout Owner)

  /// Whether an aggregate that is over never begins again.
  ///
  /// Waiting commands are then decided one by one, and their answers are stored in the devices'
  /// streams.
  static var endsForGood: Bool { get }
}

extension LaneKind {
  static func conditions(
    for command: State.Command, of id: ID, after draft: State?, in owner: Owner
  ) -> State.Conditions where State.Conditions == Limits { owner.turn.limits }

  static func take(_ others: [RecordedEvent], on id: ID, in owner: inout Owner) {
    apply(others, to: id, in: &owner)
  }

  static func apply(_ records: [RecordedEvent], to id: ID, in owner: inout Owner) {
    for record in records {
      guard let event = State.event(in: record.event) else { continue }
      apply(event, at: record.at, to: id, in: &owner)
    }
  }
}

/// A group, a session or an attachment that is over never begins again.
extension LaneKind where Owner == Groups {
  static var endsForGood: Bool { true }
}

/// Whoever is forgotten begins anew with the next command, so that none is missed.
extension LaneKind where Owner == People {
  static var endsForGood: Bool { false }

  static func fail(
    _ work: State.Work, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: ID,
    in owner: inout People
  ) {
    owner.turn.refuse(work.reply, error, answer)
  }

  static func miss(_ work: State.Work, on id: ID, in owner: inout People) {}

  static func pause(without works: [State.Work], on id: ID, in owner: inout People) {}
}

// MARK: The path of a command

extension LaneOwner {
  /// Performs a command, or enqueues it behind the batch in flight.
  ///
  /// The limit of pending commands applies to requests, but not to facts such as a lost connection.
  /// During a pause, and while the outcome of an append is unknown, requests are refused, and facts
  /// wait or are found out anew.
  mutating func perform<Kind: LaneKind<Self>>(_ work: Kind.State.Work, on id: Kind.ID, _: Kind.Type)
  {
    let bound = turn.limits.pendingCommands
    switch Kind.change(id, in: &self, { $0.admit(work, bound: bound) }) {
    case nil: Kind.miss(work, on: id, in: &self)
    case .next: proceed(from: work, on: id, Kind.self)
    case .waits: break
    case .full: Kind.fail(work, .busy(turn.limits), nil, on: id, in: &self)
    case .paused: Kind.fail(work, .journalUnavailable(turn.limits), nil, on: id, in: &self)
    }
  }

  /// Decides waiting commands until something has to be stored.
  private mutating func proceed<Kind: LaneKind<Self>>(
    from first: Kind.State.Work?, on id: Kind.ID, _: Kind.Type
  ) {
    var next = first
    while let work = next.take() ?? Kind.change(id, in: &self, { $0.takeWaiting() }) ?? nil {
      let (seq, batch) = decide(from: work, on: id, Kind.self)
      guard !batch.isKept else {
        return turn.append(Append(to: Kind.stream(id), after: seq, steps: batch.steps))
      }
      settle(batch.steps, on: id, Kind.self)
    }
    Kind.removeIfOver(id, in: &self)
  }

  /// - Returns: a batch that begins with this command, and the number of the event before it.
  private mutating func decide<Kind: LaneKind<Self>>(
    from first: Kind.State.Work, on id: Kind.ID, _: Kind.Type
  ) -> (seq: Int, Batch<Kind.State>) {
    var batch = Batch<Kind.State>(turn.limits)
    var next: Kind.State.Work? = first
    let now = turn.now
    while let work = next.take() {
      let conditions = Kind.conditions(for: work.command, of: id, after: batch.draft, in: self)
      next =
        Kind.change(id, in: &self) { lane in
          guard batch.decide(work, on: lane.state, at: now, under: conditions) else {
            lane.putBack(work)
            return nil
          }
          guard lane.waitingCount > 0, batch.hasRoom(after: lane.state) else {
            return nil
          }
          return lane.takeWaiting()
        } ?? nil
    }
    let seq = Kind.change(id, in: &self) { $0.begin(batch.decided) } ?? 0
    return (seq, batch)
  }

  /// Handles the outcome of an append.
  mutating func appended<Kind: LaneKind<Self>>(
    _ append: Append, _ outcome: AppendOutcome, on id: Kind.ID, _: Kind.Type
  ) {
    guard Kind.change(id, in: &self, { $0.isBusy }) == true else { return }
    let wasInDoubt = Kind.change(id, in: &self) { $0.isInDoubt } == true
    switch outcome {
    case .kept: settle(append.steps, on: id, Kind.self)
    case .preceded(let others):
      Kind.change(id, in: &self) { $0.retract() }
      Kind.take(others, on: id, in: &self)
    case .unknown:
      let works = Kind.change(id, in: &self) { $0.doubt() } ?? []
      return refuse(works, on: id, Kind.self)
    case .failed: return pause(id, Kind.self)
    }
    proceed(from: nil, on: id, Kind.self)
    let lacksFacts =
      outcome == .kept && Kind.change(id, in: &self) { $0.beginReconciling() } == true
    // What was erased, as by a wipe, has nothing to make up for.
    if wasInDoubt || lacksFacts, Kind.change(id, in: &self, { $0.state.seq > 0 }) == true {
      Kind.reconcile(id, in: &self)
    }
    arm(id, Kind.self)
  }

  /// Carries out a batch step by step: applies its events, handles the consequences, and answers.
  private mutating func settle<Kind: LaneKind<Self>>(
    _ steps: [Append.Step], on id: Kind.ID, _: Kind.Type
  ) {
    guard let (seq, batch) = Kind.change(id, in: &self, { $0.beginSettling() }) else { return }
    for (decided, step) in zip(batch, steps) {
      for record in step.events {
        guard let event = Kind.State.event(in: record.event) else { continue }
        Kind.apply(event, at: record.at, to: id, in: &self)
      }
      if let refusal = decided.refusal {
        Kind.fail(decided.work, refusal, step.answer, on: id, in: &self)
      } else {
        Kind.finish(decided, step, on: id, in: &self)
      }
    }
    Kind.endBatch(batch, steps, after: seq, on: id, in: &self)
    let isOver = Kind.change(id, in: &self) { $0.endSettling() }
    if Kind.endsForGood, isOver == true { conclude(id, Kind.self) }
  }

  /// Decides the commands that wait for an aggregate that is over.
  ///
  /// Nothing more is stored for the aggregate; the answers are stored in the devices' streams.
  private mutating func conclude<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    while let work = Kind.change(id, in: &self, { $0.takeWaiting() }) ?? nil {
      let conditions = Kind.conditions(for: work.command, of: id, after: nil, in: self)
      var batch = Batch<Kind.State>(turn.limits)
      let now = turn.now
      Kind.change(id, in: &self) {
        _ = batch.decide(work, on: $0.state, at: now, under: conditions)
      }
      if let refusal = batch.decided.first?.refusal {
        Kind.fail(work, refusal, nil, on: id, in: &self)
      } else {
        turn.finish(work.reply)
      }
    }
  }

  /// Refuses the pending commands after a failed append, and arms the timer for another try; facts go
  /// on waiting.
  private mutating func pause<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    let works = Kind.change(id, in: &self) { $0.pause() } ?? []
    refuse(works, on: id, Kind.self)
    Kind.pause(without: works, on: id, in: &self)
    guard Kind.change(id, in: &self, { _ in true }) == true else { return }
    turn.arm(Kind.subject(id), at: turn.now + turn.limits.journalRetry)
  }

  /// Refuses commands, because the journal cannot be written.
  private mutating func refuse<Kind: LaneKind<Self>>(
    _ works: [Kind.State.Work], on id: Kind.ID, _: Kind.Type
  ) {
    for work in works { Kind.fail(work, .journalUnavailable(turn.limits), nil, on: id, in: &self) }
  }

  // MARK: Time

  mutating func arm<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    guard Kind.change(id, in: &self, { $0.isBusy }) == false else { return }
    turn.arm(Kind.subject(id), at: Kind.nextDeadline(of: id, in: self))
  }

  /// Wakes an aggregate at its deadline.
  mutating func wake<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    if Kind.change(id, in: &self, { $0.unpause() }) == true {
      proceed(from: nil, on: id, Kind.self)
      // What waited is stored first: facts that are found out anew at each failure would add up.
      if Kind.change(id, in: &self, { $0.isBusy }) != true {
        Kind.change(id, in: &self) { _ = $0.beginReconciling() }
        Kind.reconcile(id, in: &self)
      }
    }
    if Kind.nextDeadline(of: id, in: self).map({ $0 <= turn.now }) == true {
      perform(Work(command: Kind.clockAdvanced), on: id, Kind.self)
    }
    arm(id, Kind.self)
    Kind.removeIfOver(id, in: &self)
  }
}
