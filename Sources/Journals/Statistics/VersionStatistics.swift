import EventLoops
import GRDB
package import Vocabulary

/// Which versions clients have, hour by hour, in a SQLite file as Syncplay's own server keeps it.
///
/// A row is one client at one hour: `clients_snapshots(snapshot_time INTEGER, version)`, the time in
/// Unix seconds. Written by a thread of its own; it grows by a row for each client and hour until
/// somebody takes it away, as the reference's does.
package final class VersionStatistics: Sendable {
  private let store: BatchThread<VersionSnapshot>

  /// Opens the file, or makes it; one of the reference's goes on.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - complain: hears why something could not be written, on the statistics' own thread; what
  ///     was to be written is lost.
  /// - Throws: ``VersionStatisticsError``, or the system's error if there can be no thread.
  package init(_ path: String, complain: @escaping @Sendable (String) -> Void) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.patience)
    let database: DatabaseQueue
    do {
      database = try DatabaseQueue(path: path, configuration: configuration)
      // The reference declares the version `STRING`, which SQLite takes for a number where it can.
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

  /// How many seconds somebody who reads the file may have it to themselves.
  private static let patience = 5.0

  /// Keeps that these versions are connected now.
  package func record(_ versions: [String], at instant: Instant) {
    store.post(VersionSnapshot(time: instant.microseconds / 1_000_000, versions: versions))
  }

  /// Writes what it was told, and lets go of the file; waits for that.
  package func close() {
    store.stop()
    store.join()
  }
}

private struct VersionSnapshot: Sendable {
  /// Unix seconds.
  let time: Int64
  let versions: [String]
}

/// Writes snapshots, each in a transaction of its own; confined to its thread.
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

/// A file of statistics that cannot be opened: where, why, and what to do.
package struct VersionStatisticsError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String {
    "the statistics \(path) cannot be opened: \(reason); check the directory and its permissions, or "
      + "leave --stats-db-file out"
  }
}
