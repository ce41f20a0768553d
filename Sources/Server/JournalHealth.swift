import Coordination
import Vocabulary

/// Whether the journal takes what peers ask, as far as the server knows.
struct JournalHealth {
  /// Whether writes fail.
  var isFailing = false
  /// Whether its database does not answer.
  var isUnreachable = false
  /// How full it is, which the coordinator is told.
  var fill: JournalFill

  init(_ limits: Limits) {
    fill = JournalFill(limits)
  }

  /// Why it takes nothing, for people; `nil` if it does.
  var obstacle: String? {
    if isUnreachable { return "The journal's database does not answer." }
    if isFailing { return "The journal cannot be written." }
    return fill.level == .full ? "The journal is full." : nil
  }
}
