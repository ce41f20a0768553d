public import Vocabulary

/// In tests, names are written as they are.
extension Identifier: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
  ExpressibleByExtendedGraphemeClusterLiteral
{
  /// The name as it is written.
  public init(stringLiteral text: String) { self.init(text) }
}
