import EventLoops
import LoopTesting
import Testing

@Suite struct LoopMailboxTests {
  private final class Counter {
    var values: [Int] = []
  }

  @Test func `jobs from other threads run on the loop, each thread's in its order`() async throws {
    let thread = try LoopThread { _ in Counter() }
    let mailbox = thread.mailbox
    await withTaskGroup(of: Void.self) { group in
      for poster in 0..<4 {
        group.addTask {
          for number in 0..<1_000 {
            mailbox.post { $0.values.append(poster * 1_000 + number) }
          }
        }
      }
    }
    let values = await withCheckedContinuation { continuation in
      mailbox.post { continuation.resume(returning: $0.values) }
    }
    #expect(values.count == 4_000)
    for poster in 0..<4 {
      let own = values.filter { $0 / 1_000 == poster }
      #expect(own == own.sorted())
    }
    thread.stop()
    thread.join()
  }

  @Test func `a closed mailbox runs what it took, and takes no more`() throws {
    try TestLoop.run { test in
      let counter = Counter()
      let mailbox = try LoopMailbox(on: test.loop, context: counter)
      mailbox.post { $0.values.append(1) }
      mailbox.post { context in
        // A job posted by the last job is rejected, because nothing would run it.
        let isTaken = mailbox.post { _ in }
        context.values.append(isTaken ? 3 : 2)
      }
      mailbox.close()
      mailbox.close()
      #expect(counter.values == [1, 2])
      let isTaken = mailbox.post { $0.values.append(4) }
      #expect(!isTaken)
      #expect(counter.values == [1, 2])
    }
  }

  @Test func `what was posted before something was sent is done before that is read`() throws {
    try TestLoop.run { test in
      let (here, there) = try Acceptor.pair(on: test)
      let recorder = try StreamRecorder(here)
      let counter = Counter()
      let mailbox = try LoopMailbox(on: test.loop, context: counter, isAheadOfReads: true)
      var seen: [[Int]] = []
      // The kernel reports a descriptor that has just become ready first, so without
      // `isAheadOfReads` the second read would precede the job.
      recorder.onEvent = { _ in
        seen.append(counter.values)
        guard seen.count == 1 else { return }
        mailbox.post { $0.values.append(1) }
        #expect(throws: Never.self) { try there.write(SharedBytes("second")) }
      }
      try there.write(SharedBytes("first "))
      try test.run { seen.count == 2 }
      #expect(recorder.text == "first second" && seen == [[], [1]])
      mailbox.close()
    }
  }

  @Test func `a mailbox of a loop that hangs fills up and says so`() throws {
    try TestLoop.run { test in
      let mailbox = try LoopMailbox(on: test.loop, context: 0)
      for _ in 0..<LoopMailbox<Int>.waitingMaximum { mailbox.post { _ in } }
      #expect(!mailbox.post { _ in })
    }
  }
}
