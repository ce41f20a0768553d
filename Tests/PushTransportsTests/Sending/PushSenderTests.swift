import EventLoops
import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite(.timeLimit(.minutes(30))) struct PushSenderTests {
  private func message(_ name: String, topic: String = "a") throws -> PushMessage {
    push(to: .apns(try APNsDevice(token: "00", topic: topic))) { $0.id = PushID(name) }
  }

  /// A sender with a scripted transport, and the stream of its reports.
  private func sender(
    _ change: (inout PushBounds) -> Void = { _ in }
  ) throws -> (PushSender, ScriptedTransport, AsyncStream<PushReport>) {
    var bounds = PushBounds()
    change(&bounds)
    let transport = ScriptedTransport()
    let (reports, continuation) = AsyncStream<PushReport>.makeStream()
    let sender = try PushSender([transport.route], bounds: bounds) { continuation.yield($0) }
    return (sender, transport, reports)
  }

  @Test func `how a push ended is reported once`() async throws {
    let (sender, transport, stream) = try sender()
    var reports = stream.makeAsyncIterator()
    let outcomes: [(String, PushOutcome)] = [
      ("a", .delivered), ("b", .forget(since: StandingClock.start)), ("c", .refused(.expired)),
      ("d", .retry(after: .seconds(4), because: .timeout)),
    ]
    for (index, (name, outcome)) in outcomes.enumerated() {
      let isTaken = sender.submit(try message(name))
      #expect(isTaken)
      await transport.hasBegun(index + 1)
      transport.end(PushID(name), outcome)
      let report = await reports.next()
      #expect(report == PushReport(id: PushID(name), outcome: outcome))
    }
    await sender.stop()
    #expect(transport.began.count == 4)
  }

  @Test func `no more are under way than may be, and the next begins when one ends`() async throws {
    let (sender, transport, stream) = try sender { $0.underWay = 2 }
    var reports = stream.makeAsyncIterator()
    for name in ["a", "b", "c", "d"] {
      let isTaken = sender.submit(try message(name, topic: name))
      #expect(isTaken)
    }
    await transport.hasBegun(2)
    #expect(Set(transport.began) == [PushID("a"), PushID("b")])
    transport.end(PushID("b"), .delivered)
    #expect(await reports.next()?.id == PushID("b"))
    await transport.hasBegun(3)
    #expect(transport.began.last == PushID("c"))
    transport.end(PushID("a"), .delivered)
    transport.end(PushID("c"), .delivered)
    #expect(await Set([reports.next()?.id, reports.next()?.id]) == [PushID("a"), PushID("c")])
    await transport.hasBegun(4)
    transport.end(PushID("d"), .delivered)
    #expect(await reports.next()?.id == PushID("d"))
    await sender.stop()
  }

  @Test func `who sends too much is told so at once`() async throws {
    let (sender, transport, _) = try sender {
      $0.underWay = 1
      $0.waiting = 2
    }
    let taken = try ["a", "b", "c", "d"].map { sender.submit(try message($0)) }
    #expect(taken == [true, true, true, false])
    await sender.stop()
    #expect(transport.began.count <= 1)
  }

  @Test func `a place that nobody goes to is refused, as there is no key for it`() async throws {
    let (sender, transport, stream) = try sender()
    var reports = stream.makeAsyncIterator()
    let subscription = try LocalBrowser().subscription(at: "https://push.example.net/1")
    #expect(sender.submit(push(to: .webPush(subscription))))
    #expect(
      await reports.next() == PushReport(id: PushID("n-1"), outcome: .refused(.noTransport)))
    await sender.stop()
    #expect(transport.began.isEmpty)
  }

  @Test func `a stop ends what is under way, forgets what waits, and is silent`() async throws {
    let reports = Locked<[PushReport]>([])
    var bounds = PushBounds()
    bounds.underWay = 2
    let transport = ScriptedTransport()
    let sender = try PushSender([transport.route], bounds: bounds) { report in
      reports.withLock { $0.append(report) }
    }
    for name in ["a", "b", "c", "d"] {
      let isTaken = sender.submit(try message(name))
      #expect(isTaken)
    }
    await transport.hasBegun(2)
    async let other: Void = sender.stop()
    await sender.stop()
    await other
    #expect(transport.isStopped)
    #expect(transport.began.count == 2)
    #expect(reports.withLock { $0 }.isEmpty)
    #expect(!sender.submit(try message("e")))
  }

  @Test func `what was delivered while it stopped is still reported`() async throws {
    let reports = Locked<[PushReport]>([])
    let route = PushRoute(service: { _ in "a" }, open: { _ in StubbornTransport() })
    let sender = try PushSender([route]) { report in reports.withLock { $0.append(report) } }
    let isTaken = sender.submit(try message("a"))
    #expect(isTaken)
    await sender.stop()
    #expect(reports.withLock { $0 } == [PushReport(id: PushID("a"), outcome: .delivered)])
  }

  /// Ends each attempt successfully, but only once it is stopped.
  private final class StubbornTransport: PushTransport {
    private var completions: [(PushOutcome) -> Void] = []

    func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void) {
      completions.append(completion)
    }

    func stop() {
      for completion in completions { completion(.delivered) }
      completions = []
    }
  }

  @Test func `thousands that end while they are begun all end`() async throws {
    let (reports, continuation) = AsyncStream<PushReport>.makeStream()
    let route = PushRoute(service: { _ in "a" }, open: { _ in HastyTransport() })
    var bounds = PushBounds()
    bounds.waiting = 10_000
    bounds.waitingPerService = 10_000
    bounds.underWay = 1
    let sender = try PushSender([route], bounds: bounds) { continuation.yield($0) }
    for number in 0..<10_000 {
      let isTaken = sender.submit(try message("\(number)"))
      #expect(isTaken)
    }
    var count = 0
    for await _ in reports {
      count += 1
      if count == 10_000 { break }
    }
    await sender.stop()
    #expect(count == 10_000)
  }

  /// Ends each attempt before it returns.
  private final class HastyTransport: PushTransport {
    func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void) {
      completion(.delivered)
    }

    func stop() {}
  }

  @Test func `thousands from many threads all end`() async throws {
    let (sender, transport, stream) = try sender {
      $0.waiting = 10_000; $0.waitingPerService = 10_000
    }
    var reports = stream.makeAsyncIterator()
    let answering = Task {
      for count in 1...2_000 {
        await transport.hasBegun(count)
        transport.end(transport.began[count - 1], .delivered)
      }
    }
    let message = try message("x")
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            var own = message
            own.id = PushID("\(thread)-\(number)")
            let isTaken = sender.submit(own)
            #expect(isTaken)
          }
        }
      }
    }
    var ids: Set<PushID> = []
    for _ in 0..<2_000 { if let report = await reports.next() { ids.insert(report.id) } }
    #expect(ids.count == 2_000)
    await answering.value
    await sender.stop()
  }
}
