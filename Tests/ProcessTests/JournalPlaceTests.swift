import EventLoops
import Foundation
import Glibc
import LoopTesting
import ProgramTesting
import Testing

/// The built server with a journal that cannot be opened or is not sound.
@Suite struct JournalPlaceTests {
  /// Runs `body` with a temporary directory.
  private func run(_ body: (TestLoop, PrivateDirectory) throws -> Void) throws {
    let directory = try PrivateDirectory(prefix: "matinee-place-")
    try TestLoop.run { test in try body(test, directory) }
    try FileManager.default.removeItem(atPath: directory.path)
  }

  private func expectRefusal(
    _ path: String, _ part: String, by wrapper: [String] = [], on test: TestLoop
  ) throws {
    let (server, _) = try Program.serve(["--journal", "sqlite:\(path)"], by: wrapper, on: test)
    try test.run { server.hasEnded }
    #expect(server.ending == .exited(code: 73))
    #expect(server.errorOutput.contains("the journal \(path) cannot be opened: "))
    #expect(server.errorOutput.contains(part), "\(server.errorOutput)")
    #expect(server.errorOutput.contains("check the directory and its permissions"))
  }

  @Test func `a directory in the journal's place is a clear error`() throws {
    try run { test, directory in
      try PrivateDirectory.make(at: directory.path(of: "journal"))
      try expectRefusal(directory.path(of: "journal"), "unable to open database file", on: test)
    }
  }

  @Test func `a directory that cannot be made is a clear error`() throws {
    try run { test, directory in
      _ = FileManager.default.createFile(atPath: directory.path(of: "file"), contents: nil)
      try expectRefusal(directory.path(of: "file/below/journal"), "ENOTDIR", on: test)
    }
  }

  @Test func `a directory that may only be read is a clear error`() throws {
    try run { test, directory in
      // A read-only mount, because permissions do not restrict root, who may run the tests.
      let mounting = try wrapper(mounting: "-t tmpfs -o ro tmpfs '\(directory.path)'", on: test)
      try expectRefusal(
        directory.path(of: "journal"), mounting == nil ? "EACCES" : "EROFS",
        by: try mounting ?? withoutWriting(directory), on: test)
    }
  }

  /// What starts a program with a mount that only it sees; `nil` on a system that forbids mounts.
  private func wrapper(mounting mount: String, on test: TestLoop) throws -> [String]? {
    let wrapper = [
      "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
      "mount \(mount) && exec \"$@\"", "sh",
    ]
    let probe = try Program.run(Array(wrapper.dropFirst()) + ["true"], of: "unshare", on: test)
    return probe.ending == .exited(code: 0) ? wrapper : nil
  }

  @Test func `that a restart cannot go on with the group's time is told`() throws {
    try run { test, directory in
      let hidden = "--bind /dev/null /proc/sys/kernel/random/boot_id"
      guard let hiding = try wrapper(mounting: hidden, on: test) else { return }
      let (server, port) = try Program.serve(
        ["--journal", "sqlite:\(directory.path(of: "journal"))"], by: hiding, on: test)
      #expect(port > 0)
      #expect(
        server.errorOutput.contains("this boot of the machine has no id"), "\(server.errorOutput)")
    }
  }

  /// Removes write permission from a directory, for systems that forbid mounts; root also drops its
  /// privilege.
  private func withoutWriting(_ directory: PrivateDirectory) throws -> [String] {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: directory.path)
    return geteuid() == 0
      ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  }

  @Test func `a second server on one journal hears whose it is`() throws {
    try run { test, directory in
      let journal = ["--journal", "sqlite:\(directory.path(of: "journal"))"]
      let (first, _) = try Program.serve(journal, on: test)
      let (second, _) = try Program.serve(journal, on: test)
      try test.run { second.hasEnded }
      #expect(second.ending == .exited(code: 73))
      #expect(second.errorOutput.contains("is in use by process \(first.id)"))
      #expect(first.ending == nil)
    }
  }

  @Test func `a damaged journal is set aside, serve says so and serves`() throws {
    try run { test, directory in
      let path = directory.path(of: "journal")
      let text = Data("no database at all".utf8)
      try text.write(to: URL(filePath: path))
      try Data().write(to: URL(filePath: path + ".lock"))
      let journal = ["--journal", "sqlite:\(path)"]
      let (server, port) = try Program.serve(journal, on: test)
      #expect(port > 0)
      #expect(
        server.errorOutput.contains("is damaged (file is not a database) and is set aside as"))
      let aside = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        .filter { $0.hasPrefix("journal.damaged-") }
      #expect(aside.count == 1)
      #expect(FileManager.default.contents(atPath: directory.path(of: aside[0])) == text)
      server.kill(.kill)
      try test.run { server.hasEnded }
      // Reported only once.
      let (again, _) = try Program.serve(journal, on: test)
      #expect(!again.errorOutput.contains("damaged"))
    }
  }
}
