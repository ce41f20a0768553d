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
}
