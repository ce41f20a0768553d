internal import Vocabulary

extension Duration {
  /// The duration as a campaign file writes it, such as `90s` or `7d`.
  package var phrase: String {
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)] as [(String, Int64)] {
      let (count, rest) = microseconds.quotientAndRemainder(dividingBy: length * 1_000_000)
      if rest == 0, count > 0 { return "\(count)\(unit)" }
    }
    return self == .zero ? "0s" : "\(inSeconds)s"
  }

  /// What is left of a wait, such as `23 h 59 min 30 s`, up to the next second: by then it is over.
  package var waitText: String {
    let (seconds, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    var rest = max(0, seconds + (part > 0 ? 1 : 0))
    var words: [String] = []
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)] as [(String, Int64)]
    where rest >= length {
      words.append("\(rest / length) \(unit)")
      rest %= length
    }
    return words.isEmpty ? "0 s" : words.joined(separator: " ")
  }
}
