package import JSON

/// How bodies are spelled in a journal, counted: each is kept with the number of its time.
///
/// A change that an older build's bodies do not fit gets the next number, and ``upcasters`` one that
/// turns a body of the number before into one of the new. Fields may be added without: whoever reads
/// a body ignores what it does not know, and takes what is missing for its default.
package enum JournalFormat {
  /// What this build writes.
  package static let current = 1

  /// What turns older bodies into newer ones; the one place for it.
  package static let upcasters: [Upcaster] = []
}

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
