import Vocabulary
import Wire

/// A value that holds aggregates in lanes: ``Groups``, or ``People``.
protocol LaneOwner {
  /// Who is woken when time passes.
  associatedtype Subject: Hashable & Sendable

  var turn: Turn<Subject> { get set }
}

/// One kind of aggregate: where its lanes lie, and what follows from what happens in them.
///
/// The way of a command is ``Lane``'s; a kind says what is its own.
protocol LaneKind<Owner> {
  associatedtype Owner: LaneOwner
  associatedtype State: Aggregate
  associatedtype ID: Hashable & Sendable

  /// The stream in the journal.
  static func stream(_ id: ID) -> AggregateID

  /// Changes a lane where it lies; `nil` where there is none.
  static func change<Result>(
    _ id: ID, in owner: inout Owner, _ body: (inout Lane<State>) -> Result
  ) -> Result?

  /// What the moment adds to a decision.
  ///
  /// - Parameter draft: the state that the decision is made on, where it is not the lane's.
  static func conditions(
    for command: State.Command, of id: ID, after draft: State?, in owner: Owner
  ) -> State.Conditions

  /// Applies an event that is kept, tells everybody who follows, and sees to what follows from it.
  static func apply(
    _ event: State.Event, at instant: Instant, to id: ID, in owner: inout Owner)

  /// A command is carried out: all that it brought about is applied.
  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: ID, in owner: inout Owner)

  /// A command was refused, or could not be kept.
  ///
  /// - Parameter answer: the refusal as it is kept; `nil` if it is not kept yet, or will not be.
  static func fail(
    _ work: State.Work, _ error: ProtocolError, _ answer: RecordedAnswer?, on id: ID,
    in owner: inout Owner)

  /// There is no such aggregate: the command comes to nothing.
  static func miss(_ work: State.Work, on id: ID, in owner: inout Owner)

  /// All of a batch is carried out.
  ///
  /// - Parameter seq: the number of the last event before it.
  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: ID,
    in owner: inout Owner)

  /// Somebody else's events came first.
  static func take(_ others: [RecordedEvent], on id: ID, in owner: inout Owner)

  /// Writing failed, and everybody who waited was told.
  static func rest(without works: [State.Work], on id: ID, in owner: inout Owner)

  /// A lane that rested tries again: what had to happen meanwhile is made good.
  static func reconcile(_ id: ID, in owner: inout Owner)

  /// The command by which the aggregate hears that time passed, and when it wants to; `nil` never.
  static var clockAdvanced: State.Command { get }
  static func nextDeadline(of id: ID, in owner: Owner) -> Instant?
  static func subject(_ id: ID) -> Owner.Subject

  /// Lets go of an aggregate that is over, or of which nothing is known; nothing waits for it.
  static func buryIfOver(_ id: ID, in owner: inout Owner)

  /// Whether commands for an aggregate that is over are judged one by one, and kept with whoever
  /// asked; `false` where its stream begins anew.
  static var isBuried: Bool { get }
}

extension LaneKind {
  static func conditions(
    for command: State.Command, of id: ID, after draft: State?, in owner: Owner
  ) -> State.Conditions where State.Conditions == Limits { owner.turn.limits }

  static func take(_ others: [RecordedEvent], on id: ID, in owner: inout Owner) {
    for record in others {
      guard let event = State.event(in: record.event) else { continue }
      apply(event, at: record.at, to: id, in: &owner)
    }
  }
}

// MARK: The way of a command

extension LaneOwner {
  /// Carries a command out, or has it wait behind those that are being kept.
  ///
  /// Requests may meet the bound on waiting; what has to happen anyway, such as a loss, does not.
  /// While writing fails, requests are turned away, and the rest is made good later.
  mutating func perform<Kind: LaneKind<Self>>(_ work: Kind.State.Work, on id: Kind.ID, _: Kind.Type)
  {
    let bound = turn.limits.pendingCommands
    switch Kind.change(id, in: &self, { $0.admit(work, bound: bound) }) {
    case nil: Kind.miss(work, on: id, in: &self)
    case .next: proceed(from: work, on: id, Kind.self)
    case .waits: break
    case .full: Kind.fail(work, .busy(turn.limits), nil, on: id, in: &self)
    case .resting: Kind.fail(work, .journalUnavailable(turn.limits), nil, on: id, in: &self)
    }
  }

  /// Decides what waits, until something has to be kept.
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
    Kind.buryIfOver(id, in: &self)
  }

  /// - Returns: the batch that begins with a command, and the number of the event before it.
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

  /// Takes in what became of an append.
  mutating func appended<Kind: LaneKind<Self>>(
    _ append: Append, _ outcome: AppendOutcome, on id: Kind.ID, _: Kind.Type
  ) {
    guard Kind.change(id, in: &self, { $0.isBusy }) == true else { return }
    switch outcome {
    case .kept: settle(append.steps, on: id, Kind.self)
    case .preceded(let others):
      Kind.change(id, in: &self) { $0.retract() }
      Kind.take(others, on: id, in: &self)
    case .failed: return rest(id, Kind.self)
    }
    proceed(from: nil, on: id, Kind.self)
    arm(id, Kind.self)
  }

  /// Carries a batch out, step by step: applies its events, sees to what follows, and answers.
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
    if Kind.isBuried, isOver == true { conclude(id, Kind.self) }
  }

  /// Nothing more is kept of an aggregate that is over: what waits is judged as things are, and
  /// what it comes to is kept with whoever asked.
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

  /// Writing failed: what was asked is turned away, and the aggregate tries again later.
  private mutating func rest<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    let works = Kind.change(id, in: &self) { $0.rest() } ?? []
    for work in works { Kind.fail(work, .journalUnavailable(turn.limits), nil, on: id, in: &self) }
    Kind.rest(without: works, on: id, in: &self)
    guard Kind.change(id, in: &self, { _ in true }) == true else { return }
    turn.arm(Kind.subject(id), at: turn.now + turn.limits.journalRetry)
  }

  // MARK: Time

  mutating func arm<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    guard Kind.change(id, in: &self, { $0.isBusy }) == false else { return }
    turn.arm(Kind.subject(id), at: Kind.nextDeadline(of: id, in: self))
  }

  /// Time passed for an aggregate.
  mutating func wake<Kind: LaneKind<Self>>(_ id: Kind.ID, _: Kind.Type) {
    if Kind.change(id, in: &self, { $0.awake() }) == true { Kind.reconcile(id, in: &self) }
    if Kind.nextDeadline(of: id, in: self).map({ $0 <= turn.now }) == true {
      perform(Work(command: Kind.clockAdvanced), on: id, Kind.self)
    }
    arm(id, Kind.self)
    Kind.buryIfOver(id, in: &self)
  }
}
