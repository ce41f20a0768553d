import EventLoops
import LoopTesting
import Testing
import Vocabulary

@Suite struct LoopTimerTests {
  @Test func `a timer never fires early`() throws {
    try TestLoop.run { test in
      let loop = test.loop
      for delay in [Duration.zero, .microseconds(1), .microseconds(999), .milliseconds(3)] {
        var firedAt: HostTime?
        let timer = LoopTimer(on: loop) { firedAt = loop.now }
        let deadline = loop.now + delay
        timer.fire(at: deadline)
        try test.run { firedAt != nil }
        #expect(try #require(firedAt) >= deadline)
        timer.close()
      }
    }
  }

  @Test func `a moment that has passed fires in the next turn`() throws {
    try TestLoop.run { test in
      var count = 0
      let timer = LoopTimer(on: test.loop) { count += 1 }
      timer.fire(at: HostTime(microseconds: .min))
      #expect(count == 0)
      try test.run { count == 1 }
    }
  }

  @Test func `arming again forgets the moment before, and nil disarms`() throws {
    try TestLoop.run { test in
      let loop = test.loop
      var first = 0
      var second = 0
      let timer = LoopTimer(on: loop) { first += 1 }
      let other = LoopTimer(on: loop) { second += 1 }
      timer.fire(at: loop.now)
      timer.fire(at: HostTime(microseconds: .max))
      other.fire(at: loop.now + .milliseconds(2))
      try test.run { second == 1 }
      #expect(first == 0)
      timer.fire(at: loop.now)
      timer.fire(at: nil)
      other.fire(at: loop.now + .milliseconds(2))
      try test.run { second == 2 }
      #expect(first == 0)
    }
  }

  @Test func `a timer may arm and close itself when it fires`() throws {
    try TestLoop.run { test in
      let loop = test.loop
      var count = 0
      var timer: LoopTimer?
      timer = LoopTimer(on: loop) {
        count += 1
        if count < 3 { timer?.fire(at: loop.now) } else { timer?.close() }
      }
      timer?.fire(at: loop.now)
      try test.run { count == 3 }
      timer?.close()
      timer?.fire(at: loop.now)
      timer = nil
    }
  }
}
