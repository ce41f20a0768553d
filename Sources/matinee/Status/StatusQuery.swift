import EventLoops
import Server
import Transports
import Vocabulary
import Wire

/// One question to a server over a connection of its own.
final class StatusQuery: LineConnectionDelegate {
  struct Answer {
    let line: String
    let report: StatusReport
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
  private var result: Result<Answer, Failure>?

  /// A report of the largest groups, with room to spare; it bounds what a bad server can send.
  private static let lineBytes = 16 << 20

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
    connection.enqueue(SharedBytes(encode(.request(1, .status))))
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
        let answer = Answer(line: String(decoding: bytes, as: UTF8.self), report: report)
        finish(.success(answer))
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
