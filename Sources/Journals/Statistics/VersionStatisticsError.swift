/// A file of statistics that cannot be opened: where, why, and what to do.
package struct VersionStatisticsError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String {
    "the statistics \(path) cannot be opened: \(reason); check the directory and its permissions, or "
      + "leave --stats-db-file out"
  }
}
