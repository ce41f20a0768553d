import Foundation

/// A temporary directory for the files of journals under test.
struct JournalDirectory {
  private let path: String

  /// Makes a directory in the system's directory for temporary files.
  init() throws(BenchError) {
    let files = FileManager.default
    path = files.temporaryDirectory.appending(path: "matinee-bench-\(UUID())").path
    do {
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    } catch {
      throw .journal("\(error)")
    }
  }

  func file(_ name: String) -> String { "\(path)/\(name).sqlite" }

  /// The size of a journal, in bytes.
  func size(of name: String) throws(BenchError) -> Int {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
      return attributes[.size] as? Int ?? 0
    } catch {
      throw .unreadable(file(name))
    }
  }

  /// Copies a closed journal and flushes the copy to the disk; an existing copy is replaced.
  ///
  /// In practice, a server recovers a file that was written long before. While the pages of a fresh
  /// copy, hundreds of megabytes, are still being written, a start was measured two thirds slower.
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

  /// Removes a journal and its side files, if they exist.
  func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { removeItem(file(name) + suffix) }
  }

  /// Removes the directory and its files.
  func remove() { removeItem(path) }

  private func removeItem(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // The system removes temporary files later.
    }
  }
}
