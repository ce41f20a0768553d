import ArgumentParser
import Journals

/// `matinee replay`: what happened in a session.
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what happened in a session, when, and by whom.",
    discussion: """
      Tells a session's events in order, each with its number and the time since the session began. \
      With --at it shows the session as it was after the event of that number: what was on and \
      where, who took part and how, the queue and the rules. Without a session it lists those that \
      are there.

      It only reads the journal, also while a server writes to it. Old events go by the retention \
      that the server was given; where the beginning is gone, it begins with what is left, and says \
      so. On a terminal the time line is in colour, unless NO_COLOR is set.

      Exit codes: 0 told, 64 wrong usage, 65 the journal cannot be read, 66 no such file, session \
      or event.
      """)

  @Argument(
    help: ArgumentHelp(
      "The session, or as much of its name's beginning as no other has.", valueName: "session"))
  var session: String?

  @Option(help: ArgumentHelp("Show the state after this event instead.", valueName: "seq"))
  var at: Int?

  @Flag(help: "Print JSON: an object a line, with times in microseconds since 1970.")
  var json = false

  @OptionGroup var file: JournalFileOption

  func validate() throws {
    guard at == nil || session != nil else {
      throw ValidationError("--at takes an event of a session; name the session")
    }
    guard at.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--at takes the number of an event, from 1")
    }
  }

  func run() throws {
    let archive = try file.open()
    let sessions = try readable { () throws(JournalError) in try archive.sessions() }
    guard let session else {
      for line in json ? sessions.jsonLines : sessions.lines { print(line) }
      return
    }
    let chosen = try pick(session, from: sessions)
    let history = try readable { () throws(JournalError) in try archive.history(of: chosen) }
    if let at { return print(try state(of: history, at: at)) }
    if json {
      for line in history.jsonLines { print(line) }
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

  private func pick(_ text: String, from sessions: [SessionSummary]) throws -> SessionSummary {
    switch sessions.choice(text) {
    case .one(let session): return session
    case .none:
      throw complaint("the journal has no session \(text); matinee replay alone lists them", 66)
    case .several(let names):
      throw complaint(
        "\(text) begins the names of several sessions: \(names.joined(separator: ", "))", 66)
    }
  }

  private func state(of history: SessionHistory, at seq: Int) throws -> String {
    guard let state = history.state(at: seq) else {
      let session = history.summary.session
      guard let known = history.replayable else {
        throw complaint(
          "the beginning of \(session) is gone, and with it every state; without --at its last "
            + "events are told", 66)
      }
      throw complaint(
        "of \(session) there are states from \(known.lowerBound) to \(known.upperBound), not \(seq)",
        66)
    }
    return json
      ? state.session.json(at: state.at)
      : state.session.stateLines(at: state.at, since: history.summary.began)
        .joined(separator: "\n")
  }
}
