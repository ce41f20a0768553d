import FolderTesting
import Foundation
import Testing

@testable import matinee

/// The memory that a service may use.
@Suite struct ServiceMemoryTests {
  @Test func `the least bound of the group and those above it counts`() throws {
    let folder = try ScratchFolder()
    let group = folder.path(of: "group")
    try "1:cpu:/x\n0::/system.slice/matinee.service\n".write(
      toFile: group, atomically: true, encoding: .utf8)
    func limit() -> Int? { ServiceMemory.limit(root: folder.path(of: "root"), group: group) }
    #expect(limit() == nil)
    let slice = folder.path(of: "root/system.slice")
    try FileManager.default.createDirectory(
      atPath: slice + "/matinee.service", withIntermediateDirectories: true)
    try "max\n".write(
      toFile: slice + "/matinee.service/memory.max", atomically: true, encoding: .utf8)
    #expect(limit() == nil)
    try "1073741824\n".write(toFile: slice + "/memory.max", atomically: true, encoding: .utf8)
    #expect(limit() == 1 << 30)
    try "268435456\n".write(
      toFile: slice + "/matinee.service/memory.max", atomically: true, encoding: .utf8)
    #expect(limit() == 1 << 28)
    #expect(ServiceMemory.limit(root: slice, group: folder.path(of: "none")) == nil)
  }
}
