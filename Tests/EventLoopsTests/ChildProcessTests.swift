import EventLoops
import LoopTesting
import Testing

@Suite struct ChildProcessTests {
  private final class Recorder: ChildProcessDelegate {
    var output: [UInt8] = []
    var errorOutput: [UInt8] = []
    var ended: [ChildProcessOutput] = []
    var ending: ChildProcess.Ending?

    func childProcess(
      _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
    ) {
      for index in bytes.indices {
        if output == .output { self.output.append(bytes[index]) }
        if output == .errorOutput { errorOutput.append(bytes[index]) }
      }
    }

    func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {
      ended.append(output)
    }

    func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
      self.ending = ending
    }
  }

  @Test func `arguments, environment, both outputs and the exit code come through`() throws {
    try TestLoop.run { test in
      let recorder = Recorder()
      let child = try ChildProcess(
        executable: "/bin/sh",
        arguments: ["-c", "echo \"$0 $1 $WORD\"; echo bad >&2; exit 7", "a b", ""],
        environment: ["WORD": "said"], output: .piped, errorOutput: .piped,
        on: test.loop, delegate: recorder)
      #expect(child.id > 0)
      try test.run { recorder.ending != nil && recorder.ended.count == 2 }
      #expect(recorder.ending == .exited(code: 7))
      #expect(String(decoding: recorder.output, as: UTF8.self) == "a b  said\n")
      #expect(String(decoding: recorder.errorOutput, as: UTF8.self) == "bad\n")
      child.kill(.terminate)
      child.close()
      child.close()
    }
  }

  @Test func `a program reads what is piped into it`() throws {
    try TestLoop.run { test in
      let recorder = Recorder()
      let child = try ChildProcess(
        executable: "cat", input: .piped, output: .piped, on: test.loop, delegate: recorder)
      let text = String(repeating: "all of it\n", count: 50_000)
      try child.standardInput?.write(SharedBytes(text))
      child.standardInput?.finishWriting()
      try test.run { recorder.ending != nil && recorder.ended.count == 1 }
      #expect(recorder.ending == .exited(code: 0))
      #expect(String(decoding: recorder.output, as: UTF8.self) == text)
    }
  }

  @Test func `a signal ends a program, and is named`() throws {
    try TestLoop.run { test in
      let recorder = Recorder()
      let child = try ChildProcess(
        executable: "cat", input: .piped, on: test.loop, delegate: recorder)
      child.kill(.terminate)
      try test.run { recorder.ending != nil }
      #expect(recorder.ending == .killed(by: .terminate))
    }
  }

  @Test func `a program answers on the socket that it is born with`() throws {
    try TestLoop.run { test in
      let recorder = Recorder()
      let child = try ChildProcess(
        executable: "/bin/sh",
        arguments: ["-c", "exec 0<&-; read word <&3; echo \"said $word\" >&3"],
        output: .ignored, hasSocket: true, on: test.loop, delegate: recorder)
      let answers = try StreamRecorder(#require(child.socket))
      try child.socket?.write(SharedBytes("hello\n"))
      try test.run { recorder.ending != nil && answers.hasEnded }
      #expect(answers.text == "said hello\n")
      child.close()
    }
  }

  @Test func `a program that does not exist is an error`() throws {
    try TestLoop.run { test in
      #expect(throws: UVError("spawn", .noSuchFile)) {
        _ = try ChildProcess(
          executable: "/nowhere/at/all", input: .piped, output: .piped, on: test.loop,
          delegate: Recorder())
      }
    }
  }

  @Test func `a child that nobody watches any more does not disturb the loop`() throws {
    try TestLoop.run { test in
      let child = try ChildProcess(
        executable: "cat", input: .piped, output: .piped, on: test.loop, delegate: Recorder())
      child.close()
      #expect(child.standardInput?.isClosed == true)
    }
  }
}
