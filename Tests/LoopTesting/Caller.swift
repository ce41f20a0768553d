package import EventLoops

/// A peer that sends hand-written lines, like a person with netcat.
package final class Caller {
  private let recorder: StreamRecorder
  private var heardLines = HeardTexts()
  /// How many of the received bytes are in the lines.
  private var takenCount = 0

  package init(port: UInt16, host: String = "127.0.0.1", on test: TestLoop, isReading: Bool = true)
    throws
  {
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(host: host, port: port, on: test.loop) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    recorder = try StreamRecorder(try result.get())
    if !isReading { recorder.stream.pauseReading() }
  }

  /// The received lines.
  package var lines: [String] {
    takeLines()
    return heardLines.all
  }

  private func takeLines() {
    let newline = UInt8(ascii: "\n")
    while let end = recorder.received[takenCount...].firstIndex(of: newline) {
      heardLines.append(String(decoding: recorder.received[takenCount..<end], as: UTF8.self))
      takenCount = end + 1
    }
  }

  package var hasEnded: Bool { recorder.hasEnded || !recorder.errors.isEmpty }

  package func say(_ lines: String...) throws(StreamError) {
    for line in lines { try recorder.stream.write(SharedBytes(line + "\n")) }
  }

  package func greet(as name: String) throws(StreamError) {
    try say(
      #"{"type":"hello","versions":[1],"user":"\#(name)","device":"\#(name)-1","name":"\#(name)","features":["sessions"]}"#
    )
  }

  /// Sends a hello and joins a group.
  package func enter(_ group: String, as name: String) throws(StreamError) {
    try greet(as: name)
    try say(#"{"type":"joinGroup","id":1,"group":"\#(group)"}"#)
  }

  /// Reads nothing until ``goOn()``.
  package func pause() { recorder.stream.pauseReading() }

  package func goOn() { recorder.stream.resumeReading() }

  package func heard(_ part: String) -> Bool {
    takeLines()
    return heardLines.contain(part)
  }

  package func hangUp() { recorder.stream.close() }
}

@available(*, unavailable)
extension Caller: Sendable {}

extension Caller {
  /// The first line that contains a text.
  package func line(_ part: String) -> String? { lines.first { $0.contains(part) } }

  /// The string in a field of the first line that contains `part`.
  package func value(of field: String, in part: String) -> String? {
    guard let line = line(part), let start = line.firstRange(of: "\"\(field)\":\"")?.upperBound
    else { return nil }
    return String(line[start...].prefix { $0 != "\"" })
  }

  /// The number in a field of the first line that contains `part`.
  package func number(of field: String, in part: String) -> Int? {
    guard let line = line(part), let start = line.firstRange(of: "\"\(field)\":")?.upperBound
    else { return nil }
    return Int(line[start...].prefix { $0.isNumber })
  }
}
