import Foundation
import Syncplay

/// A file with a text in it that an option names; not a secret, as those of `KeyFile`.
enum TextFile {
  /// Ten thousand letters of any alphabet, and some.
  private static let longest = 64 * 1_024

  /// Reads all of a file.
  static func read(_ path: String) throws(TextFileError) -> String {
    let data: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      data = try file.read(upToCount: longest + 1) ?? Data()
    } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
      throw TextFileError(path, "there is no such file", "name the file that holds the text", 66)
    } catch {
      throw TextFileError(path, "the file cannot be read", "see whether you may read it", 66)
    }
    guard data.count <= longest else {
      throw TextFileError(
        path, "the file is larger than \(longest) bytes", "name the file that holds the text", 65)
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw TextFileError(path, "the file is no text in UTF-8", "save it as UTF-8", 65)
    }
    return text
  }

  /// Reads what newcomers are told.
  static func messageOfTheDay(_ path: String) throws(TextFileError) -> String {
    let text = try read(path)
    if let flaw = MessageOfTheDay(template: text).flaw {
      throw TextFileError(path, flaw.problem, flaw.advice, 65)
    }
    return text
  }

  /// Reads names of rooms, one a line.
  static func rooms(_ path: String, _ options: SyncplayOptions) throws(TextFileError) -> [String] {
    var names: [String] = []
    let lines = try read(path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let name = line.trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty else { continue }
      guard RoomName.truncated(name, options: options) == name else {
        throw TextFileError(
          path,
          "line \(index + 1): the name of a room has at most \(options.maximumRoomNameLength) letters",
          "shorten it", 65)
      }
      names.append(name)
    }
    return names
  }
}

/// Why there is no text in a file.
struct TextFileError: Error, Equatable, CustomStringConvertible {
  let path: String
  let problem: String
  let advice: String
  /// sysexits.h's: 65 for a mistake in the file, 66 where there is none that can be read.
  let exitCode: Int32

  init(_ path: String, _ problem: String, _ advice: String, _ exitCode: Int32) {
    self.path = path
    self.problem = problem
    self.advice = advice
    self.exitCode = exitCode
  }

  var description: String { "\(path): \(problem); \(advice)" }
}
