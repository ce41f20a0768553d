import EventLoops
import LoopTesting
import RightsTesting
import Vocabulary
import Wire

/// A peer that sends and reads the protocol's messages, one request at a time.
final class MessagePeer: ByteStreamDelegate {
  private let stream: ByteStream
  private var splitter = LineSplitter(maximumLineBytes: 4 * 1024 * 1024)
  private var decoder = ServerLineDecoder(maximumBytes: 4 * 1024 * 1024)
  private var lastRequest: RequestID = RequestID(0)
  private var answer: Result<Answer, ProtocolError>?
  /// The latest key of each group.
  private(set) var keys: [GroupID: String] = [:]
  private(set) var receivedCount = 0
  /// Whether the connection is over.
  private(set) var hasEnded = false
  /// Why the server hung up.
  private var closing: ProtocolError?
  /// What was wrong with the received lines.
  private var flaws: [MalformedLine] = []

  init(port: UInt16, on test: TestLoop) throws {
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(host: "127.0.0.1", port: port, on: test.loop) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    stream = try result.get()
    try stream.start(self)
  }

  func say(_ message: ClientMessage) throws(StreamError) {
    try stream.write(SharedBytes(encode(message)))
  }

  /// Makes a request and waits for its answer.
  func ask(_ request: Request, on test: TestLoop) throws -> Result<Answer, ProtocolError> {
    lastRequest += 1
    answer = nil
    try say(.request(lastRequest, request))
    try test.run { self.answer != nil || self.hasEnded }
    guard let answer, flaws.isEmpty else {
      throw NoScene("\(request.name) has no answer: \(flaws) \(closing.map { "\($0)" } ?? "")")
    }
    return answer
  }

  func hangUp() { stream.close() }

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    splitter.split(bytes) { line in
      do throws(MalformedLine) {
        take(try decoder.decode(line))
      } catch {
        flaws.append(error)
      }
    } onOverlongLine: {
      flaws.append(MalformedLine(request: nil, error: ProtocolError(.lineTooLong)))
    }
  }

  private func take(_ message: ServerMessage) {
    receivedCount += 1
    switch message {
    case .answer(lastRequest, let answer): self.answer = .success(answer)
    case .error(lastRequest?, let error): answer = .failure(error)
    case .status(lastRequest, _), .objectState(lastRequest, _, _, _), .explanation(lastRequest, _):
      answer = .success(.done(seq: nil))
    case .closing(let error): closing = error
    case .groupKey(let group, let key): keys[group] = key
    default: break
    }
  }

  func byteStreamDidEnd(_ stream: ByteStream) { hasEnded = true }
  func byteStreamDidDrain(_ stream: ByteStream) {}
  func byteStream(_ stream: ByteStream, didFail error: StreamError) { hasEnded = true }
}

@available(*, unavailable)
extension MessagePeer: Sendable {}
