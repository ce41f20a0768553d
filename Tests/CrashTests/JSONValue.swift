import Foundation

/// A JSON value, parsed independently of the server's reader.
enum JSONValue: Equatable {
  case null
  /// Booleans are 0 and 1; integers are exact up to 2⁵³.
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Parses a line; `nil` if it is not JSON.
  init?(line: String) {
    do {
      self.init(try JSONSerialization.jsonObject(with: Data(line.utf8)))
    } catch {
      return nil
    }
  }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let number as NSNumber: self = .number(number.doubleValue)
    case let array as [Any]: self = .array(array.map { JSONValue($0) })
    case let object as [String: Any]: self = .object(object.mapValues { JSONValue($0) })
    default: self = .null
    }
  }

  subscript(key: String) -> JSONValue? {
    if case .object(let fields) = self { fields[key] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var int: Int? { if case .number(let number) = self { Int(number) } else { nil } }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  /// The fields with these names; empty if this is no object.
  func only(_ keys: [String]) -> [String: JSONValue] {
    guard case .object(let fields) = self else { return [:] }
    return fields.filter { keys.contains($0.key) }
  }

  /// This object without the fields of these names.
  func without(_ keys: String...) -> JSONValue {
    guard case .object(let fields) = self else { return self }
    return .object(fields.filter { !keys.contains($0.key) })
  }

  func with(_ key: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(var fields) = self else { return self }
    fields[key] = value
    return .object(fields)
  }
}

extension JSONValue? {
  var text: String? { flatMap(\.text) }
  var int: Int? { flatMap(\.int) }
  var isTrue: Bool { self == .number(1) }
  var elements: [JSONValue] { map(\.elements) ?? [] }
}
