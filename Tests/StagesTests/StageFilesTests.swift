import EventLoops
import Foundation
import LoopTesting
import Scenarios
import Testing

@testable import Stages

/// The files that demonstrations make, whatever the user's directories are called.
@Suite struct StageFilesTests {
  private static let demos = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "scripts/demos")

  /// Runs `body` with a directory whose name has letters that URLs encode.
  private func run(_ body: (URL) throws -> Void) throws {
    let directory = try PrivateDirectory(prefix: "matinee stage ü-")
    let url = URL(filePath: directory.path, directoryHint: .isDirectory)
    try body(url)
    try FileManager.default.removeItem(at: url)
  }

  /// One has campaigns and a journal, the other an administrator.
  @Test(arguments: ["restart", "topics"])
  func `a server's files are where its arguments say`(demo: String) throws {
    let file = Self.demos.appending(path: "\(demo).yaml")
    let scenario = try ScenarioReader(file: demo).read(String(contentsOf: file, encoding: .utf8))
    try run { directory in
      let files = try ServerFiles(for: scenario, isEncrypted: true, under: directory)
      let home = try #require(files.environment["XDG_DATA_HOME"])
      let paths = files.arguments.filter { $0.hasPrefix("/") }
      // The certificate is its own key.
      #expect(paths.count == 3, "\(files.arguments)")
      for path in paths + [home] {
        #expect(FileManager.default.fileExists(atPath: path), "\(path)")
      }
      let journal = scenario.killsServer ? "sqlite:\(home)/journal.sqlite" : "memory"
      #expect(files.arguments[1] == journal)
      withExtendedLifetime(files) {}
    }
  }

  @Test func `a test video is under its path, and nothing else is left`() throws {
    try run { directory in
      let folder = directory.path(percentEncoded: false)
      try TestLoop.run { test in
        let path = try TestVideo.path(of: .seconds(1), in: directory, on: test.loop)
        #expect(FileManager.default.fileExists(atPath: path))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names == ["test-picture-1-seconds.mp4"])
        #expect(try TestVideo.path(of: .seconds(1), in: directory, on: test.loop) == path)
      }
    }
  }

  @Test(arguments: [
    (["HOME": "/home/jürgen"], "/home/jürgen/.cache"),
    (["HOME": "/home/ann", "XDG_CACHE_HOME": "/my cache"], "/my cache"),
    (["HOME": "/home/ann", "XDG_CACHE_HOME": "cache"], "/home/ann/.cache"),
    (["HOME": "/home/ann", "XDG_CACHE_HOME": ""], "/home/ann/.cache"),
  ])
  func `videos are kept in the user's cache`(variables: [String: String], path: String) {
    #expect(TestVideo.cache(in: variables).path(percentEncoded: false) == path)
  }
}
