import Testing
import Vocabulary

@testable import PushTransports

@Suite struct RetryAfterTests {
  @Test(
    arguments: [
      ("0", .zero), ("120", .seconds(120)), ("99999999999999999999", .seconds(Int32.max)),
      // The current time is 20:15:00.
      ("Sat, 21 Nov 2026 20:15:30 GMT", .seconds(30)), ("Sat, 21 Nov 2026 20:14:30 GMT", .zero),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
    ] as [(String, Duration)])
  func `a number of seconds or a date says how long`(field: String, duration: Duration) {
    #expect(RetryAfter.duration(of: field, at: StandingClock.start) == duration)
  }

  @Test(arguments: [
    nil, "", "-1", "+1", "1.5", "soon", "２", "Sat, 21 Nov 2026 20:15:30",
    "21 Nov 2026 20:15:30 GMT",
    "Sat, 21 Foo 2026 20:15:30 GMT", "Sat, 31 Feb 2026 20:15:30 GMT", "Sat, 21 Nov 2026 20:15 GMT",
    "Saturday, 21-Nov-26 20:15:30 GMT",
  ])
  func `anything else says nothing`(field: String?) {
    #expect(RetryAfter.duration(of: field, at: StandingClock.start) == nil)
  }
}
