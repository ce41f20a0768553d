public import Vocabulary

/// Lets tests write identifiers as string literals.
extension Identifier: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
  ExpressibleByExtendedGraphemeClusterLiteral
{
  /// Makes an identifier of the literal's text.
  public init(stringLiteral text: String) { self.init(text) }
}
