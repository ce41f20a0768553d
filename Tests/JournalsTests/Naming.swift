package import Vocabulary

extension Identifier: ExpressibleByUnicodeScalarLiteral {}
extension Identifier: ExpressibleByExtendedGraphemeClusterLiteral {}
extension Identifier: ExpressibleByStringLiteral {
  /// Identifiers in tests are literals.
  package init(stringLiteral text: String) { self.init(text) }
}
