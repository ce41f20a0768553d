import Coordination
import EventLoops
import Foundation
import Logging
import LoopTesting
import Naming
import PushTesting
import PushTransports
import Server
import Vocabulary

@testable import UserNotifications

/// Where a desk is tried: its loop, what it tells, and what it logs.
final class Scene: PushDeskDelegate {
  let test: TestLoop
  let desk: PushDesk
  private(set) var ends: [(attempt: PushAttempt, result: PushResult)] = []
  private let lines: Locked<[String]>

  init(
    _ routes: [PushRoute], bounds: PushBounds = PushBounds(), on test: TestLoop
  ) throws {
    self.test = test
    let lines = Locked<[String]>([])
    self.lines = lines
    var log = Logger(label: "test") { _ in LineLog(lines: lines) }
    log.logLevel = .trace
    desk = try PushDesk(routes, bounds: bounds, on: test.loop, log: log)
    desk.delegate = self
  }

  var log: [String] { lines.withLock { $0 } }

  func desk(_ desk: PushDesk, didEnd attempt: PushAttempt, _ result: PushResult) {
    ends.append((attempt, result))
  }

  /// Orders a push of a notification.
  @discardableResult
  func send(
    _ id: String = "n-1", to endpoint: PushEndpoint = device, number: Int = 1
  ) -> PushAttempt {
    let order = order(id, to: endpoint, number: number)
    let attempt = PushAttempt(order, of: UserID("ann"))
    desk.send(order, attempt)
    return attempt
  }

  /// Attempts wait behind other tests for a thread.
  static let patience = Duration.seconds(600)

  func hasEnds(_ count: Int) throws {
    try test.run(within: Self.patience) { self.ends.count >= count }
  }

  /// Waits for what happens on other threads.
  func wait(_ condition: @escaping () -> Bool) throws {
    try test.run(within: Self.patience, lookingEvery: .milliseconds(5), until: condition)
  }
}

/// What a desk told and logged in all.
struct DeskRecord: Sendable {
  var attempts: [PushAttempt] = []
  var results: [PushResult] = []
  var log: [String] = []
}

/// Lets the body use a desk, stops it, and runs its loop out.
///
/// On a thread of its own: while the loop is waited for, attempts need those that tests run on.
func withDesk(
  _ routes: [PushRoute], bounds: PushBounds = PushBounds(),
  _ body: @escaping @Sendable (Scene) throws -> Void
) async throws -> DeskRecord {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread {
      continuation.resume(
        with: Result {
          var record = DeskRecord()
          try TestLoop.run { test in
            let scene = try Scene(routes, bounds: bounds, on: test)
            try body(scene)
            scene.desk.stop()
            test.loop.run()
            record.attempts = scene.ends.map(\.attempt)
            record.results = scene.ends.map(\.result)
            record.log = scene.log
          }
          return record
        })
    }
    thread.start()
  }
}

/// An order to push a notification.
func order(
  _ id: String = "n-1", to endpoint: PushEndpoint, number: Int = 1,
  change: (inout RemoteNotification) -> Void = { _ in }
) -> PushOrder {
  var notification = RemoteNotification(
    id: NotificationID(id), date: Instant(microseconds: 1_000_000),
    payload: NotificationPayload(.init(body: "Film?")))
  change(&notification)
  return PushOrder(
    notification: notification, device: DeviceID("phone"), endpoint: endpoint, attempt: number)
}

/// What a browser of the tests' own registers.
func browser(at endpoint: String = "https://fcm.googleapis.com/a") -> PushEndpoint {
  let browser = LocalBrowser()
  return .webPush(endpoint: endpoint, publicKey: browser.p256dh, secret: browser.auth)
}

/// What a device of Apple's registers.
let device = PushEndpoint.apns(token: "00ff", topic: "org.example", isSandbox: false)

/// Keeps what is logged, a line each.
struct LineLog: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let more = event.metadata.map { "\($0)" } ?? ""
    lines.withLock { $0.append("\(event.level) \(event.message) \(more)") }
  }
}
