import EventLoops
import HTTP
import WebClient

/// The page and its parts, by their paths.
struct WebSite {
  private let parts: [String: Part]
  private var page: Part? { parts["/" + SiteFile.page] }

  /// A file, ready to be sent; it is packed once, when the server starts.
  struct Part {
    private let type: String
    private let plain: Content
    private let packed: Content?
    private let security: [(name: String, value: String)]

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

    /// The answer, and the content that follows it unless the browser has this version.
    func answer(to request: HTTPRequest) -> (HTTPResponse, SharedBytes) {
      let coding = ContentCoding(acceptedBy: request.fields["accept-encoding"])
      let packed = coding == .gzip ? packed : nil
      let content = packed ?? plain
      // A browser keeps it, and asks each time whether it has changed.
      let fields =
        [("Cache-Control", "no-cache"), ("ETag", content.tag.text), ("Vary", "Accept-Encoding")]
        + security
      guard !content.tag.isHeld(byClientWith: request.fields["if-none-match"]) else {
        return (HTTPResponse(.notModified, fields), content.bytes)
      }
      let packing = packed != nil ? [("Content-Encoding", coding.rawValue)] : []
      return (HTTPResponse(.ok, [("Content-Type", type)] + packing + fields), content.bytes)
    }
  }

  init() {
    parts = Dictionary(uniqueKeysWithValues: SiteFile.all.map { ("/" + $0.name, Part($0)) })
  }

  /// What lies at a path: a file, or for a group's name the page; `nil` for nothing.
  func part(at path: String) -> Part? {
    if let part = parts[path] { return part }
    let name = path.dropFirst()
    // A name with a dot is a file's that is not there.
    return name.contains("/") || name.contains(".") ? nil : page
  }
}
