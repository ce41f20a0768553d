import Testing
import Vocabulary

@Suite struct InstantTimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5z", 500_000),
      ("2026-11-21T20:15:00Z", 1_795_292_100_000_000),
      ("2026-11-21T21:15:00.123456789+01:00", 1_795_292_100_123_456),
      ("2024-02-29T00:00:00-00:30", 1_709_166_600_000_000),
      ("1969-12-31T23:59:59t", nil), ("1969-12-31t23:59:59.9Z", -100_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ] as [(String, Int64?)])
  func `an instant is read as RFC 3339 writes it`(text: String, microseconds: Int64?) {
    #expect(Instant(timestamp: text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T20:15:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2026-11-21T24:00:00Z", "2026-11-21T20:60:00Z", "2026-11-21T20:15:00.Z",
    "2026-11-21T20:15:00Z ", "2026-11-21T20:15:00+1:00", "２026-11-21T20:15:00Z",
    "2026-00-10T00:00:00Z", "2026-11-00T00:00:00Z", "1900-02-29T00:00:00Z",
  ])
  func `anything else is none`(text: String) {
    #expect(Instant(timestamp: text) == nil)
  }

  @Test func `each day is a day after the one before`() {
    var last = Instant(timestamp: "1899-12-31T00:00:00Z")
    for year in 1900...2101 {
      for month in 1...12 {
        for day in 1...31 {
          func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
          guard let here = Instant(timestamp: "\(year)-\(two(month))-\(two(day))T00:00:00Z") else {
            continue
          }
          #expect(last.map { here - $0 } == .seconds(86_400))
          last = here
        }
      }
    }
  }
}
