import EventLoops
import LoopTesting
import Testing

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
