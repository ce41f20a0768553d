import ArgumentParser
import Foundation
import Journals
import Vocabulary

/// Where a server keeps what happens, and how well.
struct JournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to keep what happens: sqlite:PATH, or memory to forget it at the end.",
      valueName: "where"))
  var journal: JournalLocation = .standard

  @Option(
    help: ArgumentHelp(
      "What an acknowledged command survives.",
      discussion: """
        process: the server's death, however it comes. power: a power cut, too; each \
        acknowledgement waits for the disk.
        """, valueName: "what"))
  var durability = Durability.process

  @Option(
    name: .customLong("journal-retention"),
    help: ArgumentHelp(
      "Days that events stay in the file once their session is over, or a snapshot holds them.",
      valueName: "days"))
  var retentionDays = 30.0

  func validate() throws {
    guard retentionDays >= 0, retentionDays <= 36_500 else {
      throw ValidationError("--journal-retention takes a number of days from 0 to 36500")
    }
  }

  var retention: Duration { .seconds(retentionDays * 86_400) }
}

/// Where a server keeps what happens.
enum JournalLocation: Equatable {
  case memory
  case sqlite(path: String)

  /// In the user's data directory, as the XDG Base Directory Specification has it.
  static var standard: JournalLocation {
    let environment = ProcessInfo.processInfo.environment
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(environment["HOME"] ?? ".")/.local/share"
    return .sqlite(path: "\(data)/matinee/journal.sqlite")
  }

  static let standardText = "sqlite:$XDG_DATA_HOME/matinee/journal.sqlite"
}

extension JournalLocation: ExpressibleByArgument {
  init?(argument: String) {
    if argument == "memory" {
      self = .memory
    } else if argument.hasPrefix("sqlite:"), argument.count > "sqlite:".count {
      self = .sqlite(path: String(argument.dropFirst("sqlite:".count)))
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { Self.standardText }
}

extension Durability: ExpressibleByArgument {}
