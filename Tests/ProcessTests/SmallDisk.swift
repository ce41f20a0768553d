import EventLoops
import Foundation
import LoopTesting
import ProgramTesting

/// A disk that can be filled: a small file system in memory that only the server sees, or, if it
/// cannot be mounted, a limit on the size of the server's files.
final class SmallDisk {
  /// A directory on the disk, as the server sees it.
  let place: PrivateDirectory
  private let test: TestLoop
  /// The process that keeps the file system mounted; nil if a limit replaces it.
  private let keeper: Program?
  private var server: Program?
  private var isFull = false

  private static let bytes = 4 * 1024 * 1024

  init(on test: TestLoop) throws {
    self.test = test
    place = try PrivateDirectory(prefix: "matinee-disk-")
    let mount = "mount -t tmpfs -o size=\(Self.bytes) tmpfs \"$0\" && echo mounted && exec cat"
    let keeper = try Program(
      ["--user", "--map-root-user", "--mount", "sh", "-c", mount, place.path], of: "unshare",
      on: test, takesInput: true)
    try test.run { !keeper.lines.isEmpty || keeper.hasEnded }
    self.keeper = keeper.lines == ["mounted"] ? keeper : nil
  }

  var journal: String { place.path(of: "journal.sqlite") }

  /// Starts a server whose journal is on the disk.
  func serve(_ options: [String] = []) throws -> (server: Program, port: UInt16) {
    let wrapper =
      if let keeper {
        ["nsenter", "--target", "\(keeper.id)", "--user", "--mount", "--preserve-credentials"]
      } else {
        ["prlimit", "--fsize=\(isFull ? 0 : Self.bytes):unlimited"]
      }
    let started = try Program.serve(
      ["--journal", "sqlite:\(journal)"] + options, by: wrapper, on: test)
    server = started.server
    return started
  }

  /// The content of a file on the disk; nil if it does not exist.
  func contents(_ path: String) -> Data? {
    FileManager.default.contents(atPath: url(of: path).path())
  }

  func write(_ bytes: Data, to path: String) throws {
    try bytes.write(to: url(of: path))
  }

  private func url(of path: String) -> URL {
    // The process's view of its file system.
    URL(filePath: keeper.map { "/proc/\($0.id)/root\(path)" } ?? path)
  }

  /// Fills the disk completely.
  func fill() throws {
    isFull = true
    guard keeper != nil else { return try limit(0) }
    try write(Data(), to: filler)
    let filler = try FileHandle(forWritingTo: url(of: filler))
    defer { filler.closeFile() }
    var size = 64 * 1024
    while size > 0 {
      do {
        try filler.write(contentsOf: Data(count: size))
      } catch {
        size /= 2
      }
    }
  }

  /// Removes what fills the disk.
  func free() throws {
    isFull = false
    guard keeper != nil else { return try limit(Self.bytes) }
    try FileManager.default.removeItem(at: url(of: filler))
  }

  private var filler: String { place.path(of: "filler") }

  private func limit(_ bytes: Int) throws {
    guard let server else { return }
    _ = try Program.run(
      ["--pid", "\(server.id)", "--fsize=\(bytes):unlimited"], of: "prlimit", on: test)
  }

  /// Unmounts and removes the disk.
  func remove() throws {
    keeper?.kill(.kill)
    if let keeper { try test.run { keeper.hasEnded } }
    try FileManager.default.removeItem(atPath: place.path)
  }
}

@available(*, unavailable)
extension SmallDisk: Sendable {}
