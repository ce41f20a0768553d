/// A condition on one property of an event, or one attribute of a person.
package struct PropertyFilter: Hashable, Sendable {
  package var key: String
  package var comparison: Comparison
  /// What to compare with; nothing for `set` and `unset`.
  package var value: PropertyValue?

  /// A condition.
  package init(_ key: String, _ comparison: Comparison, _ value: PropertyValue? = nil) {
    self.key = key
    self.comparison = comparison
    self.value = value
  }

  /// How a property is compared; values of different types are never equal, nor in any order.
  package enum Comparison: String, Equatable, Sendable, CaseIterable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    /// A regular expression is found somewhere in the text.
    case search
    case set
    case unset
    /// Instants, as RFC 3339 texts.
    case before
    case after
  }
}
