import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Stages
import Testing

/// A server whose log nobody reads.
@Suite struct LoggingTests {
  @Test func `a reader of standard error that stops stops nobody`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let pipe = folder.path(of: "log")
      let port = try FreePort.find(on: test.loop)
      // The shell keeps both ends of the pipe open, and reads nothing.
      let server = try Program(
        [
          "-c", "mkfifo \"$0\" && exec 3<>\"$0\" && exec \"$@\" 2>&3", pipe, try Program.path,
          "serve", "--listen", "127.0.0.1:\(port)", "--journal", "memory", "--log-level", "trace",
        ], of: "sh", on: test)
      var connected: Result<ByteStream, EndpointError>?
      let connect = PatientConnect(
        to: .tcp(host: "127.0.0.1", port: port), within: TestLoop.patience, on: test.loop
      ) {
        connected = $0
      }
      defer { connect.cancel() }
      try test.run { connected != nil }
      // Twice what a pipe holds (pipe(7): 64 KiB).
      for number in 0..<1_000 {
        let junk = try Caller(port: port, on: test)
        try junk.say("junk \(number)")
        try test.run { junk.hasEnded || junk.heard("notJSON") }
        junk.hangUp()
      }
      let ann = try Caller(port: port, on: test)
      try ann.enter("friday", as: "Ann")
      try test.run { ann.heard(#""type":"ok""#) }
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
    }
  }
}
