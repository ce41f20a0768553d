extension Unicode.Scalar {
  /// Whether it is a control character, of Unicode's category Cc: C0, delete and C1.
  package var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}

extension StringProtocol {
  /// Whether it holds control characters: what a terminal obeys, and what ends a text in C.
  package var hasControls: Bool { unicodeScalars.contains(where: \.isControl) }
}
