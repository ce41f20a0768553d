import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// The lane by itself, with an aggregate that counts.
@Suite struct LaneTests {
  /// A counter up to a bound, which is over when it is closed.
  struct Counter: Aggregate {
    enum Command: Equatable { case add(Int), close, look }
    enum Event: Equatable { case added(Int), closed }

    var total = 0
    var seq = 0
    var isForgettable = false

    func decide(
      _ work: Coordination.Work<Command>, at now: Instant, under most: Int
    ) throws(ProtocolError) -> Decision<Event, String> {
      switch work.command {
      case .look: return Decision(events: [], effects: ["looked at \(total)"])
      case .close: return Decision(events: [.closed])
      case .add(let number):
        guard total + number <= most else { throw ProtocolError(.queueFull, limit: most) }
        return Decision(events: [.added(number)], answer: .done(seq: seq + 1))
      }
    }

    static func isFoundAnew(_ command: Command) -> Bool { command == .look }

    mutating func evolve(_ event: Event, at now: Instant) {
      seq += 1
      switch event {
      case .added(let number): total += number
      case .closed: isForgettable = true
      }
    }

    /// The events stand in for a group's, whose wire the journal knows.
    static func recorded(_ event: Event) -> AggregateEvent {
      switch event {
      case .added(let number): .group(.opened(by: UserID("\(number)")))
      case .closed: .group(.closed)
      }
    }

    static func event(in recorded: AggregateEvent) -> Event? {
      switch recorded {
      case .group(.opened(by: let number)): Int(number.text).map { .added($0) }
      case .group(.closed): .closed
      default: nil
      }
    }

    static func weight(of event: Event) -> Int { 100 }
  }

  typealias Work = Coordination.Work<Counter.Command>

  private func work(_ command: Counter.Command, _ number: Int = 0) -> Work {
    Work(
      command: command,
      reply: number == 0
        ? nil : Reply(device: "tv", life: 1, id: RequestID(number), number: number))
  }

  private func decide(
    _ works: [Work], on lane: Lane<Counter> = Lane(Counter()), limits: Limits = Limits()
  ) -> Batch<Counter> {
    var batch = Batch<Counter>(limits)
    for work in works {
      guard batch.hasRoom(after: lane.state),
        batch.decide(work, on: lane.state, at: .start, under: 10)
      else { break }
    }
    return batch
  }

  private func admit(_ work: Work, to lane: inout Lane<Counter>, bound: Int)
    -> Lane<Counter>.Admission
  {
    lane.admit(work, bound: bound)
  }

  @Test func `each command is decided on the state that those before it leave`() {
    let batch = decide([work(.add(4), 1), work(.add(4), 2), work(.add(4), 3), work(.add(2), 4)])
    #expect(batch.decided.map { $0.refusal?.code } == [nil, nil, .queueFull, nil])
    #expect(batch.steps.map(\.events.count) == [1, 1, 0, 1])
    #expect(
      batch.steps.map(\.answer?.outcome) == [
        .answered(.done(seq: 1)), .answered(.done(seq: 2)),
        .refused(ProtocolError(.queueFull, limit: 10)), .answered(.done(seq: 3)),
      ])
  }

  @Test func `one command makes no draft, and nobody who left is answered`() {
    #expect(decide([work(.add(4), 1)]).draft == nil)
    #expect(decide([work(.add(4))]).steps.first?.answer == nil)
    #expect(decide([work(.add(4)), work(.add(1))]).draft?.total == 4)
    let looks = decide([work(.look), work(.look)])
    #expect(looks.draft == nil && !looks.isKept)
    #expect(looks.decided.flatMap(\.effects) == ["looked at 0", "looked at 0"])
  }

  @Test func `a batch ends with a command that closes, and where it is full`() {
    #expect(decide([work(.add(1)), work(.close), work(.add(1))]).decided.count == 2)
    var limits = Limits()
    limits.batchedCommands = 3
    #expect(decide(Array(repeating: work(.add(1)), count: 5), limits: limits).decided.count == 3)
    // Each event weighs 100 bytes.
    for (bytes, commands) in [(100, 1), (101, 2), (200, 2), (201, 3)] {
      limits.batchedBytes = bytes
      #expect(
        decide(Array(repeating: work(.add(1)), count: 5), limits: limits).decided.count == commands)
    }
  }

  @Test func `what waits, waits in order, and consequences go first`() {
    var lane = Lane(Counter())
    #expect(admit(work(.add(1)), to: &lane, bound: 2) == .next)
    _ = lane.begin(decide([work(.add(1), 1)], on: lane).decided)
    #expect(admit(work(.add(2), 2), to: &lane, bound: 2) == .waits)
    #expect(admit(work(.add(3), 3), to: &lane, bound: 2) == .full)
    #expect(
      admit(work(.add(4)), to: &lane, bound: 2) == .waits, "what has to happen meets no bound")
    let (_, batch) = lane.beginSettling()
    #expect(batch.count == 1)
    #expect(admit(work(.add(5)), to: &lane, bound: 2) == .waits)
    #expect(admit(work(.add(6)), to: &lane, bound: 2) == .waits)
    _ = lane.endSettling()
    var order: [Counter.Command] = []
    while let next = lane.takeWaiting() { order.append(next.command) }
    #expect(order == [.add(5), .add(6), .add(2), .add(4)])
    #expect(!lane.isAtWork)
  }

  @Test func `a batch that came second is decided anew before what waits`() {
    var lane = Lane(Counter())
    _ = lane.begin(decide([work(.add(1)), work(.add(2))], on: lane).decided)
    _ = lane.admit(work(.add(3)), bound: 9)
    lane.retract()
    lane.evolve(.added(7), at: .start)
    #expect(!lane.isBusy && lane.waitingCount == 3)
    let next = lane.takeWaiting()
    #expect(next?.command == .add(1))
    #expect(lane.state.total == 7)
  }

  @Test func `where writing fails, all that is pending comes to nothing and the lane rests`() {
    var lane = Lane(Counter())
    _ = lane.begin(decide([work(.add(1), 1), work(.add(20), 2)], on: lane).decided)
    _ = lane.admit(work(.add(3), 3), bound: 9)
    let lost = lane.pause()
    #expect(lost.map(\.reply?.number) == [1, 2, 3])
    #expect(lane.isPaused && !lane.isAtWork)
    #expect(admit(work(.add(1), 4), to: &lane, bound: 9) == .paused)
    let rested = [lane.unpause(), lane.unpause()]
    #expect(rested == [true, false])
    #expect(admit(work(.add(1)), to: &lane, bound: 9) == .next)
    #expect(lane.state == Counter())
  }

  @Test func `facts outlive a pause in their order, but those that are found out anew`() {
    var lane = Lane(Counter())
    _ = lane.begin(decide([work(.add(1)), work(.add(2), 1), work(.look)], on: lane).decided)
    _ = lane.admit(work(.add(3)), bound: 9)
    let lost = lane.pause()
    #expect(lost.map(\.command) == [.add(2), .look])
    #expect(admit(work(.add(4)), to: &lane, bound: 1) == .waits)
    #expect(admit(work(.look), to: &lane, bound: 9) == .paused)
    #expect(admit(work(.add(5), 2), to: &lane, bound: 9) == .paused)
    _ = lane.unpause()
    var order: [Counter.Command] = []
    while let next = lane.takeWaiting() { order.append(next.command) }
    #expect(order == [.add(1), .add(3), .add(4)])
  }

  @Test func `what is kept with its answer fails with it, unless it has to wait`() {
    var told = work(.add(1))
    told.isWithAnswer = true
    var lane = Lane(Counter())
    _ = lane.begin(decide([told], on: lane).decided)
    #expect(admit(told, to: &lane, bound: 9) == .waits)
    let lost = lane.pause()
    #expect(lost.map(\.isWithAnswer) == [true] && lane.waitingCount == 1)
  }
}

extension LaneTests.Counter: Equatable {}
