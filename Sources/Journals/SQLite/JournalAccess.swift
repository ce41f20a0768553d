import EventLoops
import Foundation
import GRDB

/// An open and locked journal's file, for whoever writes to it; others may have it once all who hold
/// this let go of it.
struct JournalAccess: Sendable {
  let database: DatabaseQueue
  let lock: HeldLock
  /// How long what a snapshot or an end has made history stays in the file.
  let retention: Duration
  /// How many late answers of a device it keeps.
  let answersPerDevice: Int
  let live: [LiveStream]
  /// The largest id that a stream has.
  let lastStream: Int64
  /// How many answers are not in their rings yet.
  let recentAnswers: Int

  /// Why writing failed, for people; damage is marked, so that the next start looks closely.
  func explain(_ error: any Error) -> String {
    guard let damage = Damage(error) else {
      guard let error = error as? DatabaseError else { return "\(error)" }
      return error.message ?? "\(error.resultCode)"
    }
    _ = FileManager.default.createFile(
      atPath: JournalPaths(database.path).suspect, contents: nil,
      attributes: [.posixPermissions: 0o600])
    return "the file is damaged (\(damage)): start the server anew, and it is set aside"
  }
}

/// A lock that lasts as long as anybody holds this.
final class HeldLock: Sendable {
  private let lock: FileLock

  init(_ path: String) throws(FileLockError) {
    lock = try FileLock(path)
  }
}
