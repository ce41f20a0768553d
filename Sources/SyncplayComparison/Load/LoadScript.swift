package import EventLoops
import Stages
import Vocabulary

/// What a crowd costs a server: processor time of a State, memory of a client that does nothing, and
/// how the cost of joins grows with the room.
///
/// The crowd is made of plain connections (``PlainPeer``), all in one room, that answer as clients do.
/// The server's costs are the system's own account of it.
package struct LoadScript {
  private let stage: SyncplayStage
  private let half: Int
  private let loop: EventLoop
  private let isInterrupted: () -> Bool
  private let tell: (String) -> Void
  private let crowd: PeerCrowd

  /// How long a crowd may take to come: the reference needs most of a minute for a thousand.
  private static let patience = Duration.seconds(300)
  /// How long States are counted: nothing else comes or goes meanwhile.
  private static let length = Duration.seconds(20)
  /// Until what joins left to do is done.
  private static let settling = Duration.seconds(3)
  /// People who come before anything is measured, so that what a server makes once is there.
  private static let forerunners = 20
  private static let room = "crowd"

  /// A run, not yet begun.
  ///
  /// - Parameters:
  ///   - stage: with its server, before anybody is there.
  ///   - people: how many come, half of them at first.
  ///   - loop: the stage's.
  ///   - isInterrupted: looked at all the time.
  ///   - tell: hears what is happening, for a person who waits.
  package init(
    on stage: SyncplayStage, people: Int, loop: EventLoop,
    isInterrupted: @escaping () -> Bool, tell: @escaping (String) -> Void
  ) {
    self.stage = stage
    half = max(people / 2, 1)
    self.loop = loop
    self.isInterrupted = isInterrupted
    self.tell = tell
    crowd = PeerCrowd(at: stage.server.port, on: loop)
  }

  /// What was used up to a moment.
  private struct Account {
    let processorTime: Int
    let memory: Int
    let states: Int
  }

  /// What was used before the crowd came, with half of it there, and with all of it.
  private typealias Joining = (none: Account, half: Account, all: Account)

  /// Runs them, on the same loop: the crowds come to one server after the other and stay, and then
  /// States are counted at all of them in the same seconds.
  ///
  /// So what the machine itself does at the time costs all of them the same. One after the other, the
  /// same server differed by a third from one minute to the next.
  ///
  /// - Returns: what was measured at each server.
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

  /// Lets the crowd come.
  private func come() throws(ComparisonFailure) -> Joining {
    try wait(until: "the server listens") { stage.server.isListening }
    let none = try join(Self.forerunners)
    let joining = (none: none, half: try join(half), all: try join(half))
    tell("\(crowd.greeted) in one room, idle")
    return joining
  }

  /// What the joins tell, and the States between two moments.
  private func figures(
    of joining: Joining, from begin: Account, to end: Account
  ) -> [ComparisonFigure] {
    let states = states(from: begin, to: end)
    let memory = memory(from: joining.none, to: joining.all)
    // A yardstick does nothing about who comes.
    if case .bare = stage.server.program { return [states, memory] }
    // What a State costs, in nanoseconds, is no part of what a join does.
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
    // A server that gave back more than the crowd took tells nothing.
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

  /// Joins whose cost is linear cost the same early and late, and three times as much if it is
  /// quadratic; between the two lies what measurements scatter.
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
