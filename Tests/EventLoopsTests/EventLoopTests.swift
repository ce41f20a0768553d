import EventLoops
import LoopTesting
import Testing
import Vocabulary

@Suite struct EventLoopTests {
  @Test func `a loop with nothing to wait for returns at once`() throws {
    let loop = try EventLoop()
    loop.run()
    loop.close()
    loop.close()
  }

  @Test func `turn ends settle before they write, in the order they were asked for`() throws {
    let loop = try EventLoop()
    var order: [String] = []
    loop.atTurnEnd(.write) { order.append("write") }
    loop.atTurnEnd(.settle) { order.append("settle one") }
    loop.atTurnEnd(.settle) { order.append("settle two") }
    let timer = LoopTimer(on: loop) { loop.stop() }
    timer.fire(at: loop.now)
    loop.run()
    loop.close()
    #expect(order.prefix(3) == ["settle one", "settle two", "write"])
  }

  /// libuv runs timers, then sleeps in the poll, and runs check handles only after that.
  @Test func `what a timer enqueued is settled before the loop sleeps`() throws {
    try TestLoop.run { test in
      let loop = test.loop
      var isDirty = false
      var settledAt: HostTime?
      loop.atTurnEnd(.settle) {
        if isDirty, settledAt == nil { settledAt = loop.now }
      }
      let timer = LoopTimer(on: loop) { isDirty = true }
      let far = LoopTimer(on: loop) {}
      let start = loop.now
      timer.fire(at: start + .milliseconds(1))
      far.fire(at: start + .seconds(600))
      try test.run { settledAt != nil }
      #expect(try #require(settledAt) < start + .seconds(150))
    }
  }

  @Test func `the clock moves on and never back`() throws {
    let loop = try EventLoop()
    var last = loop.now
    for _ in 0..<10_000 {
      let now = loop.now
      #expect(now >= last)
      last = now
    }
    loop.close()
  }

  @Test func `closing a loop closes all that lives on it`() throws {
    var streams: [ByteStream] = []
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      streams = [client, server]
      _ = try StreamRecorder(server)
      _ = try Acceptor().listen(on: test.loop)
      let timer = LoopTimer(on: test.loop) {}
      timer.fire(at: test.loop.now + .seconds(100))
      _ = try SignalSource(.user1, on: test.loop) {}
      _ = try LoopMailbox(on: test.loop, context: 1)
    }
    #expect(streams.map(\.isClosed) == [true, true])
  }
}

@Suite struct UVErrorTests {
  @Test func `an error says what was tried, its code and its meaning`() {
    let error = UVError("bind", .addressInUse)
    #expect("\(error)" == "bind: EADDRINUSE: address already in use")
  }

  @Test func `errors are the same when both operation and code are`() {
    #expect(UVError("bind", .addressInUse) == UVError("bind", .addressInUse))
    #expect(UVError("bind", .addressInUse) != UVError("listen", .addressInUse))
    #expect(UVError("bind", .addressInUse) != UVError("bind", .invalidArgument))
  }
}
