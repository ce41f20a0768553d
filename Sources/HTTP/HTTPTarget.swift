/// Where a request goes: a path and what is behind its question mark, decoded (RFC 9112, 3.2).
package struct HTTPTarget: Equatable, Sendable {
  /// The path, which begins with a slash; `*` for the server as a whole.
  ///
  /// It has no `.` or `..` among its segments, no empty ones but the last, no control characters and
  /// no backslash; so it can be compared, and cannot leave a folder.
  package let path: String
  /// What stands behind the question mark, not decoded; empty if there is none.
  package let query: String
  /// The host in a target that is a whole URL.
  let host: String?

  /// The most parameters of a query that are looked at.
  private static let parameterLimit = 32

  /// Reads a target as it stands in a request.
  init(_ text: String) throws(HTTPFault) {
    if text == "*" {
      (path, query, host) = (text, "", nil)
      return
    }
    let (host, local) = try Self.split(text)
    guard !local.contains("#") else { throw .malformed("the address has a fragment") }
    let parts = local.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.host = host
    path = try Self.path(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
  }

  /// The value of the query's first parameter of this name, as forms write it: `a=1&b=2`, with `+`
  /// for a space; `nil` if there is none, or if it is no text.
  package func parameter(_ name: String) -> String? {
    for parameter in query.split(separator: "&").prefix(Self.parameterLimit) {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard PercentCoding.text(of: parts[0], plusIsSpace: true) == name else { continue }
      return PercentCoding.text(of: parts.count > 1 ? parts[1] : "", plusIsSpace: true)
    }
    return nil
  }

  /// Takes the host off a whole URL, which proxies are sent, and servers have to understand.
  private static func split(_ text: String) throws(HTTPFault) -> (host: String?, local: Substring) {
    if text.hasPrefix("/") { return (nil, text[...]) }
    let lowercase = text.lowercased()
    for scheme in ["http://", "https://"] where lowercase.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      let host = rest.prefix { $0 != "/" && $0 != "?" }
      guard !host.isEmpty, !host.contains("@") else { break }
      let local = rest.dropFirst(host.count)
      return (String(host), local.hasPrefix("/") ? local : "/" + local)
    }
    throw .malformed("the address does not begin with a slash")
  }

  private static func path(_ text: Substring) throws(HTTPFault) -> String {
    guard let path = PercentCoding.text(of: text) else {
      throw .malformed("the path is no percent-encoded UTF-8")
    }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let written = text.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == written.count, !path.utf8.contains(UInt8(ascii: "\\")),
      !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      !segments.contains(where: { $0 == "." || $0 == ".." }),
      !segments.dropFirst().dropLast().contains(where: \.isEmpty)
    else { throw .malformed("the path is ambiguous") }
    return path
  }
}

/// Bytes that URLs write as `%` and two digits (RFC 3986, 2.1).
enum PercentCoding {
  /// The text that is meant; `nil` if a `%` stands without two digits, or the bytes are no UTF-8.
  static func text(of written: Substring, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(written.utf8.count)
    var rest = written.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
