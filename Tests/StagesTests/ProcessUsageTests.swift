import EventLoops
import LoopTesting
import Stages
import Testing

@Suite struct ProcessUsageTests {
  private final class Ending: ChildProcessDelegate {
    var hasEnded = false

    func childProcess(
      _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
    ) {}
    func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}
    func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
      hasEnded = true
    }
  }

  @Test func `what a program uses is told until it is gone`() throws {
    try TestLoop.run { test in
      let end = Ending()
      let child = try ChildProcess(executable: "cat", input: .piped, on: test.loop, delegate: end)
      defer { child.close() }
      let usage = ProcessUsage(of: child.id)
      #expect(try usage.processorTime() >= 0)
      #expect(try usage.writtenMemory() > 0)
      child.kill(.kill)
      try test.run { end.hasEnded }
      #expect(throws: ProcessUsage.Unreadable.self) { try usage.processorTime() }
      #expect(throws: ProcessUsage.Unreadable.self) { try usage.writtenMemory() }
    }
  }
}
