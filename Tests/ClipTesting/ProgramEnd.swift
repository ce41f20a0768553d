package import EventLoops

/// Waits for a program's end.
package final class ProgramEnd: ChildProcessDelegate {
  /// How it ended, if it has.
  package var ending: ChildProcess.Ending?

  /// It runs.
  package init() {}

  /// Nothing it writes is looked at.
  package func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {}

  /// Nothing it writes is looked at.
  package func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

  /// Remembers the end.
  package func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    self.ending = ending
  }
}

@available(*, unavailable)
extension ProgramEnd: Sendable {}
