package import JSON

/// Turns the bodies of one format into bodies of the next.
package struct Upcaster: Sendable {
  /// What a body is of.
  package enum Record: Hashable, Sendable {
    case event(AggregateKind)
    case state(AggregateKind)
    case outcome
  }

  /// Writes the newer body of an older one; all bodies of the older format are given to it.
  package typealias Rewriting =
    @Sendable (JSONObject, Record, inout JSONWriter) throws(DecodingFlaw) -> Void

  /// The format that it reads; it writes the one after.
  package let format: Int
  package let rewrite: Rewriting

  /// An upcaster.
  package init(from format: Int, _ rewrite: @escaping Rewriting) {
    self.format = format
    self.rewrite = rewrite
  }
}
