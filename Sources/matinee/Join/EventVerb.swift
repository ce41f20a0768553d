import InAppMessaging

/// A verb about in-app messages: what an app would log, know of the person, or present.
enum EventVerb: Equatable {
  case log(String, [String: PropertyValue])
  case set(String, PropertyValue?)
  case next

  /// How each is written.
  static let forms = ["log EVENT [KEY=VALUE …]", "set KEY=VALUE|KEY", "next message"]

  /// Reads a verb; `nil` if it is none of these.
  ///
  /// An event's name may have spaces: what has no `=` is part of it.
  init?(_ phrase: String) {
    if phrase == "next message" {
      self = .next
      return
    }
    let words = phrase.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    switch words[0] {
    case "log":
      let properties = words.dropFirst().compactMap { PropertyArgument(argument: $0) }
      let name = words.dropFirst().filter { PropertyArgument(argument: $0) == nil }
      guard !name.isEmpty else { return nil }
      self = .log(
        name.joined(separator: " "),
        Dictionary(properties.map { ($0.key, $0.value) }) { $1 })
    case "set":
      guard words.count == 2 else { return nil }
      let property = PropertyArgument(argument: words[1])
      self = .set(property?.key ?? words[1], property?.value)
    default: return nil
    }
  }
}
