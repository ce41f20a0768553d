import EventLoops
import LoopTesting
import Testing

@Suite struct SignalSourceTests {
  @Test func `a caught signal is told of on the loop`() throws {
    try TestLoop.run { test in
      var count = 0
      let source = try SignalSource(.user1, on: test.loop) { count += 1 }
      ProcessSettings.raise(.user1)
      #expect(count == 0)
      try test.run { count == 1 }
      source.close()
      source.close()
    }
  }

  @Test func `a signal that cannot be caught is an error`() throws {
    try TestLoop.run { test in
      #expect(throws: UVError.self) { _ = try SignalSource(.kill, on: test.loop) {} }
    }
  }

  @Test func `waiting for a signal does not keep the loop running`() throws {
    let loop = try EventLoop()
    _ = try SignalSource(.hangUp, on: loop) {}
    loop.run()
    loop.close()
  }

  @Test func `the descriptor limit is raised to what the system allows`() throws {
    let limit = try ProcessSettings.raiseDescriptorLimit()
    #expect(try limit >= 256 && limit == ProcessSettings.raiseDescriptorLimit())
  }
}
