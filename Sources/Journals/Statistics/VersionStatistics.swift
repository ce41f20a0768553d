import EventLoops
import GRDB
package import Vocabulary

/// Counts client versions every hour in a SQLite file.
///
/// A row is one client at one time: `clients_snapshots(snapshot_time INTEGER, version)`, with the
/// time in Unix seconds. A thread of its own writes the file, which grows by a row per client and hour
/// until somebody deletes rows.
package final class VersionStatistics: Sendable {
  private let store: BatchThread<VersionSnapshot>

  /// Opens the file, or creates it; a file with such a table is continued, whichever program made it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - complain: receives the reason of a failed write, on the statistics' thread; the rows are
  ///     lost.
  /// - Throws: ``VersionStatisticsError``, or the system's error if no thread can be started.
  package init(_ path: String, complain: @escaping @Sendable (String) -> Void) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.patience)
    let database: DatabaseQueue
    do {
      database = try DatabaseQueue(path: path, configuration: configuration)
      // Other programs declare the version as `STRING`, which SQLite converts to a number where it
      // can; `TEXT` keeps it.
      try database.write { database in
        try database.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS clients_snapshots (snapshot_time INTEGER, version TEXT)
            """)
      }
    } catch {
      throw VersionStatisticsError(path: path, reason: "\(error)")
    }
    store = try BatchThread(every: .zero) { VersionStore(database, complain) }
  }

  /// How many seconds a write waits for another process that locks the file.
  private static let patience = 5.0

  /// Records that these client versions are connected now.
  package func record(_ versions: [String], at instant: Instant) {
    store.post(VersionSnapshot(time: instant.microseconds / 1_000_000, versions: versions))
  }

  /// Writes what is waiting and closes the file; blocks until then, but no longer than two seconds,
  /// because the disk may hang.
  package func close() {
    store.stop()
    _ = store.join(within: Self.farewell)
  }

  /// How long the last writes may take.
  private static let farewell = Duration.seconds(2)
}

private struct VersionSnapshot: Sendable {
  /// Unix seconds.
  let time: Int64
  let versions: [String]
}

/// Writes snapshots, each in its own transaction; confined to its thread.
private final class VersionStore: BatchConsumer {
  private let database: DatabaseQueue
  private let complain: (String) -> Void

  init(_ database: DatabaseQueue, _ complain: @escaping (String) -> Void) {
    self.database = database
    self.complain = complain
  }

  func consume(_ batch: [VersionSnapshot]) {
    for snapshot in batch {
      do {
        try database.write { database in
          let row = try database.cachedStatement(sql: "INSERT INTO clients_snapshots VALUES (?, ?)")
          for version in snapshot.versions {
            try row.execute(arguments: [snapshot.time, version])
          }
        }
      } catch {
        complain("\(error)")
      }
    }
  }

  func finish() {
    do {
      try database.close()
    } catch {
      complain("\(error)")
    }
  }
}

@available(*, unavailable)
extension VersionStore: Sendable {}

/// Why a file of statistics cannot be opened: where, the reason, and what to do.
package struct VersionStatisticsError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String {
    "the statistics \(path) cannot be opened: \(reason); check the directory and its permissions, or "
      + "leave --stats-db-file out"
  }
}
