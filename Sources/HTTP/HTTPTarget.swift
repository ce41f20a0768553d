internal import WebAddresses

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
    let written = text.split(separator: "/", omittingEmptySubsequences: false)
    let segments = written.compactMap { PercentEncoding.text(of: $0.utf8) }
    guard segments.count == written.count else {
      throw .malformed("the path is no percent-encoded UTF-8")
    }
    let path = segments.joined(separator: "/")
    guard !segments.contains(where: { $0.contains("/") || $0.contains("\\") }),
      !path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      !segments.contains(where: { $0 == "." || $0 == ".." }),
      !segments.dropFirst().dropLast().contains(where: \.isEmpty)
    else { throw .malformed("the path is ambiguous") }
    return path
  }
}
