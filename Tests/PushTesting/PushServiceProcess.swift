import EventLoops
import Foundation

/// The process behind a ``LocalPushService``: a program in Python; confined to a loop.
final class PushServiceProcess: ChildProcessDelegate {
  /// What a process tells, a line each.
  struct Event: Decodable {
    var port: Int?
    var connection: Int?
    var closed: Int?
    var listensNoMore: Bool?
    var request: ReceivedPush?
    /// The number of the request.
    var number: Int?
  }

  /// What a process is told about a request.
  private struct Order: Encodable {
    var number = 0
    var kind: String
    var status = 0
    var fields: [String: String] = [:]
    var body = ""
  }

  private var process: ChildProcess?
  private var unread: [UInt8] = []
  private let onEvent: (Event, PushServiceProcess) -> Void
  private let onEnd: () -> Void

  /// Starts a process.
  ///
  /// It is Debian's interpreter, because its packages have the library for HTTP/2 (`python3-h2`).
  init(
    _ setup: PushServiceSetup, on loop: EventLoop,
    onEvent: @escaping (Event, PushServiceProcess) -> Void, onEnd: @escaping () -> Void
  ) throws(UVError) {
    self.onEvent = onEvent
    self.onEnd = onEnd
    let script = String(decoding: PackageResources.push_service_py, as: UTF8.self)
    process = try ChildProcess(
      executable: "/usr/bin/python3", arguments: ["-c", script], input: .piped, output: .piped,
      on: loop, delegate: self)
    write(setup)
  }

  /// Answers a request.
  func answer(_ number: Int, _ reply: PushReply) {
    switch reply {
    case .answer(let status, let fields, let body):
      write(Order(number: number, kind: "answer", status: status, fields: fields, body: body))
    case .silence: write(Order(number: number, kind: "silence"))
    case .hangUp: write(Order(number: number, kind: "hangUp"))
    case .halfAnAnswer(let status):
      write(Order(number: number, kind: "halfAnAnswer", status: status, body: "{"))
    }
  }

  /// Stops accepting connections.
  func listenNoMore() { write(Order(kind: "listenNoMore")) }

  /// Ends the process.
  func kill() { process?.kill(.kill) }

  private func write(_ value: some Encodable) {
    do {
      let line = Array(try JSONEncoder().encode(value)) + [UInt8(ascii: "\n")]
      try process?.standardInput?.write(SharedBytes(line))
    } catch {
      // The process has ended, which its delegate hears of.
    }
  }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    for index in bytes.indices { unread.append(bytes[index]) }
    while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Data(unread[..<end])
      unread.removeSubrange(...end)
      do {
        onEvent(try JSONDecoder().decode(Event.self, from: line), self)
      } catch {
        preconditionFailure("push_service.py wrote another line: \(error)")
      }
    }
  }

  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    process.close()
    self.process = nil
    onEnd()
  }
}

/// What a process is to speak.
struct PushServiceSetup: Encodable, Sendable {
  var host: String
  /// 0 means a free one.
  var port: Int
  var isMute = false
  var protocols: [String] = []
  var certificate: String?
  var key: String?

  init(_ speech: LocalPushService.Speech, host: String, port: Int) {
    self.host = host
    self.port = port
    switch speech {
    case .plain: break
    case .mute: isMute = true
    case .secure(let own): secure(own, ["h2", "http/1.1"])
    case .secureHTTP1(let own): secure(own, ["http/1.1"])
    }
  }

  private mutating func secure(_ own: TestCertificate, _ protocols: [String]) {
    certificate = own.pem
    key = String(decoding: own.key, as: UTF8.self)
    self.protocols = protocols
  }
}
