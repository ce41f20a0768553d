/// A value of an event's property, a person's attribute, or a message's extra.
public enum PropertyValue: Hashable, Sendable {
  case string(String)
  case number(Double)
  case bool(Bool)
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
