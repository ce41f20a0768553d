import WebAddresses

/// Where a click may lead: never into code, and on the web only to the web.
package enum LinkGuard {
  /// Whether a page may be opened.
  package static func allows(page url: String) -> Bool {
    guard let address = WebAddress(url) else { return false }
    return ["http", "https"].contains(address.scheme) && !address.host.isEmpty
  }

  /// Whether a place in an app may be gone to: by a scheme of its own, or by a path.
  package static func allows(deepLink: String) -> Bool {
    guard !deepLink.isEmpty, !deepLink.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return false
    }
    guard let scheme = scheme(of: deepLink) else { return true }
    return WebAddress.isScheme(scheme) && !isCode(scheme)
  }

  /// What stands before the colon of a link, in lower case; `nil` of a path, which has none.
  package static func scheme(of link: String) -> String? {
    guard let colon = link.firstIndex(of: ":"),
      !link[..<colon].contains(where: { "/?#".contains($0) })
    else { return nil }
    return link[..<colon].lowercased()
  }

  /// Whether whoever follows a link of that scheme runs or shows what stands in it, or what lies on
  /// the person's own disk.
  package static func isCode(_ scheme: String) -> Bool { code.contains(scheme) }

  private static let code: Set = ["javascript", "data", "vbscript", "blob", "file", "about"]
}
