import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// What peers that resume are told of: events from before a crash and after it are one row.
@Suite struct EventTailTests {
  private func event(_ number: Int) -> SessionEvent {
    .resumed(ParticipantID("p-\(number)"))
  }

  private func records(_ numbers: ClosedRange<Int>) -> [RecordedEvent] {
    numbers.map {
      RecordedEvent(at: Instant(microseconds: Int64($0)), event: .session(event($0)))
    }
  }

  /// What the tail tells behind each number, or that it cannot.
  private func check(
    _ tail: EventTail, keeps kept: ClosedRange<Int>, _ comment: String
  ) {
    for seq in 0...kept.upperBound {
      let told = tail.events(after: seq, upTo: kept.upperBound)
      guard seq >= kept.lowerBound - 1 else {
        #expect(told == nil, "\(comment), behind \(seq)")
        continue
      }
      let expected = (seq + 1..<kept.upperBound + 1).map { $0 }
      #expect(told?.map(\.seq) == expected, "\(comment), behind \(seq)")
      #expect(told?.map(\.entry.event) == expected.map(event), "\(comment), behind \(seq)")
      #expect(
        told?.map(\.entry.at.microseconds) == expected.map { Int64($0) },
        "\(comment), behind \(seq)")
    }
  }

  @Test func `whatever was kept and whatever comes, the last ones are there`() {
    for limit in 1...6 {
      var limits = Limits()
      limits.retainedEvents = limit
      for first in 1...3 {
        for last in first...first + 7 {
          var tail = EventTail(records(first...last), upTo: last, limits: limits)
          for next in last...last + 8 {
            if next > last {
              tail.append(
                event(next), seq: next, at: Instant(microseconds: Int64(next)), limits: limits)
            }
            let kept = max(first, next - limit + 1)...next
            check(tail, keeps: kept, "\(limit) of \(first)...\(last), then up to \(next)")
          }
        }
      }
    }
  }

  @Test func `what was kept counts by its bytes, too`() {
    var limits = Limits()
    limits.retainedBytes = 3 * 256
    var tail = EventTail(records(1...5), upTo: 5, limits: limits)
    check(tail, keeps: 3...5, "recovered")
    tail.append(event(6), seq: 6, at: Instant(microseconds: 6), limits: limits)
    check(tail, keeps: 4...6, "and one more")
  }

  /// An insertion of ten entries of 2 KiB.
  private func insertion(_ number: Int) -> SessionEvent {
    let entries = (0..<10).map { place in
      let url = String(repeating: "u", count: 2_000)
      return QueueEntry(
        id: EntryID("e\(number * 10 + place)"),
        media: MediaItem(item: ItemID("\(place)"), url: url),
        addedBy: nil)
    }
    return .queue(.inserted(entries, after: nil), by: "ann")
  }

  @Test func `entries of a queue count as what they are`() throws {
    let limits = Limits()
    var tail = EventTail()
    for seq in 1...120 {
      tail.append(
        insertion(seq), seq: seq, at: Instant(microseconds: Int64(seq)), limits: limits)
    }
    let first = try #require((0..<120).first { tail.events(after: $0, upTo: 120) != nil })
    let kept = try #require(tail.events(after: first, upTo: 120))
    let bytes = kept.reduce(0) { bytes, event in
      bytes + encode(.event("s", seq: event.seq, at: event.entry.at, event.entry.event)).count
    }
    #expect(bytes <= limits.retainedBytes)
    #expect(bytes > limits.retainedBytes * 9 / 10)
  }

  @Test func `a peer resumes with what is kept, and past it gets the session anew`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    let seq = try #require(stage.session(id)?.seq)
    for _ in 0..<40 {
      let media = (0..<10).map {
        MediaItem(item: ItemID("\($0)"), url: String(repeating: "u", count: 2_000))
      }
      try stage.ask("ann", .queue(nil, .insert(media, at: .end)))
      try stage.ask("ann", .queue(nil, .clear))
    }
    let last = try #require(stage.session(id)?.seq)
    for (seen, isTold) in [(last - 20, true), (seq, false)] {
      stage.forget()
      stage.resume("bob", seq: seen)
      let snapshots = stage.inbox("bob").count { if case .snapshot = $0 { true } else { false } }
      #expect((snapshots == 0) == isTold)
      stage.disconnect("bob")
    }
  }

  @Test func `a tail of nothing begins with what comes`() {
    var tail = EventTail([], upTo: 9, limits: Limits())
    #expect(tail.events(after: 8, upTo: 9) == nil)
    tail.append(event(10), seq: 10, at: Instant(microseconds: 10), limits: Limits())
    check(tail, keeps: 10...10, "one")
  }
}
