/// How events are spelled in a journal, counted: each event is kept with the number of its time.
///
/// A change that an older build's events do not fit gets the next number, and
/// ``RecordReader`` a case that reads the one before. Fields may be added without: whoever
/// reads an event ignores what it does not know, and takes what is missing for its default.
package enum JournalFormat {
  /// What this build writes.
  package static let current = 1
}
