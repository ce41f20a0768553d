import Coordination
import EventLoops
import PushTesting
import PushTransports
import Server
import Testing
import UserNotifications
import Vocabulary

@Suite(.timeLimit(.minutes(30))) struct PushDeskTests {
  /// Waits until so many attempts have begun, and ends the last.
  private static func end(
    _ count: Int, of transport: ScriptedTransport, _ outcome: PushOutcome = .delivered,
    in scene: Scene
  ) throws {
    try scene.wait { transport.began.count >= count }
    transport.end(transport.began[count - 1], outcome)
  }

  @Test(arguments: [
    (PushOutcome.delivered, PushResult.delivered),
    (.retry(after: .seconds(3), because: .timeout), .retry(after: .seconds(3))),
    (.forget(since: Instant(microseconds: 7)), .forget(since: Instant(microseconds: 7))),
    (.refused(.noTransport), .refused),
  ])
  func `what became of an attempt is told with its number`(
    outcome: PushOutcome, result: PushResult
  ) async throws {
    let transport = ScriptedTransport()
    let record = try await withDesk([transport.route]) { scene in
      scene.send(number: 4)
      try Self.end(1, of: transport, outcome, in: scene)
      try scene.hasEnds(1)
    }
    #expect(record.attempts.map(\.number) == [4] && record.results == [result])
    #expect(record.attempts.map(\.notification.text) == ["n-1"])
    #expect(transport.isStopped)
  }

  @Test func `without any way, pushes are refused`() async throws {
    let record = try await withDesk([]) { scene in
      scene.send()
      try scene.hasEnds(1)
    }
    #expect(record.results == [.refused])
  }

  @Test func `an endpoint that is none is refused at once, and is in no log`() async throws {
    let record = try await withDesk([ScriptedTransport().route]) { scene in
      scene.send(
        to: .webPush(endpoint: "https://push.example.org/secret", publicKey: "AA", secret: "AA"))
    }
    #expect(record.results == [.refused])
    #expect(record.log.count == 1 && record.log[0].contains("p256dh is no point of the curve"))
    #expect(!record.log[0].contains("push.example.org"))
  }

  @Test
  func `what is ordered again while it is under way is asked for once, and counts as the last`()
    async throws
  {
    let transport = ScriptedTransport()
    let record = try await withDesk([transport.route]) { scene in
      scene.send(number: 1)
      scene.send(number: 2)
      try Self.end(1, of: transport, in: scene)
      try scene.hasEnds(1)
      // Once it has ended, it may be ordered again.
      scene.send(number: 3)
      try Self.end(2, of: transport, in: scene)
      try scene.hasEnds(2)
    }
    #expect(record.attempts.map(\.number) == [2, 3])
    #expect(transport.began.count == 2)
  }

  @Test func `beyond what may wait, pushes are put off`() async throws {
    var bounds = PushBounds()
    bounds.underWayPerService = 1
    bounds.waiting = 1
    let transport = ScriptedTransport()
    let record = try await withDesk([transport.route], bounds: bounds) { scene in
      for number in 0..<4 { scene.send("n-\(number)") }
      for count in 1...2 { try Self.end(count, of: transport, in: scene) }
      try scene.hasEnds(4)
    }
    #expect(record.attempts.map(\.notification.text) == ["n-2", "n-3", "n-0", "n-1"])
    for result in record.results.prefix(2) {
      guard case .retry(let wait) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(wait >= .seconds(2) && wait <= .seconds(4))
    }
    #expect(record.results.suffix(2) == [.delivered, .delivered])
    // Said once.
    #expect(record.log.count == 1 && record.log[0].contains("too many pushes wait"))
  }

  @Test func `a stop is soon over, whatever is under way, and nothing is told after it`()
    async throws
  {
    let transport = ScriptedTransport()
    let record = try await withDesk([transport.route]) { scene in
      scene.send()
      try scene.wait { transport.began.count == 1 }
      scene.desk.stop()
      scene.desk.stop()
      scene.send("n-2")
    }
    #expect(record.results.isEmpty && transport.began.count == 1)
  }

  /// A way whose attempts never end.
  private final class StuckTransport: PushTransport {
    private let hasBegun: Locked<Bool>

    init(_ hasBegun: Locked<Bool>) {
      self.hasBegun = hasBegun
    }

    func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void) {
      hasBegun.withLock { $0 = true }
    }

    func stop() {}
  }

  @Test func `a way that does not stop is not waited for`() async throws {
    let hasBegun = Locked(false)
    let route = PushRoute(service: { _ in "stuck" }, open: { _ in StuckTransport(hasBegun) })
    let record = try await withDesk([route]) { scene in
      scene.send()
      try scene.wait { hasBegun.withLock { $0 } }
    }
    #expect(record.results.isEmpty)
  }
}
