import Foundation
import Testing

@testable import EventLoops

@Suite struct SecretFolderTests {
  /// A directory for a test, and the path of a folder in it that does not exist yet.
  private func withPlace(_ body: (_ place: String) throws -> Void) throws {
    let directory = try PrivateDirectory(prefix: "matinee-secrets-")
    defer {
      do {
        try FileManager.default.removeItem(atPath: directory.path)
      } catch {
        Issue.record(error)
      }
    }
    try body(directory.path(of: "a/b"))
  }

  private func attribute(_ key: FileAttributeKey, of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[key] as? Int
  }

  private func set(_ key: FileAttributeKey, _ value: Int, of path: String) throws {
    try FileManager.default.setAttributes([key: value], ofItemAtPath: path)
  }

  private func names(in place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place)
  }

  @Test func `what is kept is read, and by nobody else`() throws {
    try withPlace { place in
      let folder = try SecretFolder(making: place)
      #expect(try folder.read("x", longest: 3) == nil)
      #expect(try folder.make("x", [1, 0, 255]))
      #expect(try folder.read("x", longest: 3) == [1, 0, 255])
      #expect(try attribute(.posixPermissions, of: place + "/x") == 0o600)
      #expect(try attribute(.posixPermissions, of: place) == 0o700)
      #expect(try attribute(.posixPermissions, of: place + "/..") == 0o700)
      #expect(try names(in: place) == ["x"])
    }
  }

  @Test func `a file is made once, replaced and removed`() throws {
    try withPlace { place in
      let folder = try SecretFolder(making: place)
      #expect(try folder.make("x", [1]))
      #expect(try !folder.make("x", [2]))
      #expect(try folder.read("x", longest: 8) == [1])
      try folder.replace("x", [3])
      try folder.replace("y", [4])
      #expect(try folder.read("x", longest: 8) == [3])
      #expect(try folder.read("y", longest: 8) == [4])
      #expect(try names(in: place).sorted() == ["x", "y"])
      try folder.remove("x")
      try folder.remove("x")
      #expect(try names(in: place) == ["y"])
    }
  }

  @Test func `a folder that is missing is only made to write`() throws {
    try withPlace { place in
      let isThere = try SecretFolder(place) != nil
      #expect(!isThere)
      #expect(!FileManager.default.fileExists(atPath: place))
      _ = try SecretFolder(making: place)
      let isMade = try SecretFolder(place) != nil
      #expect(isMade)
    }
  }

  @Test func `what cannot be replaced stays, and no draft is left`() throws {
    try withPlace { place in
      let folder = try SecretFolder(making: place)
      try FileManager.default.createDirectory(
        atPath: place + "/x", withIntermediateDirectories: false)
      #expect(throws: SecretFileError.self) { try folder.replace("x", [1]) }
      #expect(throws: SecretFileError.self) { try folder.replace("nothing/x", [1]) }
      #expect(try names(in: place) == ["x"])
    }
  }

  private func expect<Value>(
    _ fault: SecretFileError.Fault, at path: String, _ body: () throws -> Value
  ) {
    #expect(throws: SecretFileError(path: path, fault: fault)) { _ = try body() }
  }

  @Test func `what is no file of the user's own is not read`() throws {
    try withPlace { place in
      let folder = try SecretFolder(making: place)
      let path = place + "/x"
      #expect(try folder.make("x", Array(repeating: 7, count: 9)))
      expect(.file(.tooLong), at: path) { try folder.read("x", longest: 8) }
      for mode in [0o604, 0o640, 0o620, 0o602, 0o610, 0o601, 0o666] {
        try set(.posixPermissions, mode, of: path)
        expect(.file(.readableByOthers), at: path) { try folder.read("x", longest: 9) }
      }
      try set(.posixPermissions, 0o600, of: path)
      try FileManager.default.createSymbolicLink(
        atPath: place + "/y", withDestinationPath: path)
      expect(.link, at: place + "/y") { try folder.read("y", longest: 9) }
      try FileManager.default.createDirectory(
        atPath: place + "/z", withIntermediateDirectories: false)
      expect(.file(.notFile), at: place + "/z") { try folder.read("z", longest: 9) }
    }
  }

  @Test func `a folder that belongs to somebody else is not used`() throws {
    guard geteuid() == 0 else {
      // Only root can give files away; but others have the folders of root's.
      return expect(.ofAnother, at: "/") { try SecretFolder("/") != nil }
    }
    try withPlace { place in
      let folder = try SecretFolder(making: place)
      #expect(try folder.make("x", [1]))
      try set(.ownerAccountID, 12_345, of: place + "/x")
      expect(.ofAnother, at: place + "/x") { try folder.read("x", longest: 9) }
      try set(.ownerAccountID, 12_345, of: place)
      expect(.ofAnother, at: place) { try SecretFolder(place) != nil }
    }
  }

  @Test func `a folder that is open to others is not used`() throws {
    try withPlace { place in
      _ = try SecretFolder(making: place)
      for mode in [0o701, 0o710, 0o702, 0o777, 0o755] {
        try set(.posixPermissions, mode, of: place)
        expect(.file(.readableByOthers), at: place) { try SecretFolder(place) != nil }
        expect(.file(.readableByOthers), at: place) { _ = try SecretFolder(making: place) }
      }
    }
  }

  @Test func `a file where the folder should be is an error`() throws {
    try withPlace { place in
      let folder = try SecretFolder(making: place)
      #expect(try folder.make("x", [1]))
      let path = place + "/x"
      expect(.file(.failed(UVError("open", .notDirectory))), at: path) {
        try SecretFolder(path) != nil
      }
      expect(.file(.failed(UVError("mkdir", .notDirectory))), at: path) {
        _ = try SecretFolder(making: path)
      }
    }
  }

  @Test func `of many that make a file at once one succeeds, and nobody reads half of it`() throws {
    try withPlace { place in
      for round in 0..<30 {
        let made = Locked<[UInt8]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
          do {
            // The folder is made at once, too.
            let folder = try SecretFolder(making: place + "/\(round)")
            let bytes = [UInt8](repeating: UInt8(number), count: 1_000)
            if try folder.make("x", bytes) { made.withLock { $0.append(UInt8(number)) } }
            let read = try folder.read("x", longest: 1_000)
            #expect(read?.count == 1_000 && Set(read ?? []).count == 1)
          } catch {
            Issue.record(error)
          }
        }
        let winner = try #require(made.withLock { $0.count == 1 ? $0.first : nil })
        let folder = try SecretFolder(making: place + "/\(round)")
        #expect(try folder.read("x", longest: 1_000)?.first == winner)
        #expect(try names(in: place + "/\(round)") == ["x"])
      }
    }
  }
}
