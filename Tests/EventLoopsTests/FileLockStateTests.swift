import Foundation
import Testing

@testable import EventLoops

/// Checking a lock without taking it.
@Suite struct FileLockStateTests {
  @Test func `a lock is held from its taking to its end, by whoever wrote itself down`() throws {
    let directory = try PrivateDirectory(prefix: "matinee-lock-")
    defer { directory.remove(files: ["lock"]) }
    let path = directory.path(of: "lock")
    #expect(FileLockState(path) == .free)
    #expect(!FileManager.default.fileExists(atPath: path))
    func hold() throws {
      let lock = try FileLock(path)
      let process = Int(ProcessInfo.processInfo.processIdentifier)
      #expect(FileLockState(path) == .held(by: process))
      // A check neither prevents others from taking the lock nor releases it.
      #expect(FileLockState(path) == .held(by: process))
      #expect(throws: FileLockError.held(path: path, by: process)) { _ = try FileLock(path) }
      _ = consume lock
    }
    try hold()
    #expect(FileLockState(path) == .free)
    try hold()
  }

  @Test func `who has it for a moment only is waited for`() throws {
    let directory = try PrivateDirectory(prefix: "matinee-lock-")
    defer { directory.remove(files: ["lock"]) }
    let path = directory.path(of: "lock")
    var held: FileLock? = try FileLock(path)
    var pauses = 0
    let state = FileLockState(path) {
      pauses += 1
      if pauses == 3 { _ = held.take() }
    }
    #expect(state == .free)
    #expect(pauses == 3)
  }
}
