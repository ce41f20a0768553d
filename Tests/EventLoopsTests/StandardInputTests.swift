import EventLoops
import Glibc
import LoopTesting
import Testing

/// Serialized, because these tests replace this process's standard input.
@Suite(.serialized) struct StandardInputTests {
  private final class Recorder: StandardInputDelegate {
    var text = ""
    var ends: [StreamError?] = []

    func standardInput(_ input: StandardInput, didRead bytes: Span<UInt8>) {
      var read: [UInt8] = []
      for index in bytes.indices { read.append(bytes[index]) }
      text += String(decoding: read, as: UTF8.self)
    }

    func standardInput(_ input: StandardInput, didEnd error: StreamError?) {
      ends.append(error)
    }
  }

  /// Runs `body` with a descriptor as standard input, and closes the descriptor.
  private static func withStandardInput(_ descriptor: Int32, _ body: () throws -> Void) throws {
    try #require(descriptor >= 0)
    let own = dup(0)
    dup2(descriptor, 0)
    close(descriptor)
    defer {
      dup2(own, 0)
      close(own)
    }
    try body()
  }

  @Test func `a file is read to its end, in order`() throws {
    // A regular file whose content is known without writing one.
    let file = unsafe open("/proc/self/cmdline", O_RDONLY)
    let text = CommandLine.arguments.map { $0 + "\0" }.joined()
    try Self.withStandardInput(file) {
      try TestLoop.run { test in
        let recorder = Recorder()
        _ = try StandardInput(on: test.loop, delegate: recorder)
        try test.run { !recorder.ends.isEmpty }
        #expect(recorder.text == text)
        #expect(recorder.ends == [nil])
      }
    }
  }

  @Test func `a pipe is read as it is filled`() throws {
    var ends: [Int32] = [-1, -1]
    let status = unsafe pipe(&ends)
    #expect(status == 0)
    try Self.withStandardInput(ends[0]) {
      try TestLoop.run { test in
        let recorder = Recorder()
        let input = try StandardInput(on: test.loop, delegate: recorder)
        let written = unsafe write(ends[1], "one", 3)
        #expect(written == 3)
        try test.run { recorder.text == "one" }
        #expect(recorder.ends.isEmpty)
        close(ends[1])
        try test.run { recorder.ends == [nil] }
        input.close()
        input.close()
      }
    }
  }

  @Test func `nothing is heard of an input that was closed`() throws {
    let zeros = unsafe open("/dev/zero", O_RDONLY)
    try Self.withStandardInput(zeros) {
      let recorder = Recorder()
      try TestLoop.run { test in
        let input = try StandardInput(on: test.loop, delegate: recorder)
        input.close()
      }
      #expect(recorder.text == "")
      #expect(recorder.ends.isEmpty)
    }
  }
}
