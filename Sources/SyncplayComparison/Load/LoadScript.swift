package import EventLoops
import Stages

/// A server's cost for a crowd: the processor time of a State, the memory of an idle client, and
/// how the cost of joins grows with the room.
///
/// The crowd consists of plain connections (`PlainPeer`) in one room, which answer like clients.
/// The costs come from the system's process accounting.
package struct LoadScript {
  private let stage: SyncplayStage
  private let half: Int
  private let isInterrupted: () -> Bool
  private let tell: (String) -> Void
  private let crowd: PeerCrowd

  /// The longest time for a crowd to join; the reference needs almost a minute for a thousand.
  private static let patience = Duration.seconds(300)
  /// How long States are counted, while nobody joins or leaves.
  private static let length = Duration.seconds(20)
  /// The time that the server has to finish the work of the joins.
  private static let settling = Duration.seconds(3)
  /// People who join before the measurement, so that one-time allocations are not counted.
  private static let forerunners = 20
  private static let room = "crowd"

  /// A run that has not begun.
  ///
  /// - Parameters:
  ///   - stage: a stage with its server, before anybody joins.
  ///   - people: the number of peers; one half joins after the other.
  ///   - loop: the stage's loop.
  ///   - isInterrupted: polled during all waits.
  ///   - tell: is told about the progress.
  package init(
    on stage: SyncplayStage, people: Int, loop: EventLoop,
    isInterrupted: @escaping () -> Bool, tell: @escaping (String) -> Void
  ) {
    self.stage = stage
    half = max(people / 2, 1)
    self.isInterrupted = isInterrupted
    self.tell = tell
    crowd = PeerCrowd(at: stage.server.port, on: loop)
  }

  /// The resources used up to a moment.
  private struct Account {
    let processorTime: Int
    let memory: Int
    let states: Int
  }

  /// The resources used before the crowd joined, with half of it, and with all of it.
  private typealias Joining = (none: Account, half: Account, all: Account)

  /// Runs the scripts on the same loop: the crowds join one server after the other and stay, and
  /// then States are counted at all servers during the same seconds.
  ///
  /// So other load on the machine affects all servers alike. Measured one after the other, the same
  /// server differed by a third from one minute to the next.
  ///
  /// - Returns: the figures of each server.
  package static func perform(
    _ scripts: [LoadScript]
  ) throws(ComparisonFailure) -> [[ComparisonFigure]] {
    defer { for script in scripts { script.crowd.close() } }
    let joining = try scripts.map { (script) throws(ComparisonFailure) in try script.come() }
    let begin = try scripts.map { (script) throws(ComparisonFailure) in try script.account() }
    try scripts.last?.run(for: length)
    let end = try scripts.map { (script) throws(ComparisonFailure) in try script.account() }
    return scripts.indices.map {
      scripts[$0].figures(of: joining[$0], from: begin[$0], to: end[$0])
    }
  }

  /// Makes the crowd join, in two halves.
  private func come() throws(ComparisonFailure) -> Joining {
    try wait(until: "the server listens") { stage.server.isListening }
    let none = try join(Self.forerunners)
    let joining = (none: none, half: try join(half), all: try join(half))
    tell("\(crowd.greeted) in one room, idle")
    return joining
  }

  /// The figures from the joins, and from the States between two moments.
  private func figures(
    of joining: Joining, from begin: Account, to end: Account
  ) -> [ComparisonFigure] {
    let states = states(from: begin, to: end)
    let memory = memory(from: joining.none, to: joining.all)
    // The yardstick does no work at a join.
    if case .bare = stage.server.program { return [states, memory] }
    // The cost of States, in nanoseconds, is subtracted from that of the joins.
    let perState = (states.value ?? 0) * 1000
    func perJoin(_ from: Account, _ to: Account) -> Double {
      let spent = Double(to.processorTime - from.processorTime)
      return (spent - perState * Double(to.states - from.states)) / Double(half) / 1000
    }
    let first = perJoin(joining.none, joining.half)
    let second = perJoin(joining.half, joining.all)
    return [
      states, memory,
      ComparisonFigure(
        "crowd", "one of the first \(half) joins", [first], .microseconds, target: nil),
      ComparisonFigure(
        "crowd", "one of the next \(half) joins", [second], .microseconds, target: nil),
      ComparisonFigure(
        "crowd", "the later cost more", [first > 0 ? second / first : nil], .times,
        target: .atMost(Self.linear)),
      ComparisonFigure(
        "crowd", "over 2 s without a State", [Double(crowd.silences)], .times, by: .sum),
    ]
  }

  private func memory(from first: Account, to full: Account) -> ComparisonFigure {
    // A server whose memory did not grow has no meaningful figure.
    let grown = full.memory - first.memory
    let perClient = grown > 0 ? Double(grown) / Double(2 * half) / 1000 : nil
    return ComparisonFigure(
      "crowd", "memory of an idle client", [perClient], .kilobytes, target: .share(1 / 2))
  }

  private func states(from begin: Account, to end: Account) -> ComparisonFigure {
    let states = end.states - begin.states
    let perState =
      states > 0 ? Double(end.processorTime - begin.processorTime) / Double(states) / 1000 : nil
    return ComparisonFigure(
      "crowd", "processor time of a State", [perState], .microseconds, target: .share(1 / 8))
  }

  /// The bound on the cost of late joins relative to early ones, with a margin for scatter.
  ///
  /// The ratio is 1 with linear cost, and 3 with quadratic cost.
  private static let linear = 1.5

  private func join(_ count: Int) throws(ComparisonFailure) -> Account {
    let expected = crowd.greeted + count
    tell("\(expected) in one room")
    crowd.add(count, to: Self.room)
    try wait(until: "\(expected) are in the room") { crowd.greeted + crowd.lost >= expected }
    guard crowd.lost == 0 else {
      throw .late("\(expected) are in the room", words: "\(crowd.lost) were hung up on")
    }
    try run(for: Self.settling)
    return try account()
  }

  private func account() throws(ComparisonFailure) -> Account {
    guard let usage = stage.server.usage else {
      throw .late("the server is measured", words: stage.server.words)
    }
    do throws(ProcessUsage.Unreadable) {
      return Account(
        processorTime: try usage.processorTime(), memory: try usage.writtenMemory(),
        states: crowd.states)
    } catch {
      throw .late("the server is measured", words: "\(error)")
    }
  }

  private func wait(
    until what: String, _ condition: () -> Bool
  ) throws(ComparisonFailure) {
    let holds = stage.wait(within: Self.patience) { isInterrupted() || condition() }
    if isInterrupted() { throw .interrupted }
    if !holds { throw .late(what, words: stage.server.words) }
  }

  private func run(for duration: Duration) throws(ComparisonFailure) {
    _ = stage.wait(within: duration, until: isInterrupted)
    if isInterrupted() { throw .interrupted }
  }
}
