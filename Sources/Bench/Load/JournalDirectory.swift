import Foundation

/// A directory for the files of journals under test, gone with everything in it in the end.
struct JournalDirectory {
  private let path: String

  /// Makes a directory where the system wants temporary files.
  init() throws(BenchError) {
    let files = FileManager.default
    path = files.temporaryDirectory.appending(path: "matinee-bench-\(UUID())").path
    do {
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    } catch {
      throw .journal("\(error)")
    }
  }

  /// Where a journal of that name is in it.
  func file(_ name: String) -> String { "\(path)/\(name).sqlite" }

  /// How large a journal is, in bytes.
  func size(of name: String) throws(BenchError) -> Int {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
      return attributes[.size] as? Int ?? 0
    } catch {
      throw .unreadable(file(name))
    }
  }

  /// Copies a journal that nobody writes to, down to the disk; one of the new name goes first.
  ///
  /// A file that a server goes on from has long been written. Of one just copied, the system still
  /// writes hundreds of megabytes while the server starts, and a start was measured two thirds longer
  /// than it takes.
  func copy(_ name: String, to copy: String) throws(BenchError) {
    remove(copy)
    do {
      try FileManager.default.copyItem(atPath: file(name), toPath: file(copy))
      let handle = try FileHandle(forWritingTo: URL(filePath: file(copy)))
      try handle.synchronize()
      try handle.close()
    } catch {
      throw .journal("\(error)")
    }
  }

  /// Removes a journal and the files beside it, as far as they are there.
  func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { removeItem(file(name) + suffix) }
  }

  /// Removes everything.
  func remove() { removeItem(path) }

  private func removeItem(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // The system clears up after us.
    }
  }
}
