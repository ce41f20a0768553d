import ArgumentParser
import Journals

/// Says on standard error what is wrong, and hands out the code to end with.
func complaint(_ text: String, _ code: Int32) -> ExitCode {
  var standardError = StandardError()
  print("matinee: \(text.withoutControls)", to: &standardError)
  return ExitCode(code)
}

extension JournalError {
  /// How a program ends that was to read the journal: sysexits.h's codes.
  var readingExitCode: Int32 {
    switch self {
    case .failed, .inUse, .notEmpty: 66
    case .newer, .unreadable: 65
    }
  }
}
