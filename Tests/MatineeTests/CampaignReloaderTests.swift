import EventLoops
import Foundation
import InAppMessaging
import Logging
import LoopTesting
import Testing

@testable import matinee

@Suite struct CampaignReloaderTests {
  /// Known by nobody but the reading, so that it shows when that is over and let go of.
  private final class Token: Sendable {}

  private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test func `what is read is used, and a mistake is not`() throws {
    try TestLoop.run { test in
      let isMistaken = Locked(true)
      var used = 0
      let reloader = try CampaignReloader(
        on: test.loop, log,
        reading: { () throws(CampaignsComplaint) in
          let isMistaken = isMistaken.withLock { isMistaken in
            defer { isMistaken = false }
            return isMistaken
          }
          guard !isMistaken else { throw CampaignsComplaint(lines: ["no"], exitCode: 65) }
          return CampaignSet()
        }, using: { _ in used += 1 })
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
      var reloader: CampaignReloader? = try CampaignReloader(
        on: test.loop, log,
        reading: { [token] () throws(CampaignsComplaint) in
          isReading.withLock { $0 = true }
          return withExtendedLifetime(token) {
            _ = disk.fileHandleForReading.availableData
            return CampaignSet()
          }
        }, using: { _ in used += 1 })
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
