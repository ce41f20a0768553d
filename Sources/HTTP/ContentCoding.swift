/// How a content is packed for the way (RFC 9110, 8.4.1).
package enum ContentCoding: String, Equatable, Sendable {
  case identity
  case gzip

  /// What to send to a client, if there is the content in both (`Accept-Encoding`; RFC 9110, 12.5.3).
  ///
  /// The answer has to say `Vary: Accept-Encoding`.
  ///
  /// - Parameter field: the field's value; `nil` if the request has none.
  package init(acceptedBy field: String?) {
    let quality = Self.qualities(in: field ?? "")
    let gzip = quality["gzip"] ?? quality["x-gzip"] ?? quality["*"] ?? 0
    // Where nothing is said about it, it is acceptable, and the last choice.
    let identity = quality["identity"] ?? 0
    self = gzip > 0 && gzip >= identity ? .gzip : .identity
  }

  /// The weights of a list, in thousandths (RFC 9110, 12.4.2); what is malformed counts as refused.
  private static func qualities(in field: String) -> [String: Int] {
    var qualities: [String: Int] = [:]
    for element in field.split(separator: ",") {
      let parts = element.split(separator: ";").map { $0.trimmingSpaces.lowercased() }
      guard let name = parts.first, !name.isEmpty else { continue }
      qualities[name] = parts.count == 1 ? 1000 : quality(parts[1])
    }
    return qualities
  }

  /// The weight of `q=0.5`: 0 or 1 with at most three decimals.
  private static func quality(_ text: String) -> Int {
    guard text.hasPrefix("q=") else { return 0 }
    let parts = text.dropFirst(2).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count > 1 ? parts[1] : ""
    guard parts[0] == "0" || parts[0] == "1", decimals.utf8.count <= 3,
      decimals.utf8.allSatisfy(\.isDigit),
      let thousandths = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
    else { return 0 }
    return min(1000, parts[0] == "1" ? 1000 : thousandths)
  }
}
