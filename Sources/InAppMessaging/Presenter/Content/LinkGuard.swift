import WebAddresses

/// Where a click may lead: never into code, and on the web only to the web.
enum LinkGuard {
  /// Whether a page may be opened.
  static func allows(page url: String) -> Bool {
    guard let address = WebAddress(url) else { return false }
    return ["http", "https"].contains(address.scheme) && !address.host.isEmpty
  }

  /// Whether a place in an app may be gone to: by a scheme of its own, or by a path.
  static func allows(deepLink: String) -> Bool {
    guard !deepLink.isEmpty, !deepLink.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return false
    }
    guard let colon = deepLink.firstIndex(of: ":"),
      !deepLink[..<colon].contains(where: { "/?#".contains($0) })
    else { return true }
    let scheme = deepLink[..<colon].lowercased()
    return WebAddress.isScheme(scheme) && !code.contains(scheme)
  }

  private static let code: Set = ["javascript", "data", "vbscript", "blob", "file", "about"]
}
