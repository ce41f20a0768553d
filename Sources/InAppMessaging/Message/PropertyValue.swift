/// A value of an event's property, a person's attribute, or a message's extra.
public enum PropertyValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A number.
  case number(Double)
  /// True or false.
  case bool(Bool)
  /// Texts in order.
  case list([String])

  /// The text, if it is one.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if it is one.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// Yes or no, if it is one.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The texts, if it is a list.
  public var list: [String]? {
    if case .list(let texts) = self { texts } else { nil }
  }
}

extension PropertyValue {
  /// The value as text: a whole number without a point, a list with commas.
  package var text: String {
    switch self {
    case .string(let text): text
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    case .bool(let bool): String(bool)
    case .list(let texts): texts.joined(separator: ", ")
    }
  }

  /// The value of a text without quotation marks: `true`, `false`, a number as in JSON, perhaps
  /// with a plus sign, or the text itself.
  package init(plain text: String) {
    if text == "true" || text == "false" {
      self = .bool(text == "true")
    } else if text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    {
      self = .number(number)
    } else {
      self = .string(text)
    }
  }
}

/// An event in an app, which may trigger campaigns.
package enum AppEvent: Equatable, Sendable {
  case launch
  case foreground
  /// The person begins to use the app, after it was away for longer.
  case sessionStart
  case event(name: String, properties: [String: PropertyValue])
  case purchase(product: String, properties: [String: PropertyValue])
  /// A push was opened, of that campaign.
  case pushOpened(campaign: String?)

  /// The kinds of events.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case launch
    case foreground
    case sessionStart
    case event
    case purchase
    case pushOpened
  }

  /// The property with the id of the session in which the event happened.
  package static let sessionKey = "session"
}
