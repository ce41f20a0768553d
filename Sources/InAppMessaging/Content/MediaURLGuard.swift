import WebAddresses

/// Which videos are let through: what a player would be sent to, before it is.
///
/// The URL comes from a campaign or from somebody in the group, so it may be a mistake (a page where
/// a film should be) or worse (a machine in the person's own network).
package struct MediaURLGuard: Equatable, Sendable {
  /// Lets `http` and machines nearby through: for those who develop.
  package var allowsDevelopment = false
  /// Lets a file's path through: for people who share a disk, and for demonstrations.
  package var allowsFiles = false
  private var trustsAllHosts = false
  /// Hosts whose videos need not say by their name what they are; also the hosts below them.
  package var trustedHosts: Set<String> = []
  /// What a video's name may end in.
  package var extensions: Set<String> = [
    "mp4", "m4v", "mov", "webm", "mkv", "m3u8", "mpd", "ogv", "mp3", "m4a", "aac", "ogg", "wav",
  ]
  /// Hosts of pages about videos, which no player plays; also the hosts below them.
  package var pageHosts: Set<String> = ["youtube.com", "youtu.be", "vimeo.com"]
  /// In bytes; what browsers and servers have in common.
  package var longest = 2_048

  /// The usual guard: `https` only, elsewhere.
  package init() {}

  /// The guard of an app that lets through whatever an app can: what it stops, every guard stops.
  package static let widest: MediaURLGuard = {
    var widest = MediaURLGuard()
    widest.allowsDevelopment = true
    widest.allowsFiles = true
    widest.trustsAllHosts = true
    return widest
  }()

  /// What is wrong with a URL; `nil` if nothing is.
  package func fault(of text: String) -> MediaURLFault? {
    guard !text.isEmpty else { return .empty }
    guard text.utf8.count <= longest else { return .tooLong }
    if allowsFiles, text.hasPrefix("/") { return faultOfFile(text) }
    guard let address = WebAddress(text) else { return .malformed }
    let isWeb = address.scheme == "https" || allowsDevelopment && address.scheme == "http"
    guard isWeb else { return .scheme }
    guard !address.host.isEmpty else { return .noHost }
    guard !address.hasUserInformation else { return .userInformation }
    guard allowsDevelopment || !address.isNearby else { return .privateHost }
    // A service that has pages has files as well, on hosts below it: trusted ones go first.
    if trustsAllHosts || address.isBelow(trustedHosts) { return nil }
    guard !address.isBelow(pageHosts) else { return .page }
    return extensions.contains(address.pathExtension) ? nil : .unknownType
  }

  private func faultOfFile(_ path: String) -> MediaURLFault? {
    guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return .malformed }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return .unknownType }
    return extensions.contains(name[name.index(after: dot)...].lowercased()) ? nil : .unknownType
  }
}

/// What is wrong with a video's URL.
package enum MediaURLFault: String, Hashable, Sendable, CaseIterable {
  case empty
  case tooLong
  /// It is no URL, or one that can be read in two ways.
  case malformed
  /// It is not `https`.
  case scheme
  case noHost
  /// It has a name or a password in it.
  case userInformation
  /// It leads into the person's own network.
  case privateHost
  /// It leads to a page about a video.
  case page
  /// Its name does not say that it is a video.
  case unknownType

  /// What is wrong with it, behind the words for what it is.
  package var words: String {
    switch self {
    case .empty: "is empty"
    case .tooLong: "is longer than anybody takes"
    case .malformed: "cannot be read"
    case .scheme: "is none with https"
    case .noHost: "names no host"
    case .userInformation: "has a name or a password in it, which everyone would see"
    case .privateHost: "leads into the person's own network"
    case .page: "leads to a page about a video"
    case .unknownType: "does not say by its ending that it is a video"
    }
  }
}

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
