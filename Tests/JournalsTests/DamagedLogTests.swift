import Coordination
import EventLoops
import Foundation
import GRDB
import GroupSessions
import Naming
import Testing
import Vocabulary
import WireTesting

@testable import Journals

/// Logs that are damaged in their middle, where SQLite stops reading without a word.
@Suite struct DamagedLogTests {
  /// A journal as a killed server leaves it: nothing is written back from the log.
  private struct Remains {
    var story: Story
    let file: [UInt8]
    let log: [UInt8]

    static let frame = 24 + 4_096

    var frames: Int { (log.count - 32) / Self.frame }

    /// The offset of a frame, from 0.
    func offset(of frame: Int) -> Int { 32 + frame * Self.frame }
  }

  private func remains(_ scene: JournalScene, seed: UInt64) throws -> Remains {
    var story = Story(seed: seed)
    try scene.open()
    try story.go(100, on: scene)
    let remains = Remains(
      story: story, file: try bytes(scene.path), log: try bytes(scene.path + "-wal"))
    try scene.close()
    return remains
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// Puts the remains back with another log.
  private func put(_ remains: Remains, with log: [UInt8], _ scene: JournalScene) throws {
    try Data(remains.file).write(to: URL(filePath: scene.path))
    try JournalFiles.remove(scene.path + "-shm")
    try JournalFiles.remove(scene.path + "-wal")
    try JournalFiles.makePrivate(scene.path + "-wal")
    try Data(log).write(to: URL(filePath: scene.path + "-wal"))
  }

  private func open(
    _ remains: Remains, with log: [UInt8], _ scene: JournalScene
  ) throws -> JournalContents {
    try put(remains, with: log, scene)
    return try scene.read(at: remains.story.now).contents
  }

  /// The logs that were set aside; the mended one too, if the file had to be replaced.
  private func aside(_ scene: JournalScene) throws -> [[UInt8]] {
    try scene.files.filter { $0.contains(".damaged-") && $0.hasSuffix("-wal") }
      .map { try bytes(scene.directory.path(of: $0)) }
  }

  // MARK: A single byte

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a byte that changed is restored, or it is told what is missing`(seed: UInt64) throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: seed)
      var random = RandomValues(seed: seed)
      let place = random.number(0...remains.log.count - 1)
      var log = remains.log
      log[place] ^= UInt8(random.number(1...255))
      var contents = try open(remains, with: log, scene)
      let notices = contents.notices
      contents.notices = []
      let isWhole = contents == remains.story.expected(at: contents.latest)
      // Only a change of the highest byte of a word fits several words.
      #expect(isWhole || place % 4 == 3 && !notices.isEmpty, "seed \(seed), \(place): \(notices)")
      if let notice = notices.first {
        #expect(notice.contains("the log \(scene.path)-wal is damaged"))
        #expect(try aside(scene).contains(log))
      }
    }
  }

  @Test func `a damaged header costs nothing`() throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: 1)
      for count in [1, 4, 24] {
        var log = remains.log
        log.replaceSubrange(0..<count, with: Array(repeating: 7, count: count))
        var contents = try open(remains, with: log, scene)
        #expect(contents.notices.count == 1)
        contents.notices = []
        #expect(contents == remains.story.expected(at: contents.latest), "\(count) bytes")
      }
    }
  }

  // MARK: Larger damage

  /// Of stories that leave something alive.
  @Test(arguments: 5...16 as ClosedRange<UInt64>)
  func `a page that is beyond repair costs its rows, and not what follows`(seed: UInt64) throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: seed)
      var random = RandomValues(seed: seed)
      var log = remains.log
      let frame = random.number(remains.frames / 3...remains.frames / 2)
      let place = remains.offset(of: frame) + random.number(24...4_000)
      for offset in 0..<64 { log[place + offset] = UInt8(random.number(0...255)) }
      let contents = try open(remains, with: log, scene)
      let notice = try #require(contents.notices.first)
      #expect(notice.contains("transactions read from frame \(frame + 1) on"), "\(notice)")
      #expect(notice.contains("pages read as far as their rows are whole: 1"), "\(notice)")
      #expect(try aside(scene).contains(log))
      for stream in contents.streams {
        let seq = (stream.snapshot?.seq ?? 0) + stream.events.count
        let all = try #require(remains.story.events[stream.aggregate], "seed \(seed)")
        #expect(all[..<seq].suffix(stream.events.count).elementsEqual(stream.events), "\(seed)")
      }
      #expect(contents.streams.count * 2 > remains.story.known.streams.count, "seed \(seed)")
      #expect(try scene.read().contents.notices.isEmpty)
    }
  }

  @Test func `behind a frame without a page number it is told how much is lost`() throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: 3)
      let frame = remains.frames / 2
      let start = remains.offset(of: frame)
      var log = remains.log
      log.replaceSubrange(start..<start + 100, with: Array(repeating: 0, count: 100))
      let contents = try open(remains, with: log, scene)
      let notice = try #require(contents.notices.first)
      #expect(notice.contains("in frames: \(remains.frames - frame - 1)"), "\(notice)")
      #expect(try aside(scene).contains(log))
      // It is what SQLite reads by itself, and the next start finds nothing left to tell.
      let cut = try open(remains, with: Array(log[..<start]), scene)
      #expect(cut.streams == contents.streams)
      #expect(try scene.fetch("SELECT count(*) FROM notice") == 0)
    }
  }

  @Test func `what was told once is in the file, and not told again`() throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: 4)
      var log = remains.log
      log[remains.offset(of: remains.frames / 2) + 100] ^= 1
      try put(remains, with: log, scene)
      #expect(try scene.open(at: remains.story.now).contents.notices.count == 1)
      for name in try scene.files {
        let path = scene.directory.path(of: name)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
      }
      try scene.close()
      #expect(try scene.read().contents.notices.isEmpty)
      #expect(try scene.fetch("SELECT count(*) FROM notice") == 1)
    }
  }

  // MARK: Logs that are as a crash leaves them

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a log that ends too early is not damaged`(seed: UInt64) throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: seed)
      var random = RandomValues(seed: seed)
      let log = Array(remains.log.dropLast(random.number(1...remains.log.count - 1)))
      #expect(try open(remains, with: log, scene).notices.isEmpty)
      #expect(try aside(scene).isEmpty)
    }
  }

  @Test func `the frames of an earlier log behind this one are not damage`() throws {
    try JournalScene.run { scene in
      var story = Story(seed: 5)
      let database = try scene.open().access.database
      try story.go(50, on: scene)
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
      try story.go(5, on: scene)
      let remains = Remains(
        story: story, file: try bytes(scene.path), log: try bytes(scene.path + "-wal"))
      try scene.close()
      var contents = try open(remains, with: remains.log, scene)
      #expect(contents.notices.isEmpty)
      contents.notices = []
      #expect(contents == story.expected(at: contents.latest))
    }
  }

  @Test func `verifying tells of it before a server has mended it`() throws {
    try JournalScene.run { scene in
      let remains = try remains(scene, seed: 6)
      var log = remains.log
      // The tables are made in the first frames.
      log[remains.offset(of: remains.frames * 9 / 10) + 100] ^= 1
      try put(remains, with: log, scene)
      let verification = try JournalArchive(scene.path).verify()
      #expect(!verification.isSound)
      #expect("\(verification)".contains("the log \(scene.path)-wal is damaged"))
    }
  }
}
