import EventLoops
import LoopTesting
import ProgramTesting
import Vocabulary

/// Servers with one journal: one decides, and the others take people in for it until they have to
/// take over.
///
/// Confined to its test loop's thread.
final class ServerCluster {
  /// The server that has the journal.
  private(set) var decider: Program
  /// The servers in front of it.
  private(set) var fronts: [Program] = []
  private let options: [String]
  private let wrapper: [String]
  private let patience: Duration
  private let test: TestLoop

  /// Starts three servers.
  init(
    _ options: [String], by wrapper: [String], within patience: Duration, on test: TestLoop
  ) throws {
    self.options = options + ["--advertise", "127.0.0.1:0"]
    (self.wrapper, self.patience, self.test) = (wrapper, patience, test)
    decider = try Program.serve(self.options, by: wrapper, within: patience, on: test).server
    for _ in 0..<2 { try addFront() }
  }

  /// Where people come in.
  var ports: [UInt16] { ([decider] + fronts).compactMap(\.lastPort) }

  /// Starts one more server, and waits until it takes people in.
  func addFront() throws {
    let (front, port) = try Program.serve(options, by: wrapper, within: patience, on: test)
    guard port != 0 else { throw TestLoop.TimedOut() }
    fronts.append(front)
  }

  /// Waits until one of the servers in front has taken over, and starts another one in its place.
  ///
  /// - Returns: the server that had the journal before.
  func awaitTakeover() throws -> Program {
    try test.run(within: patience) { [self] in fronts.contains(where: \.hasTakenOver) }
    guard let place = fronts.firstIndex(where: \.hasTakenOver) else { throw TestLoop.TimedOut() }
    let old = decider
    decider = fronts.remove(at: place)
    try addFront()
    return old
  }

  /// Kills a server in front; ``addFront()`` must follow.
  func killFront(at place: Int) throws {
    let front = fronts.remove(at: place)
    front.kill(.kill)
    try test.run(within: patience) { front.hasEnded }
  }

  /// Freezes a server in front for a while.
  func freezeFront(at place: Int, for pause: Duration) throws {
    fronts[place].kill(.freeze)
    try test.run(for: pause)
    fronts[place].kill(.goOn)
  }
}

@available(*, unavailable)
extension ServerCluster: Sendable {}

extension Program {
  /// The port of the last address that it says it listens on.
  fileprivate var lastPort: UInt16? {
    let line = errorOutput.split(separator: "\n").last { $0.contains("] listening") }
    let address = line?.split(separator: "address=").last?.prefix { $0 != " " }
    return address?.split(separator: ":").last.flatMap { UInt16($0) }
  }

  /// Whether it has listened twice: for another server, and then for itself.
  fileprivate var hasTakenOver: Bool {
    errorOutput.split(separator: "\n").count { $0.contains("] listening") } == 2
  }
}
