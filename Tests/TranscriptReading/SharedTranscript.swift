internal import Foundation

/// Cases that both clients keep to: lines of input, and behind each what a client says to it.
///
/// A case begins with "# " and its name. What is said begins with "> ", and what holds afterwards
/// with "= ". An explanation may come before the first case.
package struct SharedTranscript {
  /// One case without what is said.
  package struct Case {
    package let name: String
    package let inputs: [String]
  }

  package let cases: [Case]
  private let file: URL
  private let text: String
  private let explanation: String

  /// Reads a file of the page's cases.
  package init(_ name: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    file = tests.appending(path: "Browser/Cases/\(name)")
    text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.split(separator: "# ")
    let isExplained = !text.hasPrefix("# ")
    explanation = isExplained ? parts.first.map(String.init) ?? "" : ""
    cases = parts.dropFirst(isExplained ? 1 : 0).map { part in
      let lines = part.split(separator: "\n").map(String.init)
      let inputs = lines.dropFirst().filter { !$0.hasPrefix("> ") && !$0.hasPrefix("= ") }
      return Case(name: lines.first ?? "", inputs: inputs)
    }
  }

  /// The first line that a client says differently now; `nil` if it keeps to all.
  ///
  /// MATINEE_RECORD=1 writes down what it says now.
  ///
  /// - Parameter lines: the inputs of a case with what is said.
  package func difference(from lines: (Case) throws -> [String]) throws -> String? {
    let stories = try cases.map { story in
      (["# \(story.name)"] + (try lines(story))).joined(separator: "\n") + "\n"
    }
    let told = explanation + stories.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["MATINEE_RECORD"] == "1" {
      try told.write(to: file, atomically: true, encoding: .utf8)
    }
    guard told != text else { return nil }
    let (before, now) = (text.components(separatedBy: "\n"), told.components(separatedBy: "\n"))
    let place = zip(before, now).prefix { $0 == $1 }.count
    let (old, new) = (before.dropFirst(place).first ?? "", now.dropFirst(place).first ?? "")
    return "line \(place + 1): \(old.debugDescription) is now \(new.debugDescription)"
  }
}
