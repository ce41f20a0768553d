/// A version of an app, by its numbers: 1.10 is later than 1.9, and 2.0 is 2.
struct AppVersion: Comparable, Sendable {
  /// The numbers, without the zeros at the end.
  private let numbers: [UInt32]

  /// The version that a text begins with, such as `1.10.2-beta`; `nil` if it begins with no number.
  init?(_ text: String) {
    var numbers: [UInt32] = []
    for part in text.prefix(64).split(separator: ".", omittingEmptySubsequences: false) {
      let digits = part.prefix { $0.isASCII && $0.isWholeNumber }
      guard let number = UInt32(digits) else { break }
      numbers.append(number)
      if digits.count < part.count { break }
    }
    guard !numbers.isEmpty else { return nil }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (left: AppVersion, right: AppVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
