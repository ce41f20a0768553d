import GroupSessions
import Naming
import Participation
import Testing
import Vocabulary

@testable import MatineeClient
@testable import matinee

/// Times, sizes and reasons for people.
@Suite struct TimeTextTests {
  @Test(arguments: [
    (0, "1970-01-01 00:00:00 UTC"), (-1, "1969-12-31 23:59:59 UTC"),
    (951_782_400, "2000-02-29 00:00:00 UTC"), (951_868_800, "2000-03-01 00:00:00 UTC"),
    (4_107_542_399, "2100-02-28 23:59:59 UTC"), (4_107_542_400, "2100-03-01 00:00:00 UTC"),
    (1_795_273_445, "2026-11-21 15:04:05 UTC"), (1_798_761_599, "2026-12-31 23:59:59 UTC"),
    (1_798_761_600, "2027-01-01 00:00:00 UTC"),
  ])
  func `an instant is a day and a second`(seconds: Int64, text: String) {
    #expect(Instant(microseconds: seconds * 1_000_000).calendarText == text)
  }

  @Test func `every instant has a text`() {
    #expect(Instant(microseconds: .max).calendarText.hasSuffix(" UTC"))
    #expect(Instant(microseconds: .min).calendarText.hasSuffix(" UTC"))
    #expect(Instant(microseconds: -1).calendarText == "1969-12-31 23:59:59 UTC")
  }

  @Test func `a duration is shown as on a clock`() {
    #expect(Duration.seconds(3723.45).clockText == "1:02:03.4")
    #expect(Duration.zero.clockText == "0:00.0")
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1_250_000, "1.3 MB"),
    (999_960, "1.0 MB"), (3_000_000_000, "3.0 GB"), (.max, "9223372.0 TB"),
  ])
  func `a size has the unit that suits it`(bytes: Int64, text: String) {
    #expect(bytes.sizeText == text)
  }

  @Test(arguments: [
    EndReason.endedBy("p-1"), .dismissedBy("p-1"), .initiatorLeft, .replaced(by: "s-2"),
    .withdrawn, .neverJoined, .empty, .groupClosed, .serverShutdown,
  ])
  func `why a session ended reads the same to a participant and in its history`(
    reason: EndReason
  ) {
    let text = InvalidationReason(.ended(reason)).text { "the one called \($0)" }
    #expect(text == reason.text { "the one called \($0)" })
  }
}
