internal import Vocabulary

/// A property filter, compiled for evaluation.
///
/// A missing property satisfies `unset` only; one of another type satisfies only `notEqual` and
/// `set`. A search in a list looks at each of its texts.
struct Condition: Equatable, Sendable {
  let key: String
  private let test: Test

  private enum Test: Equatable, Sendable {
    case equal(PropertyValue)
    case notEqual(PropertyValue)
    case number(PropertyFilter.Comparison, Double)
    // Indirect, so that a copy of the condition copies one reference and not the whole expression.
    indirect case search(Pattern)
    case set
    case unset
    case instant(PropertyFilter.Comparison, Instant)
  }

  /// Why a filter cannot be compiled.
  struct Failure: Error {
    let field: String
    let reason: String
  }

  init(_ filter: PropertyFilter) throws(Failure) {
    guard !filter.key.isEmpty else {
      throw Failure(field: "key", reason: "name the property to look at")
    }
    key = filter.key
    let comparison = filter.comparison
    switch comparison {
    case .equal: test = .equal(try Self.value(filter))
    case .notEqual: test = .notEqual(try Self.value(filter))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let number = try Self.value(filter).number else {
        throw Failure(field: "value", reason: "\(comparison.rawValue) compares numbers only")
      }
      test = .number(comparison, number)
    case .search:
      guard let source = try Self.value(filter).string else {
        throw Failure(field: "value", reason: "search needs a regular expression, as a text")
      }
      do { test = .search(try Pattern(source)) } catch {
        throw Failure(field: "value", reason: "the regular expression, \(error)")
      }
    case .before, .after:
      guard let text = try Self.value(filter).string, let instant = Instant(timestamp: text) else {
        throw Failure(
          field: "value",
          reason: "\(comparison.rawValue) needs an instant, such as 2026-11-21T20:15:00Z")
      }
      test = .instant(comparison, instant)
    case .set, .unset:
      guard filter.value == nil else {
        throw Failure(field: "value", reason: "\(comparison.rawValue) compares with nothing")
      }
      test = comparison == .set ? .set : .unset
    }
  }

  private static func value(_ filter: PropertyFilter) throws(Failure) -> PropertyValue {
    guard let value = filter.value else {
      throw Failure(
        field: "value", reason: "\(filter.comparison.rawValue) needs something to compare with")
    }
    return value
  }

  func holds(for value: PropertyValue?) -> Bool {
    guard let value else { return test == .unset }
    switch test {
    case .equal(let wanted): return value == wanted
    case .notEqual(let unwanted): return value != unwanted
    case .set: return true
    case .unset: return false
    case .number(let comparison, let wanted):
      return value.number.map { Self.holds($0, comparison, wanted) } ?? false
    case .search(let pattern):
      return switch value {
      case .string(let text): pattern.isFound(in: text)
      case .list(let texts): texts.contains { pattern.isFound(in: $0) }
      case .number, .bool: false
      }
    case .instant(let comparison, let wanted):
      guard let instant = value.string.flatMap(Instant.init(timestamp:)) else { return false }
      return comparison == .before ? instant < wanted : instant > wanted
    }
  }

  /// Whether two values compare so; comparisons that are no order are false.
  static func holds<Value: Comparable>(
    _ left: Value, _ comparison: PropertyFilter.Comparison, _ right: Value
  ) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .search, .set, .unset, .before, .after: false
    }
  }
}
