import Vocabulary
import WebAddresses

/// Checks the URL of a video before a player opens it.
///
/// The URL comes from a campaign or from another member of the group, so it may be a mistake (a
/// page instead of a film) or an attack (a machine in the person's own network).
package struct MediaURLGuard: Equatable, Sendable {
  /// Allows `http` and machines in the local network, for development.
  package var allowsDevelopment = false
  /// Allows file paths, for people who share a disk and for demonstrations.
  package var allowsFiles = false
  /// Allows names of files, for apps that know this person's copies.
  package var allowsNames = false
  /// Allows every ending, and `http` from hosts in the local network: the server's own campaigns.
  private var trustsAuthors = false
  private var trustsAllHosts = false
  /// Hosts, with their subdomains, whose videos may have any extension.
  package var trustedHosts: Set<String> = []
  /// The extensions of video files.
  package var extensions: Set<String> = [
    "mp4", "m4v", "mov", "webm", "mkv", "m3u8", "mpd", "ogv", "mp3", "m4a", "aac", "ogg", "wav",
  ]
  /// Hosts, with their subdomains, that serve pages about videos, which no player plays.
  package var pageHosts: Set<String> = ["youtube.com", "youtu.be", "vimeo.com"]

  /// The default guard: `https` only, and no host in the local network.
  package init() {}

  /// The most permissive guard: what it refuses, every guard refuses.
  package static let widest: MediaURLGuard = {
    var widest = MediaURLGuard()
    widest.allowsDevelopment = true
    widest.allowsFiles = true
    widest.allowsNames = true
    widest.trustsAllHosts = true
    return widest
  }()

  /// The most permissive guard of campaigns, whose authors know the name of nobody's file.
  package static let authors: MediaURLGuard = {
    var authors = widest
    authors.allowsNames = false
    return authors
  }()

  /// The guard for videos of the server's own campaigns, whose authors are the people who run it.
  package var forCampaigns: MediaURLGuard {
    var campaigns = self
    campaigns.trustsAuthors = true
    return campaigns
  }

  /// Why a URL is refused; `nil` if it is allowed.
  package func fault(of text: String) -> MediaURLFault? {
    guard !text.isEmpty else { return .empty }
    guard text.utf8.count <= Limits.urlBytes else { return .tooLong }
    if allowsFiles && text.hasPrefix("/") || allowsNames && Self.isName(text) {
      return faultOfFile(text)
    }
    guard let address = WebAddress(text) else { return .malformed }
    let allowsNearby = allowsDevelopment || trustsAuthors
    let allowsPlain = allowsDevelopment || trustsAuthors && address.isNearby
    guard address.scheme == "https" || allowsPlain && address.scheme == "http" else {
      return .scheme
    }
    guard !address.host.isEmpty else { return .noHost }
    guard !address.hasUserInformation else { return .userInformation }
    guard allowsNearby || !address.isNearby else { return .privateHost }
    // Trusted hosts are checked first, because a service of pages may serve files from subdomains.
    if trustsAllHosts || address.isBelow(trustedHosts) { return nil }
    guard !address.isBelow(pageHosts) else { return .page }
    // An address that is made for one viewer often has no ending.
    let isKnown = address.pathExtension.isEmpty || extensions.contains(address.pathExtension)
    return trustsAuthors || isKnown ? nil : .unknownType
  }

  /// Whether it is the name of a file, neither a path nor a URL.
  private static func isName(_ text: String) -> Bool { !text.contains("/") && !text.contains(":") }

  private func faultOfFile(_ path: String) -> MediaURLFault? {
    guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return .malformed }
    let name = path.split(separator: "/").last ?? ""
    // A hidden name has no extension: a hash, or a text that says that it is hidden.
    guard let dot = name.lastIndex(of: ".") else { return Self.isName(path) ? nil : .unknownType }
    return extensions.contains(name[name.index(after: dot)...].lowercased()) ? nil : .unknownType
  }
}

/// What is wrong with a video's URL.
package enum MediaURLFault: String, Hashable, Sendable, CaseIterable {
  case empty
  case tooLong
  /// It is no URL, or an ambiguous one.
  case malformed
  /// It is not `https`.
  case scheme
  case noHost
  /// It has a name or a password in it.
  case userInformation
  /// It points into the person's own network.
  case privateHost
  /// It points to a page about a video.
  case page
  /// Its extension is not a video's.
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
    case .unknownType: "has the ending of something else than a video"
    }
  }
}

/// Which links a click may open: never code, and in a browser only web pages.
package enum LinkGuard {
  /// Whether a page may be opened.
  package static func allows(page url: String) -> Bool {
    guard let address = WebAddress(url) else { return false }
    return ["http", "https"].contains(address.scheme) && !address.host.isEmpty
  }

  /// Whether a deep link into an app may be opened: one with a scheme of its own, or a path.
  package static func allows(deepLink: String) -> Bool {
    guard !deepLink.isEmpty, !deepLink.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return false
    }
    guard let scheme = scheme(of: deepLink) else { return true }
    return WebAddress.isScheme(scheme) && !isCode(scheme)
  }

  /// The scheme of a link in lower case; `nil` for a path.
  package static func scheme(of link: String) -> String? {
    guard let colon = link.firstIndex(of: ":"),
      !link[..<colon].contains(where: { "/?#".contains($0) })
    else { return nil }
    return link[..<colon].lowercased()
  }

  /// Whether a link of that scheme runs or shows its own content, or a file of the person's disk.
  package static func isCode(_ scheme: String) -> Bool { code.contains(scheme) }

  private static let code: Set = ["javascript", "data", "vbscript", "blob", "file", "about"]
}
