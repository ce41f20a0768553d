import EventLoops
import Foundation
import PushTesting
import PushTransports
import Vocabulary

/// Clocks that move only when a test moves them.
final class StandingClock: Sendable {
  /// 2026-11-21T20:15:00Z.
  static let start = Instant(microseconds: 1_795_292_100_000_000)
  private let time = Locked(start)
  private let error: Locked<Duration>

  /// Clocks of which the time of day is wrong by this much.
  init(wallClockError: Duration = .zero) {
    error = Locked(wallClockError)
  }

  var now: Instant { time.withLock { $0 } }

  var clocks: PushClocks {
    PushClocks(group: { self.now }, wall: { self.now + self.error.withLock { $0 } })
  }

  func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }

  /// Sets the time of day, as a time server does.
  func setWallClock(error: Duration) { self.error.withLock { $0 = error } }
}

/// Runs `body` with the path of a temporary file that only its owner can read.
func withFile<Result>(
  _ text: String, _ body: (String) async throws -> Result
) async throws -> Result {
  let directory = try PrivateDirectory(prefix: "matinee-push-")
  defer { directory.remove(files: ["file"]) }
  let path = directory.path(of: "file")
  try text.write(toFile: path, atomically: false, encoding: .utf8)
  try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  return try await body(path)
}

/// Runs `body` with a push service and a transport to it.
func withWebPush(
  wallClockError: Duration = .zero,
  configure: (inout WebPushConfiguration) -> Void = { _ in },
  reply: @escaping @Sendable (ReceivedPush) -> PushReply = { _ in .answer(201) },
  _ body: (LocalPushService, RunningTransport, StandingClock) async throws -> Void
) async throws {
  let service = try await LocalPushService.start(.plain, reply)
  let clock = StandingClock(wallClockError: wallClockError)
  var configuration = try WebPushConfiguration(key: SigningKey(), subject: "mailto:a@example.org")
  configuration.endpoints.allowsPlainLoopback = true
  configuration.connections.deadline = patience
  configure(&configuration)
  let transport = try RunningTransport(configuration.route(seed: 1, clocks: clock.clocks))
  do {
    try await body(service, transport, clock)
  } catch {
    await transport.close()
    try await service.stop()
    throw error
  }
  await transport.close()
  try await service.stop()
}

/// The deadline where an answer comes; long enough for a busy machine.
let patience = Duration.seconds(300)
/// The deadline where no answer comes.
let impatience = Duration.milliseconds(50)

/// A push to an address.
func push(
  to address: PushAddress, _ payload: String = #"{"aps":{"alert":"Film?"}}"#,
  change: (inout PushMessage) -> Void = { _ in }
) -> PushMessage {
  var message = PushMessage(
    id: PushID("n-1"), to: address, payload: Array(payload.utf8),
    expires: StandingClock.start + .seconds(3_600))
  change(&message)
  return message
}
