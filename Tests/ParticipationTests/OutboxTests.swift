import InAppMessaging
import Testing
import Vocabulary

@testable import Participation

/// What waits for a server: in order, bounded, and not for ever.
@Suite struct OutboxTests {
  private let start = HostTime(microseconds: 0)

  private func event(_ number: Int) -> MessagingNotice {
    .event(.event(name: "e\(number)", properties: [:]))
  }

  private func outbox(_ numbers: Range<Int>) -> Outbox<MessagingNotice> {
    var outbox = Outbox<MessagingNotice>()
    for number in numbers { _ = outbox.add(event(number), at: start + .seconds(number)) }
    return outbox
  }

  /// Sends and settles all that waits.
  private func drain(_ outbox: inout Outbox<MessagingNotice>) -> [MessagingNotice] {
    var notices: [MessagingNotice] = []
    while let next = outbox.next {
      notices.append(next.notice)
      outbox.markSent(next.sequence)
      _ = outbox.settle(next.sequence)
    }
    return notices
  }

  // Proves: R-3
  @Test func `what waits goes out in the order it came, one at a time`() {
    var outbox = outbox(0..<3)
    outbox.markSent(outbox.next?.sequence ?? 0)
    #expect(outbox.next == nil)
    // No answer came: it goes again, before the others.
    outbox.release(outbox.sent ?? 0)
    #expect(drain(&outbox) == (0..<3).map(event))
    #expect(outbox.entries.isEmpty)
  }

  // Proves: R-3
  @Test func `as many wait as may, and the oldest goes, but not what is on its way`() {
    var outbox = outbox(0..<MessagingNotice.limit)
    #expect(outbox.add(event(-1), at: start) == event(0))
    outbox.markSent(outbox.next?.sequence ?? 0)
    #expect(outbox.add(event(-2), at: start) == event(2))
    #expect(outbox.entries.count == MessagingNotice.limit)
    outbox.release(outbox.sent ?? 0)
    #expect(
      drain(&outbox) == [event(1)] + (3..<MessagingNotice.limit).map(event) + [
        event(-1), event(-2),
      ]
    )
  }

  // Proves: R-3
  @Test func `after two weeks it is of no use, but for what is on its way`() {
    var outbox = outbox(0..<4)
    outbox.markSent(outbox.next?.sequence ?? 0)
    let end = start + MessagingNotice.longestWait
    #expect(outbox.expire(at: end + .seconds(2) - .microseconds(1)) == [event(1)])
    #expect(outbox.expire(at: end + .seconds(2)) == [event(2)])
    #expect(outbox.entries.map(\.notice) == [event(0), event(3)])
  }

  @Test func `that somebody is to be forgotten outlasts all of it`() {
    var outbox = Outbox<MessagingNotice>()
    _ = outbox.add(.wipe, at: start)
    for number in 0..<MessagingNotice.limit { _ = outbox.add(event(number), at: start) }
    #expect(outbox.entries.count == MessagingNotice.limit && outbox.next?.notice == .wipe)
    #expect(
      outbox.expire(at: start + MessagingNotice.longestWait).count == MessagingNotice.limit - 1)
    #expect(drain(&outbox) == [.wipe])
  }
}
