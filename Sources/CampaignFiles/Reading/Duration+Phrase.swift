import Vocabulary

extension Duration {
  /// The duration that is written as a number and its unit, such as `1.5h`; nil if it is none, or
  /// longer than ``CampaignBounds/duration``.
  init?(phrase: String) {
    let digits = phrase.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400.0]
    guard let number = Double(digits), let unit = units[String(phrase.dropFirst(digits.count))]
    else { return nil }
    let seconds = number * unit
    guard seconds <= CampaignBounds.duration.inSeconds else { return nil }
    self = .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}
