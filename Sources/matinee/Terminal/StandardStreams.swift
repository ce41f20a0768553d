import ArgumentParser
import EventLoops
import Foundation
import Journals
import MatineeTerminal

extension TextStyling {
  /// The styling for standard output: colour on a terminal, unless NO_COLOR is set.
  static var standardOutput: TextStyling {
    TextStyling(
      hasColor: isatty(STDOUT_FILENO) == 1
        && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty)
  }
}

extension TerminalSize {
  /// The size of the terminal that standard output goes to; `nil` if it goes elsewhere.
  static var ofStandardOutput: TerminalSize? {
    ProcessSettings.terminalSize.map { TerminalSize(columns: $0.columns, rows: $0.rows) }
  }

  /// The part of the terminal for messages, at this moment.
  static var forMessages: TerminalSize { TerminalSize(forMessagesOn: ofStandardOutput) }
}

/// Standard error as an output stream for `print`.
struct StandardError: TextOutputStream {
  mutating func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

/// Prints an error to standard error, and returns the exit code.
func complaint(_ text: String, _ code: Int32) -> ExitCode {
  var standardError = StandardError()
  print("matinee: \(text.withoutControls)", to: &standardError)
  return ExitCode(code)
}

extension JournalError {
  /// The exit code, from sysexits.h, of a program that cannot read the journal.
  var readingExitCode: Int32 {
    switch self {
    case .failed, .inUse, .served, .notEmpty: 66
    case .newer, .older, .unreadable, .unmigrated, .incomplete: 65
    case .unavailable: 69
    }
  }
}
