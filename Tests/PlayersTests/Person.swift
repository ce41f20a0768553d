import EventLoops
import LoopTesting
import Testing

/// A person at the keyboard of an mpv, with a separate connection.
final class Person {
  let recorder: StreamRecorder
  private let test: TestLoop

  /// Connects.
  ///
  /// The socket exists once the player has loaded an item.
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

  /// Sends a line and returns mpv's output once it contains `answer`.
  func ask(_ line: String, for answer: String) throws -> String {
    recorder.received = []
    try say(line)
    try test.run { self.recorder.text.contains(answer) }
    return recorder.text
  }
}
