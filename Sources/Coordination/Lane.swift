import DequeModule
import Vocabulary
import Wire

/// The commands that wait for an aggregate's journal.
typealias WaitingCommands<Command: Sendable> = Deque<Work<Command>>

/// The queue through which an aggregate changes: decide, append and, once stored, apply, publish
/// and answer.
///
/// At most one append is in flight. When it is stored, all waiting commands are decided together,
/// each on the state that the previous ones leave. A decision has no effect before it is stored.
struct Lane<State: Aggregate>: Sendable {
  typealias Work = State.Work

  private(set) var state: State
  private var waiting: WaitingCommands<State.Command> = []
  /// The batch that is being stored or carried out.
  private var inFlight: [Decided<State>] = []
  /// While a batch is carried out: how many of the commands it caused are at the front of
  /// `waiting`.
  private var consequenceCount: Int32?
  /// Whether an append failed; the aggregate tries again when it is woken.
  private(set) var isPaused = false
  /// Whether it is not known if the batch in flight is stored, because the database is away.
  private(set) var isInDoubt = false
  /// Whether the owner has to find facts out anew that did not outlive a pause.
  private var lacksFacts = false

  init(_ state: State) {
    self.state = state
  }

  /// Whether a batch is being stored or carried out.
  var isBusy: Bool { !inFlight.isEmpty }

  /// Whether a batch is in flight or commands wait.
  var isAtWork: Bool { isBusy || !waiting.isEmpty }

  /// The number of commands that wait or are in flight.
  var pendingCount: Int { waitingCount + inFlight.count }

  /// The number of commands that wait behind the batch in flight.
  var waitingCount: Int { waiting.count }

  func isWaiting(where matches: (Work) -> Bool) -> Bool { waiting.contains(where: matches) }

  /// The first command that is in flight or waits and matches.
  func firstPending(where matches: (Work) -> Bool) -> Work? {
    inFlight.first { matches($0.work) }?.work ?? waiting.first(where: matches)
  }

  /// How many commands that are in flight or wait match.
  func pending(where matches: (Work) -> Bool) -> Int {
    inFlight.count { matches($0.work) } + waiting.count(where: matches)
  }

  /// The first command in flight.
  var current: Work? { inFlight.first?.work }

  // MARK: Commands

  enum Admission: Sendable {
    /// Nothing is in flight: decide the command now.
    case next
    case waits
    /// Too many commands wait already.
    case full
    /// The last append failed, or its outcome is not known, and the command does not wait.
    case paused
  }

  /// Enqueues a command, unless it can be decided now.
  ///
  /// Facts wait for the end of a pause, but those that are found out anew then.
  ///
  /// - Parameter bound: the limit of pending commands; it applies only to commands that somebody
  ///   waits for, not to facts such as a lost connection.
  mutating func admit(_ work: Work, bound: Int) -> Admission {
    guard isBusy || isPaused else { return .next }
    var work = work
    work.isWithAnswer = false
    guard !isPaused || Self.outlivesPause(work) else { return .paused }
    guard !isInDoubt || !work.isAwaited else { return .paused }
    guard !work.isAwaited || pendingCount < bound else { return .full }
    if let count = consequenceCount {
      // The commands that a batch causes go before those that waited behind the batch.
      waiting.insert(work, at: Int(count))
      consequenceCount = count + 1
    } else {
      State.enqueue(work, behind: &waiting)
    }
    return .waits
  }

  /// Removes and returns the first waiting command; the queue's memory is freed with the last one.
  mutating func takeWaiting() -> Work? {
    guard let work = waiting.popFirst() else { return nil }
    if waiting.isEmpty { waiting = [] }
    return work
  }

  mutating func putBack(_ work: Work) { waiting.prepend(work) }

  // MARK: Batches

  /// Puts a batch in flight, because it is being stored.
  ///
  /// - Returns: the number of the event before the batch.
  mutating func begin(_ batch: [Decided<State>]) -> Int {
    inFlight = batch
    return state.seq
  }

  /// Begins to carry out the batch in flight, because it is stored.
  ///
  /// - Returns: the number of the event before the batch, and the batch.
  mutating func beginSettling() -> (seq: Int, batch: [Decided<State>]) {
    consequenceCount = 0
    isInDoubt = false
    return (state.seq, inFlight)
  }

  /// Ends the batch in flight after it was carried out.
  ///
  /// - Returns: whether the aggregate may be forgotten now.
  mutating func endSettling() -> Bool {
    consequenceCount = nil
    inFlight = []
    return state.isForgettable
  }

  /// Puts the batch in flight back into the queue, because another writer's events came first.
  mutating func retract() {
    waiting.insert(contentsOf: inFlight.map(\.work), at: 0)
    inFlight = []
    isInDoubt = false
  }

  mutating func evolve(_ event: State.Event, at now: Instant) { state.evolve(event, at: now) }

  /// Replaces the state with the journal's, or with a blank one after it was erased.
  mutating func replace(_ state: State) { self.state = state }

  /// Pauses the lane after a failed append.
  ///
  /// - Returns: the pending commands, but not the facts that go on waiting.
  mutating func pause() -> [Work] {
    let works = inFlight.map(\.work) + waiting
    inFlight = []
    waiting = WaitingCommands(works.lazy.filter { Self.outlivesPause($0) })
    isPaused = true
    isInDoubt = false
    lacksFacts = true
    return works.filter { !Self.outlivesPause($0) }
  }

  /// Whether a command waits for the end of a pause.
  private static func outlivesPause(_ work: Work) -> Bool {
    !work.isAwaited && !work.isWithAnswer && !State.isFoundAnew(work.command)
  }

  /// Notes that it is not known whether the batch in flight is stored.
  ///
  /// - Returns: the commands that waited behind it and that somebody waits for; facts go on waiting.
  mutating func doubt() -> [Work] {
    isInDoubt = true
    let works = Array(waiting.filter(\.isAwaited))
    waiting.removeAll(where: \.isAwaited)
    return works
  }

  /// Whether the last append failed, or its outcome is not known.
  var isUnavailable: Bool { isPaused || isInDoubt }

  /// Ends the pause.
  ///
  /// - Returns: whether the lane was paused.
  mutating func unpause() -> Bool {
    defer { isPaused = false }
    return isPaused
  }

  /// Notes that the owner finds facts out anew.
  ///
  /// - Returns: whether it has to.
  mutating func beginReconciling() -> Bool {
    defer { lacksFacts = false }
    return lacksFacts
  }

  /// Changes the lane in place, where it lies in a table.
  mutating func change<Result>(_ body: (inout Lane) -> Result) -> Result { body(&self) }
}

/// A decided command that has not been carried out yet.
struct Decided<State: Aggregate>: Sendable {
  let work: State.Work
  /// Why the command was refused; `nil` if it was accepted.
  let refusal: ProtocolError?
  let effects: [State.Effect]
}

/// Commands that are decided and stored together.
struct Batch<State: Aggregate> {
  private(set) var decided: [Decided<State>] = []
  private(set) var steps: [Append.Step] = []
  /// The state after the steps, once there is a second command; `nil` while the lane's state is
  /// current.
  private(set) var draft: State?
  private var events: [State.Event] = []
  private var bytes = 0
  private let mostCommands: Int
  private let mostBytes: Int

  init(_ limits: Limits) {
    mostCommands = limits.batchedCommands
    mostBytes = limits.batchedBytes
  }

  /// Whether the journal has to store anything.
  var isKept: Bool { steps.contains { !$0.events.isEmpty || $0.answer != nil } }

  /// Whether another command may be added.
  ///
  /// - Parameter state: the lane's state.
  mutating func hasRoom(after state: State) -> Bool {
    guard let last = decided.last else { return true }
    guard decided.count < mostCommands, bytes < mostBytes,
      !State.endsBatch(last.work.command)
    else { return false }
    guard let step = steps.last, !step.events.isEmpty else { return true }
    // The state is copied only for a second command.
    var next = draft ?? state
    draft = nil
    for record in step.events {
      guard let event = State.event(in: record.event) else { continue }
      next.evolve(event, at: record.at)
      events.append(event)
    }
    draft = next
    return !next.isForgettable
  }

  /// Decides one more command.
  ///
  /// - Returns: whether the command belongs to this batch; otherwise it waits for the next.
  mutating func decide(
    _ work: State.Work, on state: State, at now: Instant, under conditions: State.Conditions
  ) -> Bool {
    let reply = work.reply
    do throws(ProtocolError) {
      // `draft ?? state` would copy the state.
      let decision =
        if let draft {
          try draft.decide(work, at: now, under: conditions)
        } else {
          try state.decide(work, at: now, under: conditions)
        }
      if !events.isEmpty, (draft ?? state).mustWait(decision.events, behind: events) {
        return false
      }
      let answer = decision.answer.flatMap { reply?.recorded(.answered($0)) }
      let records = decision.events.map { RecordedEvent(at: now, event: State.recorded($0)) }
      for event in decision.events { bytes += State.weight(of: event) }
      steps.append(Append.Step(records, answer: answer))
      decided.append(Decided(work: work, refusal: nil, effects: decision.effects))
    } catch {
      let isFinal = !error.isTemporary && State.isFinal(error, of: work.command)
      steps.append(Append.Step([], answer: isFinal ? reply?.recorded(.refused(error)) : nil))
      decided.append(Decided(work: work, refusal: error, effects: []))
    }
    return true
  }
}
