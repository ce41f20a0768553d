/// A JSON value (RFC 8259) of a payload.
public enum PayloadValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A number without fraction or exponent that fits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// True or false.
  case bool(Bool)
  /// The value `null`.
  case null
  /// Values in order, an array in JSON.
  case list([PayloadValue])
  /// Values by name, an object in JSON.
  case dictionary([String: PayloadValue])
}

// MARK: Reading

extension PayloadValue {
  /// The text, if it is one.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one; also one written with a fraction of zero.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The number, if it is one.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// Yes or no, if it is one.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The values, if it is a list.
  public var list: [PayloadValue]? {
    if case .list(let values) = self { values } else { nil }
  }

  /// The names and values, if it is an object.
  public var dictionary: [String: PayloadValue]? {
    if case .dictionary(let values) = self { values } else { nil }
  }
}

// MARK: Writing

extension PayloadValue {
  /// Bytes of the value as minified JSON in UTF-8, with escapes only where JSON demands them.
  public var jsonByteCount: Int {
    switch self {
    case .string(let text): Self.byteCount(of: text)
    case .integer(let number): number.description.utf8.count
    // JSON has no NaN and no infinity, so they become null.
    case .number(let number): number.isFinite ? number.description.utf8.count : 4
    case .bool(let bool): bool ? 4 : 5
    case .null: 4
    case .list(let values): values.reduce(2 + max(0, values.count - 1)) { $0 + $1.jsonByteCount }
    case .dictionary(let values):
      values.reduce(2 + max(0, values.count - 1)) { count, field in
        count + Self.byteCount(of: field.key) + 1 + field.value.jsonByteCount
      }
    }
  }

  private static func byteCount(of text: String) -> Int {
    text.utf8.reduce(2) { count, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
        UInt8(ascii: "\t"):
        count + 2
      case 0..<0x20: count + 6
      default: count + 1
      }
    }
  }
}

// MARK: Literals

// There is no literal for null, because `nil` would mean null in one place and no value in another.
extension PayloadValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .string(text) }
  /// A whole number.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// A number.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// Yes or no.
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }
  /// A list.
  public init(arrayLiteral values: PayloadValue...) { self = .list(values) }
  /// An object; of equal names the last one counts.
  public init(dictionaryLiteral fields: (String, PayloadValue)...) {
    self = .dictionary(Dictionary(fields) { $1 })
  }
}
