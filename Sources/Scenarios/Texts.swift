package import Vocabulary

extension MediaTime {
  /// The place in seconds with three digits, such as `30.040`.
  package var text: String { fixedText(microseconds / 1000, digits: 3) }
}

extension Duration {
  /// The length in seconds with three digits, such as `1.500`.
  package var secondsText: String { fixedText(microseconds / 1000, digits: 3) }

  /// The length in milliseconds with one digit, such as `12.3 ms`.
  package var millisecondsText: String { fixedText(microseconds / 100, digits: 1) + " ms" }
}

/// A whole number of decimal fractions with its point, such as 1500 with three digits as `1.500`.
private func fixedText(_ number: Int64, digits: Int) -> String {
  let sign = number < 0 ? "-" : ""
  let text = String(number.magnitude)
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
}
