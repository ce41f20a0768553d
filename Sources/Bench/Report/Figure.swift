import JSON

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
