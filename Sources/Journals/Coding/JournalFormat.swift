package import JSON

/// The version of the bodies in a journal; each body is stored with it.
///
/// A change that older bodies do not fit takes the next number, and adds an upcaster from the
/// previous format to ``upcasters``. Adding a field needs no new number: readers ignore unknown
/// fields, and use defaults for missing ones.
package enum JournalFormat {
  /// The format that this build writes.
  package static let current = 1

  /// The conversions from each older format to the next one.
  package static let upcasters: [Upcaster] = []
}

/// Converts bodies of one format to the next.
package struct Upcaster: Sendable {
  /// What a body encodes.
  package enum Record: Hashable, Sendable {
    case event(AggregateKind)
    case state(AggregateKind)
    case outcome
  }

  /// Writes the converted body; called for every body of the older format.
  package typealias Rewriting =
    @Sendable (JSONObject, Record, inout JSONWriter) throws(DecodingFlaw) -> Void

  /// The format that it reads; it writes the next one.
  package let format: Int
  package let rewrite: Rewriting

  package init(from format: Int, _ rewrite: @escaping Rewriting) {
    self.format = format
    self.rewrite = rewrite
  }
}
