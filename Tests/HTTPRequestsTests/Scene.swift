import EventLoops
import HTTPRequests
import PushTesting

/// A client on a loop of its own; any thread may use it.
final class RunningClient: Sendable {
  private let thread: LoopThread<HTTPClient>

  init(_ settings: HTTPClientSettings) throws {
    thread = try LoopThread { loop in HTTPClient(settings, on: loop) }
  }

  /// Starts a request and waits for its result.
  func post(_ request: OutgoingRequest) async -> Result<HTTPAnswer, HTTPTrouble> {
    await withCheckedContinuation { continuation in
      thread.mailbox.post { client in
        client.start(request) { continuation.resume(returning: $0) }
      }
    }
  }

  /// Starts a request and waits for the status of its answer.
  func status(_ request: OutgoingRequest) async throws -> Int {
    try await post(request).get().status
  }

  /// Stops the client, and its loop goes on.
  func stop() async {
    await withCheckedContinuation { continuation in
      thread.mailbox.post { client in
        client.stop()
        client.stop()
        continuation.resume()
      }
    }
  }

  func close() async {
    await stop()
    thread.stop()
    thread.join()
  }
}

/// Settings for a server on loopback without TLS.
func plainSettings(_ change: (inout HTTPClientSettings) -> Void = { _ in }) -> HTTPClientSettings {
  var settings = HTTPClientSettings()
  settings.allowsPlain = true
  // Long enough for a busy machine.
  settings.deadline = .seconds(300)
  change(&settings)
  return settings
}

/// Runs `body` with a server and a client.
func withServer(
  _ speech: LocalPushService.Speech = .plain,
  configure: (inout HTTPClientSettings) -> Void = { _ in },
  reply: @escaping @Sendable (ReceivedPush) -> PushReply = { _ in .answer(200) },
  _ body: (LocalPushService, RunningClient) async throws -> Void
) async throws {
  let server = try await LocalPushService.start(speech, reply)
  let client = try RunningClient(plainSettings(configure))
  try await body(server, client)
  await client.close()
  try await server.stop()
}

extension LocalPushService {
  /// A request to this server, by a name that leads to an address.
  func request(
    named name: String = "push.example.net", at address: String = "127.0.0.1",
    change: (inout OutgoingRequest) -> Void = { _ in }
  ) -> OutgoingRequest {
    var request = OutgoingRequest(
      url: "http://\(name):\(port)/a/../b?c=%20", body: Array("question".utf8),
      resolution: "\(name):\(port):\(address)")
    change(&request)
    return request
  }
}
