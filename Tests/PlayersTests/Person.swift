import EventLoops
import LoopTesting
import Testing

/// Somebody at the keyboard of an mpv, by a connection of their own.
final class Person {
  let recorder: StreamRecorder
  private let test: TestLoop

  /// Connects; the socket is there once the player has loaded something.
  init(at socketPath: String, on test: TestLoop) throws {
    self.test = test
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(socketPath: socketPath, on: test.loop) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    recorder = try StreamRecorder(#require(result).get())
  }

  func say(_ line: String) throws {
    try recorder.stream.write(SharedBytes(line + "\n"))
  }

  /// What mpv has said since, once that is in it.
  func ask(_ line: String, for answer: String) throws -> String {
    recorder.received = []
    try say(line)
    try test.run { self.recorder.text.contains(answer) }
    return recorder.text
  }
}
