import Testing
import Vocabulary

@testable import Server

@Suite struct OpenMetricsTextTests {
  @Test func `figures are families, and the text has an end`() {
    var text = OpenMetricsText()
    text.gauge("backlog_bytes", unit: "bytes", "What waits.", 7)
    text.family(
      "refusals", .counter, "Refusals, by their code.", by: "code",
      [("forbidden", 2), ("notJSON", 1)])
    text.info("build", "The program.", ("version", "1.2"))
    #expect(
      text.text == """
        # TYPE matinee_backlog_bytes gauge
        # UNIT matinee_backlog_bytes bytes
        # HELP matinee_backlog_bytes What waits.
        matinee_backlog_bytes 7
        # TYPE matinee_refusals counter
        # HELP matinee_refusals Refusals, by their code.
        matinee_refusals_total{code="forbidden"} 2
        matinee_refusals_total{code="notJSON"} 1
        # TYPE matinee_build info
        # HELP matinee_build The program.
        matinee_build_info{version="1.2"} 1
        # EOF

        """)
  }

  @Test func `a histogram counts what is at most so long, and everything at last`() {
    var lengths = Histogram(bounds: [.milliseconds(1), .seconds(1)])
    for length in [Duration.zero, .milliseconds(1), .microseconds(1_001), .seconds(2)] {
      lengths.note(length)
    }
    var text = OpenMetricsText()
    text.histogram("apart_seconds", "How far.", lengths)
    let samples = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      samples == [
        #"matinee_apart_seconds_bucket{le="0.001"} 2"#,
        #"matinee_apart_seconds_bucket{le="1.0"} 3"#,
        #"matinee_apart_seconds_bucket{le="+Inf"} 4"#, "matinee_apart_seconds_count 4",
        "matinee_apart_seconds_sum 2.002001",
      ])
  }
}
