import EventLoops
import LoopTesting
import Testing
import Vocabulary

@Suite struct PatientConnectTests {
  @Test func `what is not there yet is reached as it comes`() throws {
    try TestLoop.run { test in
      // A port that has just become free.
      let acceptor = Acceptor()
      let early = try acceptor.listen(on: test.loop)
      let port = early.localPort
      early.close()
      var reached: ByteStream?
      let search = PatientConnect(
        to: .tcp(host: "127.0.0.1", port: port), within: TestLoop.patience, on: test.loop
      ) {
        if case .success(let stream) = $0 { reached = stream }
      }
      var listener: TCPListener?
      let later = LoopTimer(on: test.loop) {
        do {
          listener = try TCPListener(
            host: "127.0.0.1", port: port, on: test.loop, delegate: acceptor)
        } catch { Issue.record(error) }
      }
      later.fire(at: test.loop.now + .milliseconds(50))
      try test.run { reached != nil && listener != nil }
      reached?.close()
      search.cancel()
      later.close()
      listener?.close()
    }
  }

  @Test func `what never comes is given up with the last error`() throws {
    try TestLoop.run { test in
      var errors: [EndpointError] = []
      let search = PatientConnect(
        to: .socket(path: "/nowhere/at/all"), within: .milliseconds(50), on: test.loop
      ) {
        if case .failure(let error) = $0 { errors.append(error) }
      }
      try test.run { !errors.isEmpty }
      #expect(errors.map(\.cause.code) == [.noSuchFile])
      search.cancel()
      #expect(errors.count == 1)
    }
  }

  @Test func `a search that is called off says nothing`() throws {
    try TestLoop.run { test in
      var results = 0
      let search = PatientConnect(
        to: .socket(path: "/nowhere/at/all"), within: TestLoop.patience, on: test.loop
      ) { _ in
        results += 1
      }
      search.cancel()
      search.cancel()
      var hasPassed = false
      let later = LoopTimer(on: test.loop) { hasPassed = true }
      later.fire(at: test.loop.now + .milliseconds(50))
      try test.run { hasPassed }
      later.close()
      #expect(results == 0)
    }
  }
}
