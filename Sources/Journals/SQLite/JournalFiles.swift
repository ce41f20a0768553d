import Foundation

/// What is done to a journal's files as files.
enum JournalFiles {
  /// Makes a file for nobody else to read, if it is not there.
  ///
  /// It holds the secrets by which devices resume. SQLite gives the files beside it the same permissions.
  static func makePrivate(_ path: String) throws {
    guard !exist(path) else { return }
    // Should it fail, opening the file tells why.
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  static func exist(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// The bytes of a file; 0 if it is not there, or is a directory.
  static func size(of path: String) throws -> Int {
    guard exist(path) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard attributes[.type] as? FileAttributeType != .typeDirectory else { return 0 }
    return (attributes[.size] as? Int) ?? 0
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) throws {
    if exist(path) { try FileManager.default.removeItem(atPath: path) }
  }

  /// Renames a file, if it is there.
  static func rename(_ path: String, to name: String) throws {
    if exist(path) { try FileManager.default.moveItem(atPath: path, toPath: name) }
  }
}
