import EventLoops
import GroupSessions
import Server
import Transports
import Vocabulary
import Wire

/// One question to a server over a connection of its own.
final class StatusQuery: LineConnectionDelegate {
  struct Answer {
    /// The server's lines: more than one if it has more groups than fit a report.
    var lines: [String]
    /// All of them together.
    var report: StatusReport
  }

  /// Why there is no answer, and what the program exits with: sysexits.h's codes.
  struct Failure: Error {
    let message: String
    let exitCode: Int32
  }

  private let loop: EventLoop
  private let endpoint: ServerConfiguration.Endpoint
  private let timeout: Duration
  private var decoder = ServerLineDecoder(maximumBytes: StatusQuery.lineBytes)
  private var answer: Answer?
  private var result: Result<Answer, Failure>?

  /// Four times a server's own bound on a report; it bounds what a bad server can send.
  private static let lineBytes = 8 << 20

  init(_ endpoint: ServerConfiguration.Endpoint, within timeout: Duration, on loop: EventLoop) {
    self.endpoint = endpoint
    self.timeout = timeout
    self.loop = loop
  }

  /// Asks, and waits for the answer.
  func run() throws -> Result<Answer, Failure> {
    let timer = LoopTimer(on: loop) { [unowned self] in
      finish(.failure(Failure(message: "no answer from \(endpoint) in time", exitCode: 75)))
    }
    timer.fire(at: loop.now + timeout)
    let list = FlushList(on: loop, limits: ConnectionLimits(lineBytesMaximum: Self.lineBytes))
    let attempt = try ConnectAttempt(host: endpoint.host, port: endpoint.port, on: loop) {
      [unowned self] in
      do {
        try ask(over: try $0.get(), list)
      } catch {
        finish(.failure(Failure(message: "\(error)", exitCode: 69)))
      }
    }
    loop.run()
    attempt.cancel()
    timer.close()
    return result ?? .failure(Failure(message: "no answer from \(endpoint)", exitCode: 75))
  }

  private func ask(over stream: ByteStream, _ list: FlushList) throws {
    let connection = try LineConnection(
      stream, id: PeerID(slot: 0, generation: 0), in: list, delegate: self)
    let name = "status-\(UInt64.random(in: .min ... .max))"
    let hello = Hello(user: UserID("status"), device: DeviceID(name), name: "status", features: [])
    connection.enqueue(SharedBytes(encode(.hello(hello))))
    connection.enqueue(SharedBytes(encode(.request(1, .status()))))
  }

  /// Keeps a part of the answer, and asks for the next.
  private func take(_ line: String, _ report: StatusReport, over connection: LineConnection) {
    let last = answer?.report.groups.last?.id
    if answer == nil {
      answer = Answer(lines: [line], report: report)
    } else {
      answer?.lines.append(line)
      answer?.report.append(report)
    }
    guard let answer else { return }
    // A server that repeats itself is not asked for ever.
    guard report.hasMore, let next = report.groups.last?.id, last.map({ $0 < next }) ?? true else {
      return finish(.success(answer))
    }
    let request = ClientMessage.request(RequestID(answer.lines.count + 1), .status(after: next))
    connection.enqueue(SharedBytes(encode(request)))
  }

  private func finish(_ result: Result<Answer, Failure>) {
    guard self.result == nil else { return }
    self.result = result
    loop.stop()
  }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    do throws(MalformedLine) {
      switch try decoder.decode(line) {
      case .status(_, let report):
        var bytes: [UInt8] = []
        for index in line.indices { bytes.append(line[index]) }
        take(String(decoding: bytes, as: UTF8.self), report, over: connection)
      case .error(_, let error), .closing(let error):
        let message = "\(endpoint) says: \(error.message); \(error.code.advice)"
        finish(.failure(Failure(message: message, exitCode: 69)))
      default: break
      }
    } catch {
      let message = "\(endpoint) is no Matinee server: \(error.error.message)"
      finish(.failure(Failure(message: message, exitCode: 69)))
    }
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    finish(.failure(Failure(message: "the answer of \(endpoint) is too long", exitCode: 69)))
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    finish(.failure(Failure(message: "\(endpoint) hung up without an answer", exitCode: 69)))
  }
}

@available(*, unavailable)
extension StatusQuery: Sendable {}
