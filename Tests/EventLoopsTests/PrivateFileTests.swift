import EventLoops
import Foundation
import Testing

@Suite struct PrivateFileTests {
  private func withDirectory(_ body: (PrivateDirectory) throws -> Void) throws {
    let directory = try PrivateDirectory(prefix: "matinee-private-")
    defer { directory.remove(files: ["file", "link", "pipe"]) }
    try body(directory)
  }

  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `what is made is read, and by nobody else`() throws {
    try withDirectory { directory in
      let path = directory.path(of: "file")
      let isMade = try PrivateFile.make(path, [1, 0, 255])
      #expect(isMade)
      #expect(try PrivateFile.read(path, longest: 3) == [1, 0, 255])
      #expect(try mode(of: path) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"])
    }
  }

  @Test func `what is there is not made again`() throws {
    try withDirectory { directory in
      let path = directory.path(of: "file")
      let isMade = try PrivateFile.make(path, [1])
      #expect(isMade)
      #expect(try PrivateFile.make(path, [2]) == false)
      #expect(try PrivateFile.read(path, longest: 8) == [1])
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"])
      // A file below a file cannot be created.
      #expect(throws: UVError.self) { try PrivateFile.make(path + "/below", [3]) }
    }
  }

  @Test func `what a killed process left behind is in nobody's way`() throws {
    try withDirectory { directory in
      let path = directory.path(of: "file")
      let draft = "\(path).new-\(ProcessInfo.processInfo.processIdentifier)"
      #expect(FileManager.default.createFile(atPath: draft, contents: Data([9, 9, 9])))
      let isMade = try PrivateFile.make(path, [1])
      #expect(isMade)
      #expect(try PrivateFile.read(path, longest: 8) == [1])
      #expect(!FileManager.default.fileExists(atPath: draft))
    }
  }

  @Test(arguments: [0o600, 0o400, 0o700, 0o601, 0o604, 0o610, 0o640, 0o620, 0o602, 0o666])
  func `only the owner may have any right to it`(mode: Int) throws {
    try withDirectory { directory in
      let path = directory.path(of: "file")
      let isMade = try PrivateFile.make(path, [1])
      #expect(isMade)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      if mode & 0o077 == 0 {
        #expect(try PrivateFile.read(path, longest: 8) == [1])
      } else {
        #expect(throws: PrivateFileError.readableByOthers) {
          try PrivateFile.read(path, longest: 8)
        }
      }
    }
  }

  @Test func `only files of a bounded length are read, also through links`() throws {
    try withDirectory { directory in
      let (path, link) = (directory.path(of: "file"), directory.path(of: "link"))
      #expect(try PrivateFile.make(path, Array(repeating: 7, count: 9)))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      #expect(try PrivateFile.read(link, longest: 9).count == 9)
      #expect(throws: PrivateFileError.tooLong) { try PrivateFile.read(link, longest: 8) }
      #expect(throws: PrivateFileError.notFile) {
        try PrivateFile.read(directory.path, longest: 8)
      }
      #expect(throws: PrivateFileError.notFile) { try PrivateFile.read("/dev/zero", longest: 8) }
      #expect(throws: PrivateFileError.failed(UVError("open", .noSuchFile))) {
        try PrivateFile.read(directory.path(of: "pipe"), longest: 8)
      }
    }
  }
}

@Suite struct PrivateDirectoryTests {
  @Test func `two directories differ, and one that is removed is gone`() throws {
    let first = try PrivateDirectory(prefix: "matinee-")
    let second = try PrivateDirectory(prefix: "matinee-", in: first.path)
    #expect(second.path.hasPrefix(first.path + "/matinee-"))
    #expect(second.path(of: "s") == second.path + "/s")
    second.remove(files: ["nothing of that name"])
    first.remove(files: [])
    #expect(throws: UVError("mkdtemp", .noSuchFile)) {
      _ = try PrivateDirectory(prefix: "matinee-", in: first.path)
    }
  }

  @Test func `directories on the way are made, and a file in the way is an error`() throws {
    let parent = try PrivateDirectory(prefix: "matinee-")
    try PrivateDirectory.make(at: parent.path(of: "a/b"))
    // Existing directories are accepted.
    try PrivateDirectory.make(at: parent.path(of: "a/b"))
    let inner = try PrivateDirectory(prefix: "x", in: parent.path(of: "a/b"))
    inner.remove(files: [])
    #expect(throws: UVError("mkdir", .notDirectory)) {
      try PrivateDirectory.make(at: "/proc/self/stat/x")
    }
  }
}
