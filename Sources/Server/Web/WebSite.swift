import EventLoops
import HTTP
import WebClient

/// The page and its parts, by their paths.
struct WebSite {
  private let parts: [String: Part]
  private let page: Part

  /// A file, ready to be sent.
  struct Part {
    let type: String
    let content: SharedBytes
    let tag: EntityTag

    init(_ file: SiteFile) {
      type = file.type
      content = SharedBytes(file.bytes)
      tag = EntityTag(of: file.bytes)
    }

    /// The answer, which precedes the content unless the browser has this version.
    func response(to request: HTTPRequest) -> HTTPResponse {
      // A browser keeps it, and asks each time whether it has changed.
      let fields = [("Cache-Control", "no-cache"), ("ETag", tag.text)] + SecurityFields.all
      return tag.isHeld(byClientWith: request.fields["if-none-match"])
        ? HTTPResponse(.notModified, fields)
        : HTTPResponse(.ok, [("Content-Type", type)] + fields)
    }
  }

  init() {
    page = Part(SiteFile.page)
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
