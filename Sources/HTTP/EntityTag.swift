internal import Cryptography
internal import Vocabulary

/// A name for one content of a resource, byte for byte (RFC 9110, 8.8.3): a strong tag.
///
/// A compressed content is another content and has a tag of its own.
package struct EntityTag: Equatable, Sendable {
  /// The tag as fields have it, in quotes.
  package let text: String
  /// The tag without its quotes; of a content's hash, it has only letters that a path may have, too.
  package var opaque: Substring { text.dropFirst().dropLast() }

  /// Half of SHA-256, which nobody finds two contents for.
  private static let hashBytes = 16

  /// The tag of a content, which is the same in every process.
  package init(of content: [UInt8]) {
    text = "\"\(Base64URL.text(of: Digest.sha256(of: content).bytes.prefix(Self.hashBytes)))\""
  }

  /// A tag of what tells a content from others, such as a file's size and the time of its last change.
  ///
  /// - Parameter opaque: `nil` is the result unless it only has letters that a tag may have.
  package init?(opaque: String) {
    guard opaque.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) }) else { return nil }
    text = "\"\(opaque)\""
  }

  /// Whether a client has this content already (`If-None-Match`; RFC 9110, 13.1.2): the answer to
  /// GET and HEAD is then 304.
  ///
  /// - Parameter field: the field's value; `nil` if the request has none.
  package func isHeld(byClientWith field: String?) -> Bool {
    guard let field else { return false }
    // The comparison is weak: only the text counts.
    return field.trimmingSpaces == "*" || Self.tags(in: field).contains(text)
  }

  /// Whether a client has the beginning of this very content (`If-Range`; RFC 9110, 13.1.5).
  ///
  /// - Parameter field: a strong tag; a date is no proof, so it counts as another content.
  package func isContinued(byClientWith field: String) -> Bool {
    field.trimmingSpaces == text
  }

  /// The tags of a list, as far as it is one, weak ones like strong ones; a comma may stand within a
  /// tag.
  private static func tags(in field: String) -> [String] {
    var tags: [String] = []
    var rest = field[...]
    while true {
      rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
      if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return tags }
      tags.append(String(rest[...end]))
      rest = rest[end...].dropFirst()
    }
  }
}
