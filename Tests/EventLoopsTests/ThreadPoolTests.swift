import EventLoops
import Foundation
import LoopTesting
import Testing

@Suite struct ThreadPoolTests {
  /// Held by nothing but a job, so that it shows when the job is over and let go of.
  private final class Token: Sendable {}

  @Test func `results come to the loop, each to who asked for it`() throws {
    try TestLoop.run { test in
      let pool = try ThreadPool(on: test.loop, threads: 4, jobsAtMost: 1_000)
      var results: [Int: Int] = [:]
      for number in 0..<1_000 {
        pool.run({ number * 2 }) { results[number] = $0 }
      }
      try test.run { results.count == 1_000 }
      #expect(results.allSatisfy { $0.value == $0.key * 2 })
      pool.close()
    }
  }

  @Test func `jobs that hang hold up neither a lookup of a name nor the end of the loop`() throws {
    let disk = Pipe()
    try TestLoop.run { test in
      let pool = try ThreadPool(on: test.loop, threads: 8, jobsAtMost: 8)
      for _ in 0..<8 {
        pool.run({ disk.fileHandleForReading.availableData.count }) { _ in }
      }
      // Connecting looks the host up on one of libuv's threads.
      let (client, server) = try Acceptor.pair(on: test)
      client.close()
      server.close()
      pool.close()
    }
    try disk.fileHandleForWriting.close()
  }

  @Test func `a job that hangs holds up no job that another thread can do`() throws {
    try TestLoop.run { test in
      let disk = Pipe()
      let pool = try ThreadPool(on: test.loop, threads: 2, jobsAtMost: 100)
      var done: [Int] = []
      pool.run({ disk.fileHandleForReading.availableData.count }) { _ in done.append(0) }
      for number in 1...50 { pool.run({ number }) { _ in done.append(number) } }
      try test.run { done.count == 50 }
      #expect(done == Array(1...50))
      try disk.fileHandleForWriting.close()
      try test.run { done.last == 0 }
      pool.close()
    }
  }

  @Test func `more jobs than may be unfinished are refused`() throws {
    try TestLoop.run { test in
      let disk = Pipe()
      let pool = try ThreadPool(on: test.loop, threads: 1, jobsAtMost: 3)
      var results: [Int?] = []
      for _ in 0..<4 {
        pool.run({ disk.fileHandleForReading.availableData.count }) { results.append($0) }
      }
      #expect(results == [nil])
      try disk.fileHandleForWriting.close()
      try test.run { results.count == 4 }
      #expect(results == [nil, 0, 0, 0])
      pool.run({ 5 }) { results.append($0) }
      try test.run { results.last == 5 }
      pool.close()
    }
  }

  @Test func `closing gives up what hangs, and what it gives at last is let go of`() throws {
    try TestLoop.run { test in
      let disk = Pipe()
      let isUnderWay = Locked(false)
      let pool = try ThreadPool(on: test.loop, threads: 1, jobsAtMost: 10)
      var results: [Int?] = []
      var token: Token? = Token()
      weak let held = token
      pool.run({ [token] in
        isUnderWay.withLock { $0 = true }
        return withExtendedLifetime(token) { disk.fileHandleForReading.availableData.count }
      }) { results.append($0) }
      pool.run({ 1 }) { results.append($0) }
      token = nil
      try test.run(lookingEvery: .milliseconds(5)) { isUnderWay.withLock { $0 } }
      pool.close()
      pool.close()
      #expect(results == [nil, nil])
      pool.run({ 2 }) { results.append($0) }
      #expect(results == [nil, nil, nil] && held != nil)
      try disk.fileHandleForWriting.close()
      try test.run(lookingEvery: .milliseconds(5)) { held == nil }
      #expect(results == [nil, nil, nil])
    }
  }
}
