/// One of the two streams a program writes to.
package enum ChildProcessOutput: Sendable {
  /// Standard output.
  case output
  /// Standard error.
  case errorOutput
}

/// Hears of a ``ChildProcess``, on its loop's thread, until it is closed.
package protocol ChildProcessDelegate: AnyObject {
  /// The program wrote to a piped output; the bytes are valid during the call only.
  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput)

  /// A piped output was closed, by the program and all who inherited it.
  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput)

  /// The program ended; what it wrote last may arrive after this, until `didEnd`.
  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending)
}
