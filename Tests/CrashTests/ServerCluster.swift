import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Scenarios
import Stages
import Vocabulary

/// Servers with one journal: one decides, and the others take people in for it until they have to
/// take over.
///
/// Confined to its test loop's thread.
final class ServerCluster {
  /// The server that has the journal.
  private(set) var decider: LinkedServer
  /// The servers in front of it.
  private(set) var fronts: [LinkedServer] = []
  private let options: [String]
  private let wrapper: [String]
  private let test: TestLoop
  private let folder: ScratchFolder
  /// What drains the server that decides, while it does.
  private var drain: Program?

  /// How long a drained server takes to send its people to the others.
  private static let departureTime = "0.2"

  /// Starts three servers.
  init(_ options: [String], by wrapper: [String], on test: TestLoop) throws {
    folder = try ScratchFolder()
    _ = try PrivateFile.make(
      folder.path(of: "admin.key"), Array("0123456789abcdef".utf8))
    self.options =
      options + ["--departure-time", Self.departureTime]
      + ["--admin-key-file", folder.path(of: "admin.key")]
    (self.wrapper, self.test) = (wrapper, test)
    decider = try LinkedServer(self.options, by: wrapper, on: test)
    for _ in 0..<2 { try addFront() }
  }

  /// Where people come in.
  var ports: [UInt16] { ([decider] + fronts).compactMap(\.program.lastPort) }

  /// Starts one more server, and waits until it takes people in.
  func addFront() throws {
    let front = try LinkedServer(options, by: wrapper, on: test)
    guard front.program.lastPort != nil else { throw TestLoop.TimedOut() }
    fronts.append(front)
  }

  /// Waits until one of the servers in front has taken over, and starts another one in its place.
  ///
  /// - Returns: the server that had the journal before.
  func awaitTakeover() throws -> LinkedServer {
    try test.run { [self] in fronts.contains(where: \.program.hasTakenOver) }
    guard let place = fronts.firstIndex(where: \.program.hasTakenOver) else {
      throw TestLoop.TimedOut()
    }
    let old = decider
    decider = fronts.remove(at: place)
    try addFront()
    return old
  }

  /// Kills a server in front; ``addFront()`` must follow.
  func killFront(at place: Int) throws {
    let front = fronts.remove(at: place).program
    front.kill(.kill)
    try test.run { front.hasEnded }
  }

  /// Freezes a server in front for a while.
  func freezeFront(at place: Int, for pause: Duration) throws {
    fronts[place].program.kill(.freeze)
    try test.run(for: pause)
    fronts[place].program.kill(.goOn)
  }

  /// Cuts all links, and lets none through for a while.
  func cutLinks(for pause: Duration) throws {
    decider.network.cut()
    try test.run(for: pause)
    decider.network.restore()
  }

  /// Holds up all links for a while.
  func stallLinks(for pause: Duration) throws {
    decider.network.stall(for: pause)
    try test.run(for: pause)
  }

  /// Drains a server in front; ``addFront()`` must follow.
  ///
  /// - Returns: whether it has ended as it should.
  func drainFront(at place: Int) throws -> Bool {
    let machine = fronts.remove(at: place)
    let front = machine.program
    for _ in 0..<100 {
      let drain = try begin(draining: machine)
      try test.run { drain.hasEnded }
      // It may not be known yet, or the journal may have been away until now.
      if drain.ending == .exited(code: 0) { break }
    }
    try test.run { front.hasEnded }
    return front.ending == .exited(code: 0)
  }

  /// Drains the server that decides, and does not wait for it.
  func drainDecider() throws { drain = try begin(draining: decider) }

  private func begin(draining server: LinkedServer) throws -> Program {
    try Program(
      [
        "drain", server.name, "--server", "127.0.0.1:\(decider.program.lastPort ?? 0)",
        "--admin-key-file", folder.path(of: "admin.key"), "--timeout", "150",
      ], on: test)
  }
}

@available(*, unavailable)
extension ServerCluster: Sendable {}

/// A server, and the network through which the others reach it.
///
/// Confined to its test loop's thread.
final class LinkedServer {
  let program: Program
  let network: DelayProxy

  /// What the servers call it.
  var name: String { "127.0.0.1:\(network.localPort)" }

  private static let networkConditions = NetworkConditions(
    delay: .milliseconds(1), jitter: .milliseconds(1))
  private static let linkPort: UInt16 = 7879

  init(_ options: [String], by wrapper: [String], on test: TestLoop) throws {
    let host = TestLoop.unsharedHost()
    network = try DelayProxy(
      to: host, [Self.linkPort], Self.networkConditions, seed: UInt64.random(in: 0 ... .max),
      on: test.loop)
    let links = [
      "--advertise", "127.0.0.1:\(network.localPort)", "--listen-links", "\(host):\(Self.linkPort)",
    ]
    do {
      program = try Program.serve(options + links, by: wrapper, on: test).server
    } catch {
      network.close()
      throw error
    }
  }

  deinit { network.close() }
}

@available(*, unavailable)
extension LinkedServer: Sendable {}

extension Program {
  /// The port of the last address that it says it listens on.
  fileprivate var lastPort: UInt16? { port(of: "] listening") }

  /// Whether it has listened twice: for another server, and then for itself.
  fileprivate var hasTakenOver: Bool {
    errorOutput.split(separator: "\n").count { $0.contains("] listening") } == 2
  }
}
