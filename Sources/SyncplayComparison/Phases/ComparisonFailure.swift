/// Why a comparison cannot go on.
package enum ComparisonFailure: Error, Equatable, CustomStringConvertible {
  case program(SyncplayProgramError)
  /// What was waited for did not happen in time; with what the program in question said last.
  case late(String, words: String)
  /// Somebody wants it to end.
  case interrupted

  /// What happened, for a person.
  package var description: String {
    switch self {
    case .program(let error): "\(error)"
    case .late(let what, let words): "waited in vain until \(what): \(words.suffix(400))"
    case .interrupted: "interrupted"
    }
  }
}
