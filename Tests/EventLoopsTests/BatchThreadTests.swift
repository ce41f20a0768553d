import EventLoops
import Testing

@Suite struct BatchThreadTests {
  /// The thread's actions, reported as they happen.
  private enum Report: Equatable, Sendable {
    case batch([Int])
    case end
  }

  private final class Teller: BatchConsumer {
    private let reports: AsyncStream<Report>.Continuation

    init(_ reports: AsyncStream<Report>.Continuation) {
      self.reports = reports
    }

    func consume(_ batch: [Int]) { reports.yield(.batch(batch)) }

    func finish() {
      reports.yield(.end)
      reports.finish()
    }
  }

  private func start(
    every interval: Duration
  ) throws -> (thread: BatchThread<Int>, reports: AsyncStream<Report>) {
    let (reports, continuation) = AsyncStream.makeStream(of: Report.self)
    return (try BatchThread(every: interval) { Teller(continuation) }, reports)
  }

  @Test func `everything arrives once, in its order, and then the end`() async throws {
    let (thread, reports) = try start(every: .zero)
    for number in 0..<10_000 { thread.post(number) }
    thread.stop()
    var numbers: [Int] = []
    var wasEnded = false
    for await report in reports {
      switch report {
      case .batch(let batch):
        #expect(!batch.isEmpty)
        numbers += batch
      case .end: wasEnded = true
      }
    }
    #expect(numbers == Array(0..<10_000))
    #expect(wasEnded)
    thread.join()
    thread.join()
  }

  @Test func `after a rest one is a batch, what comes in the interval another`() async throws {
    let (thread, reports) = try start(every: .seconds(3600))
    var report = reports.makeAsyncIterator()
    thread.post(1)
    #expect(await report.next() == .batch([1]))
    for number in 2...100 { thread.post(number) }
    // Stopping does not wait for the interval of an hour.
    thread.stop()
    #expect(await report.next() == .batch(Array(2...100)))
    #expect(await report.next() == .end)
    thread.join()
  }

  @Test func `one batch follows another no sooner than the interval`() async throws {
    let interval = Duration.milliseconds(20)
    let (thread, reports) = try start(every: interval)
    var report = reports.makeAsyncIterator()
    let start = ContinuousClock.now
    for number in 0..<4 {
      thread.post(number)
      #expect(await report.next() == .batch([number]))
    }
    // A thread may be late, but never early.
    #expect(ContinuousClock.now - start >= interval * 3)
    thread.stop()
    thread.join()
  }

  @Test func `who does not wait for the thread is told of its end`() async throws {
    let (reports, continuation) = AsyncStream.makeStream(of: Report.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let thread = try BatchThread(every: .zero) {
      Teller(continuation)
    } atEnd: {
      end.finish()
    }
    thread.post(1)
    thread.stop()
    for await _ in ends {}
    var all: [Report] = []
    for await report in reports { all.append(report) }
    #expect(all == [.batch([1]), .end])
  }

  @Test func `what comes after the end is let go of`() async throws {
    let (thread, reports) = try start(every: .zero)
    thread.stop()
    thread.join()
    thread.post(1)
    var all: [Report] = []
    for await report in reports { all.append(report) }
    #expect(all == [.end])
  }
}
