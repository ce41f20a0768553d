import InAppMessaging

/// What the templates of a preview are filled with.
struct PreviewValues {
  private let values: [String: PropertyValue]

  /// Values; of a key that is given twice, the last counts.
  init(event: [PropertyArgument], user: [PropertyArgument]) {
    let pairs =
      event.map { ("event.\($0.key)", $0.value) } + user.map { ("user.\($0.key)", $0.value) }
    values = Dictionary(pairs) { $1 }
  }

  /// A place of a template that nothing is known for.
  struct Unfilled: Error {
    let place: String
  }

  /// The message as a person would get it.
  func filled(_ message: InAppMessage) throws(Unfilled) -> InAppMessage {
    var message = message
    switch message.body {
    case .text(var text):
      if let header = text.header { text.header = try filled(header) }
      text.message = try filled(text.message)
      message.body = .text(text)
    case .html(var page):
      page.source = try filled(page.source)
      message.body = .html(page)
    case .image, .empty: break
    }
    for place in message.buttons.indices {
      message.buttons[place].text = try filled(message.buttons[place].text)
    }
    for (key, value) in message.extras {
      if let text = value.string { message.extras[key] = .string(try filled(text)) }
    }
    return message
  }

  private func filled(_ text: String) throws(Unfilled) -> String {
    var result = ""
    var rest = text[...]
    while let opening = rest.firstRange(of: "{{"), let closing = rest.firstRange(of: "}}") {
      result += rest[..<opening.lowerBound]
      result += try value(of: rest[opening.upperBound..<closing.lowerBound])
      rest = rest[closing.upperBound...]
    }
    return result + rest
  }

  private func value(of place: Substring) throws(Unfilled) -> String {
    let parts = place.split(separator: "|").map(\.trimmingSpaces)
    if let name = parts.first, let value = values[name] { return value.text }
    let fallback = parts.dropFirst().first { $0.hasPrefix("default:") }
    guard let fallback else { throw Unfilled(place: place.trimmingSpaces) }
    return fallback.dropFirst("default:".count).trimmingSpaces
  }
}
