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
