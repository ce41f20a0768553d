import JSON

/// Figures that were measured together.
struct Section {
  var title: String
  /// How they were measured, in a sentence or two.
  var method: String
  var figures: [Figure] = []
  /// Why some or all of it could not be measured.
  var failure: String?
}

extension Section: JSONWritable {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("title", title)
      writer.field("method", method)
      writer.field("figures", figures)
      writer.field("failure", failure)
    }
  }
}

extension Section {
  /// The section as lines of a table.
  var text: String {
    var lines = [title, "  " + method]
    let nameWidth = figures.map(\.name.count).max() ?? 0
    let valueWidth = figures.map { Self.value($0).count }.max() ?? 0
    for figure in figures {
      let verdict = figure.isMet.map { $0 ? "met" : "MISSED" } ?? ""
      let target = figure.target.map { "≤ \(rounded($0))" } ?? ""
      let line = [
        "  " + figure.name.padded(to: nameWidth), Self.value(figure).padded(to: valueWidth),
        target.padded(to: 7), verdict.padded(to: 6), figure.detail,
      ].joined(separator: "  ")
      lines.append(line.withoutTrailingSpaces)
    }
    if let failure { lines.append("  not measured: " + failure) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func value(_ figure: Figure) -> String {
    "\(rounded(figure.value)) \(figure.unit)".withoutTrailingSpaces
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate var withoutTrailingSpaces: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}

/// One thing that was measured.
struct Figure {
  var name: String
  var value: Double
  var unit: String
  /// The most it may be; `nil` where it only informs.
  var target: Double?
  /// What it was made of, in a few words.
  var detail = ""

  /// Whether the target is met; `nil` without one.
  var isMet: Bool? { target.map { value <= $0 } }
}

extension Figure: JSONWritable {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("value", value)
      writer.field("unit", unit)
      writer.field("target", target)
      writer.field("met", isMet)
      if !detail.isEmpty { writer.field("detail", detail) }
    }
  }
}

/// A number with three digits that count.
func rounded(_ value: Double) -> String {
  let digits = value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : 2
  let scale = [1.0, 10, 100][digits]
  let text = "\((value * scale).rounded() / scale)"
  return digits == 0 ? String(text.prefix { $0 != "." }) : text
}

extension Collection<Double> {
  /// The value in the middle; zero of none.
  var median: Double { percentile(50) }

  /// The smallest value that so many hundredths of all do not exceed; zero of none.
  func percentile(_ hundredths: Int) -> Double {
    guard !isEmpty else { return 0 }
    let rank = (count * hundredths + 99) / 100
    return sorted()[Swift.max(rank, 1) - 1]
  }
}
