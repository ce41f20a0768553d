import EventLoops
import LoopTesting
import ProgramTesting
import Stages
import SyncplayTesting
import Testing
import Vocabulary

/// The scripts about the reference's rules, on the reference itself: Debian's syncplay-server 1.6.9.
///
/// What it does otherwise stands in `SyncplayCase.deviations169`, with how.
@Suite(.serialized) struct ReferenceTests {
  private static let scripts = SyncplayCase.ofReference.filter {
    SyncplayCase.deviations169[$0.name] == nil
  }

  @Test(arguments: scripts)
  func `a script about the reference's rules holds there`(script: SyncplayCase) throws {
    try TestLoop.run { test in
      var reference: Reference?
      try script.play(on: test) {
        let started = try Reference(script.setting.arguments, on: test)
        reference = started
        return started.port
      }
      _ = reference
    }
  }

  /// The reference's server, while somebody holds it.
  private struct Reference {
    let port: UInt16
    private let program: Program

    /// Starts it on a port that is free, and waits until it listens.
    init(_ arguments: [String], on test: TestLoop) throws {
      for _ in 0..<10 {
        let port = try FreePort.find(on: test.loop)
        let program = try Program(
          ["--port", "\(port)"] + arguments, of: "syncplay-server", on: test)
        if try Self.isReachable(port, program, on: test) {
          self.port = port
          self.program = program
          return
        }
      }
      throw TestLoop.TimedOut()
    }

    /// Whether it can be reached, sooner or later: not if somebody took the port meanwhile.
    private static func isReachable(
      _ port: UInt16, _ program: Program, on test: TestLoop
    ) throws -> Bool {
      var isConnected = false
      var attempt: ConnectAttempt?
      var timer: LoopTimer?
      timer = LoopTimer(on: test.loop) { [loop = test.loop] in
        do throws(EndpointError) {
          attempt = try ConnectAttempt(host: "127.0.0.1", port: port, on: loop) { result in
            guard case .success(let stream) = result else {
              timer?.fire(at: loop.now + .milliseconds(50))
              return
            }
            isConnected = true
            stream.close()
          }
        } catch {
          timer?.fire(at: loop.now + .milliseconds(50))
        }
      }
      defer {
        attempt?.cancel()
        timer?.close()
        timer = nil
      }
      timer?.fire(at: test.loop.now)
      try test.run { isConnected || program.hasEnded }
      return isConnected
    }
  }
}
