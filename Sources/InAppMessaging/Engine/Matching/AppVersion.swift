/// A version of an app, by its numbers: 1.10 is later than 1.9, and 2.0 is 2.
struct AppVersion: Comparable, Sendable {
  /// The numbers, without the zeros at the end.
  private let numbers: [UInt32]

  /// Bytes of a text that are looked at.
  private static let longest = 64

  /// The version that a text begins with, such as `1.10.2-beta`; `nil` if it begins with no number.
  init?(_ text: String) {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(4)
    var number: UInt32?
    let bytes = text.utf8Span.span
    for place in 0..<min(bytes.count, Self.longest) {
      let byte = bytes[place]
      if byte == UInt8(ascii: "."), let whole = number {
        numbers.append(whole)
        number = nil
        continue
      }
      guard (48...57).contains(byte) else { break }
      let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = tens.addingReportingOverflow(UInt32(byte - 48))
      guard !isTooLarge, !isStillTooLarge else {
        number = nil
        break
      }
      number = sum
    }
    if let number { numbers.append(number) }
    guard !numbers.isEmpty else { return nil }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (left: AppVersion, right: AppVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
