/// A verb about the notifications that stand.
enum NotificationVerb: Equatable {
  /// Lists them.
  case list
  /// Shows one of the list again.
  case show(Int)
  /// Puts the one on screen aside, where it stands.
  case ignore

  /// How each is written.
  static let forms = ["notifications", "notification NUMBER", "ignore"]

  /// Reads a verb; `nil` if it is none of these.
  init?(_ phrase: String) {
    let words = phrase.split(separator: " ")
    switch (words.first, words.count) {
    case ("notifications", 1): self = .list
    case ("ignore", 1): self = .ignore
    case ("notification", 2):
      guard let number = Int(words[1]), number > 0 else { return nil }
      self = .show(number)
    default: return nil
    }
  }
}
