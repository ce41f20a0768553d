import DequeModule
import Vocabulary
import Wire

/// The commands that wait for an aggregate's journal.
typealias WaitingCommands<Command: Sendable> = Deque<Work<Command>>

/// The one way an aggregate changes: decide, append, and, once kept, apply, follow, answer.
///
/// At most one append is in flight. When it is kept, all that waits is decided in one go, each
/// command on the state that those before it leave. Nothing that a decision causes happens before
/// it is kept.
struct Lane<State: Aggregate>: Sendable {
  typealias Work = State.Work

  private(set) var state: State
  private var waiting: WaitingCommands<State.Command> = []
  /// What is in the journal, or is being carried out.
  private var inFlight: [Decided<State>] = []
  /// While a batch is carried out: how many of its own consequences stand before what waits.
  private var consequenceCount: Int32?
  /// Whether writing failed, and is tried again when the aggregate is woken.
  private(set) var isResting = false

  init(_ state: State) {
    self.state = state
  }

  /// Whether anything is being kept or carried out.
  var isBusy: Bool { !inFlight.isEmpty }

  /// Whether anything is being kept, or waits for that.
  var isAtWork: Bool { isBusy || !waiting.isEmpty }

  /// How many commands wait or are in flight.
  var pendingCount: Int { waitingCount + inFlight.count }

  /// How many commands wait behind those that are in flight.
  var waitingCount: Int { waiting.count }

  /// Whether a command waits that matches.
  func isWaiting(where matches: (Work) -> Bool) -> Bool { waiting.contains(where: matches) }

  /// The first command in flight.
  var current: Work? { inFlight.first?.work }

  // MARK: Commands

  enum Admission: Sendable {
    /// Nothing is under way: it is to be decided now.
    case next
    case waits
    /// Too many wait already.
    case full
    /// Writing failed lately.
    case resting
  }

  /// Takes a command in, unless it is the next.
  ///
  /// - Parameter bound: how many may be pending for somebody who waits; what has to happen anyway,
  ///   such as a loss, meets no bound.
  mutating func admit(_ work: Work, bound: Int) -> Admission {
    guard !isResting else { return .resting }
    guard isBusy else { return .next }
    guard !work.isAwaited || pendingCount < bound else { return .full }
    if let count = consequenceCount {
      // What a batch brings about goes before what waited behind the batch.
      waiting.insert(work, at: Int(count))
      consequenceCount = count + 1
    } else {
      State.enqueue(work, behind: &waiting)
    }
    return .waits
  }

  /// Takes the first command that waits; the room for those that did goes with the last of them.
  mutating func takeWaiting() -> Work? {
    guard let work = waiting.popFirst() else { return nil }
    if waiting.isEmpty { waiting = [] }
    return work
  }

  mutating func putBack(_ work: Work) { waiting.prepend(work) }

  // MARK: Batches

  /// A batch is on its way into the journal.
  ///
  /// - Returns: the number of the event before it.
  mutating func begin(_ batch: [Decided<State>]) -> Int {
    inFlight = batch
    return state.seq
  }

  /// The batch is kept, and to be carried out.
  ///
  /// - Returns: the number of the event before it, and what was decided.
  mutating func beginSettling() -> (seq: Int, batch: [Decided<State>]) {
    consequenceCount = 0
    return (state.seq, inFlight)
  }

  /// All of the batch is carried out.
  ///
  /// - Returns: whether the aggregate is over with it.
  mutating func endSettling() -> Bool {
    consequenceCount = nil
    inFlight = []
    return state.isForgettable
  }

  /// Somebody else's events came first: the batch is to be decided anew.
  mutating func retract() {
    waiting.insert(contentsOf: inFlight.map(\.work), at: 0)
    inFlight = []
  }

  /// Makes an event so.
  mutating func evolve(_ event: State.Event, at now: Instant) { state.evolve(event, at: now) }

  /// The state is another one, as the journal says or because it was erased.
  mutating func replace(_ state: State) { self.state = state }

  /// Writing failed: nothing of what is pending is done, and the lane rests.
  mutating func rest() -> [Work] {
    let works = inFlight.map(\.work) + waiting
    inFlight = []
    waiting = []
    isResting = true
    return works
  }

  /// The rest is over.
  ///
  /// - Returns: whether the lane rested.
  mutating func awake() -> Bool {
    defer { isResting = false }
    return isResting
  }

  /// For `mutating` access where the lane lies in a table.
  mutating func change<Result>(_ body: (inout Lane) -> Result) -> Result { body(&self) }
}

/// What was decided of one command, until it is carried out.
struct Decided<State: Aggregate>: Sendable {
  let work: State.Work
  /// Why the command may not be; `nil` if it may.
  let refusal: ProtocolError?
  let effects: [State.Effect]
}

/// Commands that are decided in one go.
struct Batch<State: Aggregate> {
  private(set) var decided: [Decided<State>] = []
  private(set) var steps: [Append.Step] = []
  /// The state that the steps leave, once there is a second command; `nil` while the lane's holds.
  private(set) var draft: State?
  private var events: [State.Event] = []
  private var bytes = 0
  private let mostCommands: Int
  private let mostBytes: Int

  init(_ limits: Limits) {
    mostCommands = limits.batchedCommands
    mostBytes = limits.batchedBytes
  }

  /// Whether there is anything that a journal has to keep.
  var isKept: Bool { steps.contains { !$0.events.isEmpty || $0.answer != nil } }

  /// Whether another command may be decided on top of these.
  ///
  /// - Parameter state: the lane's.
  mutating func hasRoom(after state: State) -> Bool {
    guard let last = decided.last else { return true }
    guard decided.count < mostCommands, bytes < mostBytes,
      !State.endsBatch(last.work.command)
    else { return false }
    guard let step = steps.last, !step.events.isEmpty else { return true }
    // A batch of one makes no draft: the copy is made for the second command.
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
  /// - Returns: whether it is one of this batch; it may have to wait for the next.
  mutating func decide(
    _ work: State.Work, on state: State, at now: Instant, under conditions: State.Conditions
  ) -> Bool {
    let reply = work.reply
    do throws(ProtocolError) {
      // Not `draft ?? state`, which copies the state.
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
