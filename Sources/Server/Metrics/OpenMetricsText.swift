import Vocabulary

/// Figures as OpenMetrics' text (OpenMetrics 1.0, 3.3), which Prometheus and others collect.
package struct OpenMetricsText {
  /// The media type of the text.
  static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"
  private static let prefix = "matinee_"

  private var lines: [String] = []

  /// What a figure is.
  enum Kind: String {
    case gauge, counter, histogram, info
  }

  /// A name and a value that tell figures of one family apart; values are the server's own words.
  typealias Label = (name: String, value: String)

  /// The whole text.
  var text: String { (lines + ["# EOF"]).map { $0 + "\n" }.joined() }

  /// Adds a figure that stands for itself.
  mutating func gauge(_ name: String, unit: String? = nil, _ help: String, _ value: Int) {
    begin(name, .gauge, unit, help)
    sample(name, [], "\(value)")
  }

  /// Adds a figure that only rises, and stands for itself.
  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    begin(name, .counter, nil, help)
    sample("\(name)_total", [], "\(value)")
  }

  /// Adds figures that rise and fall, or only rise, one for each value of a label.
  mutating func family(
    _ name: String, _ kind: Kind, unit: String? = nil, _ help: String, by label: String,
    _ values: [(String, Int)]
  ) {
    begin(name, kind, unit, help)
    let end = kind == .counter ? "_total" : ""
    for (value, count) in values { sample(name + end, [(label, value)], "\(count)") }
  }

  /// Adds a histogram of seconds.
  mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
    begin(name, .histogram, "seconds", help)
    var count = 0
    for (bound, inRange) in zip(histogram.bounds.map(\.seconds) + [nil], histogram.counts) {
      count += inRange
      sample("\(name)_bucket", [("le", bound.map { "\($0)" } ?? "+Inf")], "\(count)")
    }
    sample("\(name)_count", [], "\(count)")
    sample("\(name)_sum", [], "\(histogram.sum.seconds)")
  }

  /// Adds words that stay the same.
  mutating func info(_ name: String, _ help: String, _ label: Label) {
    begin(name, .info, nil, help)
    sample("\(name)_info", [label], "1")
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ unit: String?, _ help: String) {
    lines.append("# TYPE \(Self.prefix)\(name) \(kind.rawValue)")
    if let unit { lines.append("# UNIT \(Self.prefix)\(name) \(unit)") }
    lines.append("# HELP \(Self.prefix)\(name) \(help)")
  }

  private mutating func sample(_ name: String, _ labels: [Label], _ value: String) {
    let labels = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    lines.append("\(Self.prefix)\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)")
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(microseconds) / 1_000_000 }
}
