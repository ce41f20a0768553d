import EventLoops
import Glibc
import Testing

@Suite struct LoopThreadTests {
  @Test func `what cannot be built is an error of the start`() throws {
    #expect(throws: UVError("connect", .connectionRefused)) {
      _ = try LoopThread<Int> { _ throws(UVError) in throw UVError("connect", .connectionRefused) }
    }
  }

  @Test func `a stopped thread has run all jobs posted before, and takes no more`() async throws {
    let thread = try LoopThread { loop in loop }
    let isOnLoop = await withCheckedContinuation { continuation in
      thread.mailbox.post { loop in
        loop.preconditionOnLoop()
        continuation.resume(returning: true)
      }
    }
    #expect(isOnLoop)
    thread.stop()
    thread.stop()
    thread.join()
    thread.join()
    #expect(!thread.mailbox.post { _ in })
  }

  @Test func `whoever waits for so long only does not wait for a job that hangs`() throws {
    let thread = try LoopThread { loop in loop }
    let obstacle = Locked(0)
    obstacle.withLock { _ in
      thread.mailbox.post { _ in obstacle.withLock { $0 += 1 } }
      thread.stop()
      #expect(!thread.join(within: .milliseconds(50)))
    }
    #expect(thread.join(within: .seconds(60)))
    #expect(thread.join(within: .zero))
  }

  @Test func `a peer that has gone is an error of the write, and not the end of the process`()
    async throws
  {
    let thread = try LoopThread { loop in loop }
    let isBlocked = await withCheckedContinuation { continuation in
      thread.mailbox.post { _ in
        var blocked = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &blocked)
        continuation.resume(returning: unsafe sigismember(&blocked, SIGPIPE) == 1)
      }
    }
    thread.stop()
    thread.join()
    #expect(isBlocked)
  }
}
