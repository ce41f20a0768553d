import ArgumentParser
import Journals
import MatineeTerminal

/// `matinee replay`: shows what happened in a session.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what happened in a session, when, and who did it.",
    discussion: """
      Shows a session's events in order, each with its number and the time since the session began. \
      --at shows the session's state after the event of that number instead: playback, \
      participants, queue and rules. Without a session, it lists all sessions in the journal.

      It only reads the journal, also while a server writes to it. A server deletes events older \
      than its retention. If the first events are deleted, the output says so and starts with the \
      first kept one. On a terminal the timeline is coloured, unless NO_COLOR is set.

      Exit codes: 0 shown, 64 wrong usage, 65 the journal cannot be read, 66 no such file, session \
      or event, 69 no such database.
      """)

  @Argument(
    help: ArgumentHelp(
      "The session's name, or a prefix that no other session has.", valueName: "session"))
  var session: String?

  @Option(help: ArgumentHelp("Show the state after this event instead.", valueName: "seq"))
  var at: Int?

  @Flag(help: "Print JSON: an object per line, with times in microseconds since 1970.")
  var json = false

  @OptionGroup var stored: StoredJournalOption

  func validate() throws {
    guard at == nil || session != nil else {
      throw ValidationError("--at takes an event of a session; name the session")
    }
    guard at.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--at takes the number of an event, from 1")
    }
  }

  func run() throws {
    let archive = try stored.journal.archive()
    let sessions = try readable { () throws(JournalError) in try archive.sessions() }
    guard let session else {
      for line in json ? sessions.jsonLines.map(\.escapedJSON) : sessions.lines { print(line) }
      return
    }
    let chosen = try pick(session, from: sessions)
    let history = try readable { () throws(JournalError) in try archive.history(of: chosen) }
    if let at { return print(try state(of: history, at: at)) }
    if json {
      for line in history.jsonLines { print(line.escapedJSON) }
    } else {
      for line in HistoryText(history, .standardOutput).lines { print(line) }
    }
  }

  private func readable<Value>(_ body: () throws(JournalError) -> Value) throws -> Value {
    do throws(JournalError) {
      return try body()
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }

  private func pick(_ text: String, from sessions: [ArchivedSession]) throws -> ArchivedSession {
    switch sessions.choice(text) {
    case .one(let session): return session
    case .none:
      throw complaint("the journal has no session \(text); matinee replay alone lists them", 66)
    case .several(let names):
      throw complaint(
        "several sessions begin with \(text): \(names.joined(separator: ", "))", 66)
    }
  }

  private func state(of history: SessionHistory, at seq: Int) throws -> String {
    guard let state = history.state(at: seq) else {
      let session = history.summary.session
      guard let known = history.replayable else {
        throw complaint(
          "the first events of \(session) are deleted, so its states are unknown; leave out --at "
            + "to see its last events", 66)
      }
      throw complaint(
        "the states of \(session) are known after events \(known.lowerBound) to "
          + "\(known.upperBound), not after \(seq)", 66)
    }
    return json
      ? state.session.json(at: state.at).escapedJSON
      : state.session.stateLines(at: state.at, since: history.summary.began)
        .joined(separator: "\n")
  }
}
