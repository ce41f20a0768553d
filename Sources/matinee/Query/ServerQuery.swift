import EventLoops
import Server
import TLS
import Transports
import Vocabulary
import Wire

/// Requests to a server over one connection, and the result of its answers.
protocol Question {
  associatedtype Answer

  var firstRequest: Request { get }

  /// Handles an answer.
  mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<Answer>
}

/// What to do after an answer.
enum QuestionStep<Answer> {
  /// Wait: the message was another one, such as the welcome.
  case none
  /// Send another request.
  case ask(Request)
  case answered(Answer)
}

/// Why a question has no answer, with the exit code from sysexits.h.
struct QueryFailure: Error {
  let message: String
  let exitCode: Int32
}

/// Sends a question to a server over a new connection, and waits for the answer.
final class ServerQuery<Topic: Question>: LineConnectionDelegate {
  private let loop: EventLoop
  private let endpoint: ServerConfiguration.Endpoint
  private let trust: TLSTrust?
  private let user: UserID
  private let credential: String?
  private let administratorKey: String?
  private let timeout: Duration
  private var question: Topic
  private var decoder = ServerLineDecoder(maximumBytes: lineBytes)
  private var requestCount = 0
  private var result: Result<Topic.Answer, QueryFailure>?

  /// Four times a server's own bound on a report; bounds what a faulty server can send.
  private static var lineBytes: Int { 8 << 20 }

  /// - Parameters:
  ///   - trust: which servers may answer; `nil` does not encrypt.
  ///   - user: the user to connect as.
  ///   - credential: the token that proves it; `nil` for a server that asks for none.
  ///   - administratorKey: the key that makes the connection an administrator's.
  init(
    _ question: Topic, of endpoint: ServerConfiguration.Endpoint, under trust: TLSTrust?,
    as user: UserID, with credential: String?, administratorKey: String? = nil,
    within timeout: Duration,
    on loop: EventLoop
  ) {
    self.question = question
    self.endpoint = endpoint
    self.trust = trust
    self.user = user
    self.credential = credential
    self.administratorKey = administratorKey
    self.timeout = timeout
    self.loop = loop
  }

  /// Sends the question and waits for the answer.
  func run() throws -> Result<Topic.Answer, QueryFailure> {
    let timer = LoopTimer(on: loop) { [unowned self] in
      fail("no answer from \(endpoint) in time", 75)
    }
    timer.fire(at: loop.now + timeout)
    let list = FlushList(on: loop, limits: ConnectionLimits(lineBytesMaximum: Self.lineBytes))
    let attempt = try ConnectAttempt(
      host: endpoint.host, port: endpoint.port, under: trust, on: loop
    ) { [unowned self] in
      do {
        try begin(over: try $0.get(), list)
      } catch {
        fail("\(error)", 69)
      }
    }
    loop.run()
    attempt.cancel()
    timer.close()
    return result
      ?? .failure(QueryFailure(message: "no answer from \(endpoint)", exitCode: 75))
  }

  private func begin(over stream: ByteStream, _ list: FlushList) throws {
    let connection = try LineConnection(
      stream, id: PeerID(slot: 0, generation: 0), in: list, delegate: self)
    let name = "query-\(UInt64.random(in: .min ... .max))"
    let hello = Hello(
      user: user, device: DeviceID(name), name: user.text, features: [], credential: credential,
      administratorKey: administratorKey)
    connection.enqueue(SharedBytes(encode(.hello(hello))))
    ask(question.firstRequest, over: connection)
  }

  private func ask(_ request: Request, over connection: LineConnection) {
    requestCount += 1
    connection.enqueue(SharedBytes(encode(.request(RequestID(requestCount), request))))
  }

  private func finish(_ result: Result<Topic.Answer, QueryFailure>) {
    guard self.result == nil else { return }
    self.result = result
    loop.stop()
  }

  private func fail(_ message: String, _ exitCode: Int32) {
    finish(.failure(QueryFailure(message: message, exitCode: exitCode)))
  }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    do throws(MalformedLine) {
      switch try decoder.decode(line) {
      case .error(_, let error), .closing(let error):
        fail("\(endpoint) says: \(error.message)\(error.tokenFault); \(error.adviceHere)", 69)
      case .unknownError(_, let error): fail("\(endpoint) says: \(error.message)", 69)
      case let message:
        var bytes: [UInt8] = []
        for index in line.indices { bytes.append(line[index]) }
        switch question.take(message, line: String(decoding: bytes, as: UTF8.self)) {
        case .none: break
        case .ask(let request): ask(request, over: connection)
        case .answered(let answer): finish(.success(answer))
        }
      }
    } catch {
      fail("\(endpoint) is not a Matinee server: \(error.error.message)", 69)
    }
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    fail("the answer of \(endpoint) is too long", 69)
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    fail("\(endpoint) closed the connection without an answer", 69)
  }
}

@available(*, unavailable)
extension ServerQuery: Sendable {}

extension ProtocolError {
  /// What to do at the command line.
  fileprivate var adviceHere: String {
    if let retryAfter { return retryAfter.waitAdvice }
    return code == .credentialRequired
      ? "give --token-file with a token, or --admin-key-file where the command takes it" : advice
  }

  /// What is wrong with a refused token, in parentheses; otherwise empty.
  fileprivate var tokenFault: String {
    guard code == .credentialRefused, let reason else { return "" }
    return " (\(reason))"
  }
}
