internal import CWebClient

/// A file of the page, as browsers get it; the bytes are part of the program.
package struct SiteFile: Sendable {
  /// The name, which is its path behind the slash.
  package let name: String
  package let bytes: [UInt8]

  /// The media type (RFC 9110, 8.3).
  package var type: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }

  /// Whether it is a script or a style, which pages name.
  package var isPartOfPages: Bool { name.hasSuffix(".js") || name.hasSuffix(".css") }

  /// Whether it is the frame of messages that are pages of HTML.
  package var isFrame: Bool { name == "message-frame.html" }

  /// This page, with the paths of its parts below another folder than `/`.
  package func naming(_ parts: [SiteFile], below root: String) -> SiteFile {
    var text = String(decoding: bytes, as: UTF8.self)
    for part in parts { text.replace("\"/\(part.name)\"", with: "\"\(root)\(part.name)\"") }
    return SiteFile(name: name, bytes: Array(text.utf8))
  }

  /// The name of the page itself.
  package static let page = "index.html"

  /// All files, the page among them.
  package static let all: [SiteFile] = {
    var files: [SiteFile] = []
    while let file = unsafe site_file(files.count) {
      let bytes = unsafe UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)
      unsafe files.append(
        SiteFile(name: String(cString: file.pointee.name), bytes: Array(bytes)))
    }
    return files
  }()
}
