import EventLoops
import LoopTesting
import WebSocketTesting

/// A client of `serve --http` that sends hand-written requests, and frames behind an upgrade.
final class WebPeer {
  private let recorder: StreamRecorder
  private let test: TestLoop
  private var rest: ArraySlice<UInt8> = []
  private var takenCount = 0
  private var heardMessages = HeardTexts()
  /// The code with which the server ended.
  private(set) var closeCode: UInt16?

  init(port: UInt16, on test: TestLoop) throws {
    self.test = test
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(host: "127.0.0.1", port: port, on: test.loop) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    recorder = try StreamRecorder(try result.get())
  }

  var hasEnded: Bool { recorder.hasEnded || !recorder.errors.isEmpty }

  /// Sends a request for a path, and waits for the whole answer.
  func get(_ path: String, _ fields: String..., method: String = "GET") throws -> Answer {
    try get(path, fields, method: method)
  }

  func get(_ path: String, _ fields: [String], method: String) throws -> Answer {
    try ask(path, fields, method: method)
    let answer = try wholeAnswer(toHead: method == "HEAD")
    recorder.received = []
    return answer
  }

  /// Asks for a WebSocket, as a page of this origin does.
  func upgrade(
    _ more: String..., origin: String? = nil, host: String = "localhost"
  ) throws -> Answer {
    let fields =
      [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ] + more + (origin.map { ["Origin: \($0)"] } ?? [])
    try ask("/ws", fields, host: host, method: "GET")
    let answer = try wholeAnswer()
    takenCount = answer.headBytes
    return answer
  }

  func hangUp() { recorder.stream.close() }

  /// Stops reading for a while, as a player does that has read far ahead.
  func pauseReading() { recorder.stream.pauseReading() }
  func resumeReading() { recorder.stream.resumeReading() }

  func ask(
    _ path: String, _ fields: [String], host: String = "localhost", method: String
  ) throws {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields
    try recorder.stream.write(SharedBytes(lines.map { $0 + "\r\n" }.joined() + "\r\n"))
  }

  /// Sends frames.
  func send(_ frames: [UInt8]...) throws {
    for frame in frames { try recorder.stream.write(SharedBytes(frame)) }
  }

  func say(_ text: String) throws { try send(.text(text)) }

  /// Whether a message with this part has arrived.
  func heard(_ part: String) -> Bool {
    takeFrames()
    return heardMessages.contain(part)
  }

  /// The text messages that arrived.
  var messages: [String] { heardMessages.all }

  /// The session of the first offer that arrived.
  var offeredSession: String? {
    messages.first { $0.contains(#""type":"offer""#) }?
      .firstMatch(of: /"session":"([^"]*)"/).map { String($0.1) }
  }

  /// Whether the server has ended with this code.
  func isClosed(with code: UInt16) -> Bool {
    takeFrames()
    return closeCode == code
  }

  private func takeFrames() {
    rest += recorder.received[takenCount...]
    takenCount = recorder.received.count
    while let (opcode, payload) = takeFrame() {
      switch opcode {
      case 1: heardMessages.append(String(decoding: payload, as: UTF8.self))
      case 8: closeCode = payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
      default: break
      }
    }
  }

  /// Takes the first frame off what arrived; `nil` if it is not whole.
  private func takeFrame() -> (opcode: UInt8, payload: [UInt8])? {
    var bytes = rest
    guard let first = bytes.popFirst(), let second = bytes.popFirst() else { return nil }
    var count = Int(second)
    if count >= 126 {
      let size = count == 126 ? 2 : 8
      guard bytes.count >= size else { return nil }
      count = bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      bytes = bytes.dropFirst(size)
    }
    guard bytes.count >= count else { return nil }
    rest = bytes.dropFirst(count)
    return (first & 0xF, Array(bytes.prefix(count)))
  }

  /// An answer by HTTP.
  struct Answer {
    let status: Int
    let head: String
    let body: [UInt8]
    let headBytes: Int

    /// The value of a field.
    subscript(name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  func wholeAnswer(toHead isHead: Bool = false) throws -> Answer {
    try test.run { self.answer(toHead: isHead) != nil || self.hasEnded }
    guard let answer = answer(toHead: isHead) else { throw TestLoop.TimedOut() }
    return answer
  }

  /// The first answer, once it is whole.
  private func answer(toHead isHead: Bool) -> Answer? {
    let end = Array("\r\n\r\n".utf8)
    guard let range = recorder.received.firstRange(of: end) else { return nil }
    let head = String(decoding: recorder.received[..<range.lowerBound], as: UTF8.self)
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let body = recorder.received[range.upperBound...]
    let answer = Answer(
      status: status, head: head, body: Array(body), headBytes: range.upperBound)
    let count = answer["content-length"].flatMap { Int($0) } ?? 0
    let isBodiless = isHead || status == 304 || status == 101
    return isBodiless || body.count >= count ? answer : nil
  }
}

@available(*, unavailable)
extension WebPeer: Sendable {}
