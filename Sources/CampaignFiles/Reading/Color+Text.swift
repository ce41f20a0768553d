import InAppMessaging

extension Color {
  /// The colour that is written `#RRGGBB`, which is opaque, or `#AARRGGBB`.
  init?(text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.count == 6 || digits.count == 8,
      digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), let number = UInt32(digits, radix: 16)
    else { return nil }
    self.init(argb: digits.count == 6 ? 0xFF00_0000 | number : number)
  }
}
