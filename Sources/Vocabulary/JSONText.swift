/// One JSON value as text, passed on without parsing: a payload of an application.
///
/// The text is valid, minified and in UTF-8, with escapes only where JSON demands them. Only the
/// room `JSON` makes one, and it guarantees this, so the text is written into messages as it is.
public struct JSONText: Hashable, Sendable, CustomStringConvertible {
  /// The text, such as `{"score":[3,1]}`.
  public let text: String

  /// Takes a text that a JSON reader has just validated and minified.
  package init(validated text: String) {
    self.text = text
  }

  /// The text.
  public var description: String { text }
}

extension Unicode.Scalar {
  /// Whether it is a control character, of Unicode's category Cc: C0, delete and C1.
  package var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}

extension StringProtocol {
  /// Whether it has control characters, which a terminal would obey or which end a text in C.
  package var hasControls: Bool { unicodeScalars.contains(where: \.isControl) }
}
