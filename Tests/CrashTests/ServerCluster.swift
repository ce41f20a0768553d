import EventLoops
import FolderTesting
import Foundation
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
  /// What the servers call each other, by their processes.
  private var names: [Int32: String] = [:]
  private var lastNumber = 1
  private let options: [String]
  private let wrapper: [String]
  private let patience: Duration
  private let test: TestLoop
  private let folder: ScratchFolder
  /// What drains the server that decides, while it does.
  private var drain: Program?

  /// How long a drained server takes to send its people to the others.
  private static let departureTime = "0.2"

  /// Starts three servers.
  init(
    _ options: [String], by wrapper: [String], within patience: Duration, on test: TestLoop
  ) throws {
    folder = try ScratchFolder()
    _ = try PrivateFile.make(
      folder.path(of: "admin.key"), Array("0123456789abcdef".utf8))
    self.options =
      options + ["--departure-time", Self.departureTime]
      + ["--admin-key-file", folder.path(of: "admin.key")]
    (self.wrapper, self.patience, self.test) = (wrapper, patience, test)
    decider = try Program.serve(
      self.options + ["--advertise", "127.0.0.1:0"], by: wrapper, within: patience, on: test
    ).server
    names[decider.id] = "127.0.0.1:0"
    for _ in 0..<2 { try addFront() }
  }

  /// Where people come in.
  var ports: [UInt16] { ([decider] + fronts).compactMap(\.lastPort) }

  /// Starts one more server, and waits until it takes people in.
  func addFront() throws {
    lastNumber += 1
    let name = "127.0.0.\(lastNumber):0"
    let (front, port) = try Program.serve(
      options + ["--advertise", name], by: wrapper, within: patience, on: test)
    guard port != 0 else { throw TestLoop.TimedOut() }
    fronts.append(front)
    names[front.id] = name
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

  /// Drains a server in front; ``addFront()`` must follow.
  ///
  /// - Returns: whether it has ended as it should.
  func drainFront(at place: Int) throws -> Bool {
    let front = fronts.remove(at: place)
    for _ in 0..<100 {
      let drain = try begin(draining: front)
      try test.run(within: patience) { drain.hasEnded }
      // It may not be known yet, or the journal may have been away until now.
      if drain.ending == .exited(code: 0) { break }
    }
    try test.run(within: patience) { front.hasEnded }
    return front.ending == .exited(code: 0)
  }

  /// Drains the server that decides, and does not wait for it.
  func drainDecider() throws { drain = try begin(draining: decider) }

  private func begin(draining server: Program) throws -> Program {
    try Program(
      [
        "drain", names[server.id] ?? "", "--server", "127.0.0.1:\(decider.lastPort ?? 0)",
        "--admin-key-file", folder.path(of: "admin.key"),
      ], on: test)
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
