import EventLoops
import Foundation
import LoopTesting
import ProgramTesting

/// A disk that can be full: a small file system in memory that only the server sees, or, where that
/// may not be mounted, a limit on the size of the server's files.
final class SmallDisk {
  /// A directory on it, as the server sees it.
  let place: PrivateDirectory
  private let test: TestLoop
  /// Holds the file system as long as it runs; nil where a limit takes its place.
  private let keeper: Program?
  private var server: Program?

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
        ["prlimit", "--fsize=\(Self.bytes):unlimited"]
      }
    let started = try Program.serve(
      ["--journal", "sqlite:\(journal)"] + options, by: wrapper, on: test)
    server = started.server
    return started
  }

  /// Leaves no byte free.
  func fill() throws {
    guard let keeper else { return try limit(0) }
    let filler = try FileHandle(forWritingTo: try makeFiller(of: keeper))
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

  /// Takes away what filled it.
  func free() throws {
    guard let keeper else { return try limit(Self.bytes) }
    try FileManager.default.removeItem(at: filler(of: keeper))
  }

  private func filler(of keeper: Program) -> URL {
    // A process's files as it sees them itself.
    URL(filePath: "/proc/\(keeper.id)/root\(place.path)/filler")
  }

  private func makeFiller(of keeper: Program) throws -> URL {
    let filler = filler(of: keeper)
    try Data().write(to: filler)
    return filler
  }

  private func limit(_ bytes: Int) throws {
    guard let server else { return }
    _ = try Program.run(
      ["--pid", "\(server.id)", "--fsize=\(bytes):unlimited"], of: "prlimit", on: test)
  }

  /// Lets go of it.
  func remove() throws {
    keeper?.kill(.kill)
    if let keeper { try test.run { keeper.hasEnded } }
    try FileManager.default.removeItem(atPath: place.path)
  }
}

@available(*, unavailable)
extension SmallDisk: Sendable {}
