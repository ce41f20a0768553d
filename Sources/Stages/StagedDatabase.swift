import EventLoops
import Foundation

/// A PostgreSQL server of a stage's own, in a new directory, with one database for a journal.
///
/// It ends, and its directory is removed, with this process at the latest.
final class StagedDatabase: ChildProcessDelegate {
  private var process: ChildProcess?
  private var words = ""
  private var complaints = ""
  private var ending: ChildProcess.Ending?
  private let onChange: () -> Void

  /// The number of characters that are kept; enough for its directory, and to explain a failure.
  private static let wordsMaximum = 2048

  /// Begins to start it.
  ///
  /// - Parameter onChange: called when it takes connections, and when it has ended.
  init(on loop: EventLoop, onChange: @escaping () -> Void) throws(UVError) {
    self.onChange = onChange
    process = try ChildProcess(
      executable: "bash",
      arguments: ["-c", DatabaseScript.text, "database-server", "-c", "fsync=off"],
      input: .piped, output: .piped, errorOutput: .piped, on: loop, delegate: self)
  }

  /// The address of its database; `nil` until it takes connections.
  var address: String? {
    guard let directory = words.split(separator: "\n").first, words.contains("\n") else {
      return nil
    }
    return "postgresql:///postgres?host=\(directory)&user=matinee"
  }

  /// Why it has ended; `nil` while it runs.
  var failure: String? {
    guard ending != nil else { return nil }
    return "PostgreSQL does not start; it is installed by scripts/setup: \(complaints)"
  }

  /// Whether it has ended, and its directory is removed.
  var hasEnded: Bool { ending != nil }

  /// Ends it.
  func stop() { process?.standardInput?.close() }

  func close() {
    process?.close()
    process = nil
  }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    switch output {
    case .output: words.append(bytes, keepingLast: Self.wordsMaximum)
    case .errorOutput: complaints.append(bytes, keepingLast: Self.wordsMaximum)
    }
    onChange()
  }

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
    onChange()
  }
}

@available(*, unavailable)
extension StagedDatabase: Sendable {}

/// The script that runs a PostgreSQL server in a new directory; it says itself how to use it.
package enum DatabaseScript {
  package static var text: String {
    String(decoding: PackageResources.database_server_sh, as: UTF8.self)
  }
}
