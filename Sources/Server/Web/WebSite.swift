import EventLoops
import HTTP
import WebClient

/// The page and its parts, by their paths.
///
/// Every file lies at `/NAME`, about which a browser asks each time, and at `/v/VERSION/NAME`, where it
/// never changes. The page names its scripts and styles there: a hundred files are loaded at the first
/// visit, and none at the next one.
struct WebSite {
  private let parts: [String: Part]
  /// What stands before the names of this version's files.
  private let root: String

  init() {
    var parts = Dictionary(uniqueKeysWithValues: SiteFile.all.map { ($0.name, Part($0)) })
    let tags = SiteFile.all.compactMap { parts[$0.name]?.tag.opaque }
    let root = "/v/\(EntityTag(of: Array(tags.joined().utf8)).opaque)/"
    // The modules name each other by relative paths, so that they follow.
    if let page = SiteFile.all.first(where: { $0.name == SiteFile.page }) {
      parts[page.name] = Part(page.naming(SiteFile.all.filter(\.isPartOfPages), below: root))
    }
    (self.parts, self.root) = (parts, root)
  }

  /// The answer, and the content that follows it unless the browser has it; `nil` if there is nothing at
  /// the request's path.
  func answer(to request: HTTPRequest) -> (HTTPResponse, SharedBytes)? {
    let path = request.target.path
    if path.hasPrefix(root), let part = parts[String(path.dropFirst(root.count))] {
      return part.answer(to: request, .immutable)
    }
    return part(at: path)?.answer(to: request, .revalidated)
  }

  /// What lies at a path: a file, or for a group's name the page.
  private func part(at path: String) -> Part? {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    // A page of another version, before an update or of another server, gets what there is now.
    if steps.count == 4, steps[1] == "v" { return parts[String(steps[3])] }
    let name = String(path.dropFirst())
    if let part = parts[name] { return part }
    // A name with a dot is a file's that is not there.
    return name.contains("/") || name.contains(".") ? nil : parts[SiteFile.page]
  }
}

/// What a browser does with a file that it keeps (RFC 9111, 5.2.2; RFC 8246).
private enum Caching: String {
  /// It asks each time whether the file has changed.
  case revalidated = "no-cache"
  case immutable = "public, max-age=31536000, immutable"
}

/// A file, ready to be sent; it is packed once, when the server starts.
private struct Part {
  private let type: String
  private let plain: Content
  private let packed: Content?
  private let security: [(name: String, value: String)]
  /// The tag of the content that is not packed.
  var tag: EntityTag { plain.tag }

  private struct Content {
    let bytes: SharedBytes
    let tag: EntityTag

    init(_ bytes: [UInt8]) {
      self.bytes = SharedBytes(bytes)
      tag = EntityTag(of: bytes)
    }
  }

  init(_ file: SiteFile) {
    type = file.type
    plain = Content(file.bytes)
    packed = Gzip.packed(file.bytes).map(Content.init)
    security = file.isFrame ? SecurityFields.frame : SecurityFields.all
  }

  func answer(to request: HTTPRequest, _ caching: Caching) -> (HTTPResponse, SharedBytes) {
    let coding = ContentCoding(acceptedBy: request.fields["accept-encoding"])
    let packed = coding == .gzip ? packed : nil
    let content = packed ?? plain
    let fields =
      [
        ("Cache-Control", caching.rawValue), ("ETag", content.tag.text),
        ("Vary", "Accept-Encoding"),
      ] + security
    guard !content.tag.isHeld(byClientWith: request.fields["if-none-match"]) else {
      return (HTTPResponse(.notModified, fields), content.bytes)
    }
    let packing = packed != nil ? [("Content-Encoding", coding.rawValue)] : []
    return (HTTPResponse(.ok, [("Content-Type", type)] + packing + fields), content.bytes)
  }
}
