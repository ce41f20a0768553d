import CampaignFiles
import Foundation
import InAppMessaging
import Testing
import YAML

/// A file beside the tests, and what is to be said of it.
///
/// A line that is wrong says so in a comment, `# error: words`, once for each mistake; the words
/// stand somewhere in the error.
struct GoldenFile: CustomTestStringConvertible {
  let name: String
  let text: String

  static func all(in folder: String) throws -> [GoldenFile] {
    let path = directory(folder)
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
      GoldenFile(
        name: name, text: try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8))
    }
  }

  static func directory(_ folder: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(folder)").path()
  }

  struct Expectation {
    let line: Int
    let words: String
  }

  var expectations: [Expectation] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .flatMap { number, line in
        line.components(separatedBy: "error: ").dropFirst().map { words in
          let words = words.hasSuffix("; ") ? String(words.dropLast(2)) : words
          return Expectation(line: number + 1, words: words)
        }
      }
  }

  var testDescription: String { name }
}

/// The mistakes in a file, or in several.
func errors(_ read: () throws(CampaignFilesError) -> [CampaignEntry]) -> [FileError] {
  do throws(CampaignFilesError) {
    _ = try read()
    return []
  } catch {
    if case .refused(let errors) = error { return errors }
    return []
  }
}
