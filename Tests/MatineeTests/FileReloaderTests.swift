import EventLoops
import Foundation
import LoopTesting
import Testing

@testable import matinee

@Suite struct FileReloaderTests {
  /// Known by nobody but the reading, so that it shows when that is over and let go of.
  private final class Token: Sendable {}

  @Test func `what is read is used, and a mistake is not`() throws {
    try TestLoop.run { test in
      let isMistaken = Locked(true)
      var used = 0
      let reloader = try FileReloader(
        on: test.loop,
        reading: { () throws(FileComplaint) in
          let isMistaken = isMistaken.withLock { isMistaken in
            defer { isMistaken = false }
            return isMistaken
          }
          guard !isMistaken else { throw FileComplaint(lines: ["no"], exitCode: 65) }
          return 1
        }, using: { if case .success(let read) = $0 { used += read } })
      reloader.reload()
      try test.run(lookingEvery: .milliseconds(5)) { isMistaken.withLock { !$0 } }
      reloader.reload()
      try test.run { used == 1 }
      reloader.close()
      reloader.close()
    }
  }

  @Test func `a disk that hangs holds up no stop, and what it gives at last is let go of`() throws {
    try TestLoop.run { test in
      let disk = Pipe()
      let isReading = Locked(false)
      var used = 0
      var token: Token? = Token()
      weak let reading = token
      var reloader: FileReloader<Int>? = try FileReloader(
        on: test.loop,
        reading: { [token] () throws(FileComplaint) in
          isReading.withLock { $0 = true }
          return withExtendedLifetime(token) {
            _ = disk.fileHandleForReading.availableData
            return 1
          }
        }, using: { if case .success(let read) = $0 { used += read } })
      token = nil
      reloader?.reload()
      try test.run(lookingEvery: .milliseconds(5)) { isReading.withLock { $0 } }
      weak let closed = reloader
      reloader?.close()
      reloader = nil
      try test.run(lookingEvery: .milliseconds(5)) { closed == nil }
      #expect(reading != nil)
      try disk.fileHandleForWriting.close()
      try test.run(lookingEvery: .milliseconds(5)) { reading == nil }
      #expect(used == 0)
    }
  }
}
