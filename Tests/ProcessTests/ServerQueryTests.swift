import EventLoops
import LoopTesting
import ProgramTesting
import Testing

/// Questions to servers, and servers that answer otherwise.
@Suite struct ServerQueryTests {
  @Test func `an error that only a newer server has is told in its words`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      var connections: [StreamRecorder] = []
      acceptor.onStream = { stream in
        connections.append(try StreamRecorder(stream))
        let error = #"{"type":"error","id":1,"code":"fromTomorrow","message":"not on Sundays"}"#
        try stream.write(SharedBytes(error + "\n"))
      }
      let listener = try acceptor.listen(on: test.loop)
      defer { listener.close() }
      let status = try Program.run(
        ["status", "--server", "127.0.0.1:\(listener.localPort)"], on: test)
      #expect(status.ending == .exited(code: 69))
      #expect(status.errorOutput.contains("says: not on Sundays"), "\(status.errorOutput)")
      for connection in connections { connection.stream.close() }
    }
  }
}
