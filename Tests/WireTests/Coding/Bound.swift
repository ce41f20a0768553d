/// The fields of a line in which `%` stands for a text of so many bytes, `#` for so many elements.
struct Bound: Sendable {
  let line: String
  let field: String
  let limit: Int
  var element = ""

  /// The fields with that many.
  func fields(_ size: Int) -> String {
    let text = String(repeating: "x", count: size)
    let elements = Array(repeating: element, count: size).joined(separator: ",")
    return line.map { character in
      switch character {
      case "%": text
      case "#": elements
      default: String(character)
      }
    }.joined()
  }
}
