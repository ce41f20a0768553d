import JSON
import Vocabulary

/// The parser and the writer of all protocols.
final class JSONTexts: FuzzTarget {
  static let name = "json"
  static let claim = "an object that is read and written is read and written alike again"

  private var parser = JSONParser(maximumBytes: maximumBytes)
  /// A number of a few digits may become one of 300: `1e300`.
  private static let maximumBytes = 1024 * 1024

  static func seeds() throws -> [[UInt8]] {
    try Seeds.clientLines()
      + Seeds.journalRecords().map { Array($0.drop { $0 != 0x20 }.dropFirst()) }
      + [#"{"a":[1e300,-0.0,0.1,18446744073709551615,-9223372036854775808,"\u0000\ud83d\ude00"]}"#]
      .map { Array($0.utf8) }
  }

  func check(_ input: [UInt8]) throws {
    guard let first = try written(input) else { return }
    let second = try written(Array(first.text.utf8))
    try require(second == first, else: "\(first) is written as \(second, default: "nothing")")
  }

  /// What was read of a text.
  private struct Reading: Equatable {
    let text: String
    /// Each leaf in order, as its type and its value, read by the functions for its type.
    let leaves: [String]
  }

  /// Reads an object and writes it; `nil` if the text is none, which is told in a sentence.
  private func written(_ text: [UInt8]) throws(BrokenClaim) -> Reading? {
    do throws(DecodingFlaw) {
      return try parser.parse(text.span) { (object) throws(DecodingFlaw) in
        var leaves: [String] = []
        try Self.collect(object, into: &leaves)
        return Reading(
          text: try object.rawJSON(maximum: Self.maximumBytes).text, leaves: leaves)
      }
    } catch {
      try require(!error.description.isEmpty, else: "a flaw has no sentence")
      return nil
    }
  }

  private static func collect(
    _ object: JSONObject, into leaves: inout [String]
  ) throws(DecodingFlaw) {
    try object.forEachField(nameMaximum: .max) { (name, value) throws(DecodingFlaw) in
      leaves.append("field \(name)")
      try collect(value, into: &leaves)
    }
    leaves.append("end of \(object.count)")
  }

  private static func collect(
    _ value: JSONValue, into leaves: inout [String]
  ) throws(DecodingFlaw) {
    switch value.type {
    case .object: try collect(value.object(), into: &leaves)
    case .array:
      let array = try value.array(maximum: .max)
      try array.forEach { (element) throws(DecodingFlaw) in try collect(element, into: &leaves) }
      leaves.append("end of \(array.count)")
    case .string: leaves.append("string \(try value.string(maximum: .max))")
    case .integer, .number: leaves.append("number \(try value.double().bitPattern)")
    case .boolean: leaves.append("\(try value.bool())")
    case .null: leaves.append("null")
    }
  }
}
