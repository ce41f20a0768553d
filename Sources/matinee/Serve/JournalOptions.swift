import ArgumentParser
import Foundation
import Journals
import Syncplay

/// The journal of a server, and its durability.
struct JournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where to keep what happens: sqlite:PATH, postgresql://USER@HOST/DATABASE, or memory to \
      forget it at the end.
      """,
      discussion: """
        A database needs its tables first: matinee journal migrate. Its password is best kept in \
        PostgreSQL's own ~/.pgpass.
        """, valueName: "where"))
  var journal: JournalLocation = .standard

  @Option(
    help: ArgumentHelp(
      "What an acknowledged command survives.",
      discussion: """
        process: the server's death, however it comes. power: a power cut, too; each \
        acknowledgement waits for the disk. PostgreSQL always waits.
        """, valueName: "what"))
  var durability = Durability.process

  @Option(
    name: .customLong("journal-retention"), parsing: .unconditional,
    help: ArgumentHelp(
      "Days that events stay in the journal after their session ended or a snapshot includes them.",
      valueName: "days"))
  var retentionDays = 30.0

  func validate() throws {
    guard retentionDays >= 0, retentionDays <= 36_500 else {
      throw ValidationError("--journal-retention takes a number of days from 0 to 36500")
    }
  }

  var retention: Duration { .seconds(retentionDays * 86_400) }
}

extension Durability: ExpressibleByArgument {}

/// A text file that an option names; unlike `KeyFile`, it is no secret.
enum TextFile {
  /// Enough for ten thousand letters of any alphabet.
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

  /// Reads the message of the day.
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
  /// As in sysexits.h: 65 for a mistake in the file, 66 for a file that cannot be read.
  let exitCode: Int32

  init(_ path: String, _ problem: String, _ advice: String, _ exitCode: Int32) {
    self.path = path
    self.problem = problem
    self.advice = advice
    self.exitCode = exitCode
  }

  var description: String { "\(path): \(problem); \(advice)" }
}
