import ArgumentParser
import Demonstrations
import EventLoops
import Foundation
import MatineeTerminal
import Scenarios
import Simulation
import Stages
import Vocabulary
import YAML

/// `matinee demo`: users watch together by a script, which also says what each must see by when.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a scripted demonstration with several clients, and check what each sees.",
    usage: "matinee demo [<options>] [<scenario|file>]",
    discussion: """
      Starts a server of its own and real clients, each over real TCP through a network with the \
      scenario's delay, jitter and faults, and shows what happens as it happens. Every expectation \
      of the scenario is checked.

      Where a scenario plays with real mpv, as together does, it makes a test video once, measures \
      where each mpv really is, over mpv's own socket, and prints how far apart they were beside \
      what is aimed at. A figure that misses its target does not fail the run. --plot draws them over time.

      A scenario may bring campaigns (campaigns: shipped, or a list as in campaign files); then \
      people log events, see messages and dismiss or click them, as in video-message, \
      busy-screen, bad-url, once-only, two-devices and restart.

      People of a scenario may have notifications (register): they are invited, answer, write back, \
      also by a token while their app does not run, follow a session by silent updates, and \
      subscribe and publish to topics, as in invitations, topics and answer-and-crash.

      A scenario may kill the server and start it again (server: kill, server: start); it then \
      keeps a journal of its own, which is gone with the demonstration.

      A scenario is a file in YAML, or the name of one that Matinee brings along: see --list. The \
      files of scripts/demos show how to write one; each mistake is reported with its line. On a \
      terminal the time line is in colour, unless NO_COLOR is set.

      Exit codes: 0 everything was seen, 1 something was not, or there is nothing to plot, 64 \
      wrong usage, 65 a bad scenario, 66 no such scenario, 69 the server or a player cannot be \
      started, 73 the plot cannot be written, 130 interrupted.
      """)

  @Argument(
    help: ArgumentHelp(
      "A scenario file, or the name of a shipped scenario; without one, \(Self.usualName).",
      valueName: "file"), completion: .file())
  var file: String?

  @Flag(help: "List the shipped scenarios.")
  var list = false

  @Flag(help: "Run all shipped scenarios, one after the other.")
  var all = false

  @Flag(help: "Print a line of JSON for each scenario, and nothing else.")
  var json = false

  @Flag(help: "Run in memory and virtual time: no sockets, no waiting, the same every time.")
  var virtual = false

  @Flag(help: "Let everybody connect over TLS.")
  var tls = false

  @Flag(help: "Let every mpv have a window and sound, on a desktop.")
  var windows = false

  @Option(
    help: ArgumentHelp(
      "Draw how far the players were apart, with what was pressed, as SVG.", valueName: "file"),
    completion: .file())
  var plot: String?

  @Option(
    help: ArgumentHelp(
      "Run nothing, and print and draw what another program has played and recorded.",
      valueName: "file"), completion: .file())
  var recording: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed of jitter and chance; by default 1.", valueName: "number"))
  var seed: UInt64?

  private static let usualSeed: UInt64 = 1
  private static let usualName = "together"
  private static let browserName = "browser"

  func validate() throws {
    guard !all || file == nil else {
      throw ValidationError("give a scenario or --all, not both")
    }
    guard !list || (file == nil && !all) else {
      throw ValidationError("--list runs nothing; leave the scenario and --all out")
    }
    guard plot == nil || !(all || list) else {
      throw ValidationError("--plot draws one scenario; leave --all and --list out")
    }
    let runs = all || list || virtual || tls || windows || seed != nil || file != nil
    guard recording == nil || !runs else {
      throw ValidationError("--recording runs nothing; leave the scenario and its options out")
    }
    guard !tls || !virtual else {
      throw ValidationError("--virtual has no connections to encrypt; leave --tls out")
    }
    guard !windows || !virtual else {
      throw ValidationError("--virtual has no real players to show; leave --windows out")
    }
  }

  func run() throws {
    ProcessSettings.ignoreBrokenPipes()
    if list { return try printList() }
    if let recording { return try show(recording) }
    let scenarios = try chosen()
    if let plot { try checkDirectory(of: plot) }
    var hasPassed = true
    for scenario in scenarios {
      let printer = TimelinePrinter(scenario, .standardOutput)
      if !json { printer.begin(isVirtual: virtual) }
      let outcome = try perform(scenario) { if !json { printer.show($0) } }
      if json {
        printNow(
          outcome.report.json(of: virtual ? "memory" : "tcp", outcome.figures).escapedJSON)
      } else {
        printer.end(outcome.report, outcome.figures)
      }
      hasPassed = hasPassed && outcome.report.hasPassed
      if let plot { try draw(outcome.plot, to: plot) }
    }
    if !hasPassed { throw ExitCode(1) }
  }

  private func perform(
    _ scenario: Scenario, tell: @escaping (TimelineEntry) -> Void
  ) throws -> LiveRun.Outcome {
    let seed = seed ?? Self.usualSeed
    if virtual {
      var stage = MemoryStage(scenario, seed: seed)
      let report = ScenarioRunner.run(scenario, on: &stage, tell: tell)
      let plot = Plot(of: report, from: HostTime(microseconds: 0), [:])
      return LiveRun.Outcome(report: report, figures: [], plot: plot)
    }
    return try LiveRun(scenario, seed: seed, isEncrypted: tls, showsWindows: windows).perform(
      tell: tell)
  }

  /// Prints a recording's figures, and draws its plot.
  private func show(_ path: String) throws {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      complain("there is no recording \(path)")
      throw ExitCode(66)
    }
    let recording: Recording
    do throws(Recording.Flaw) {
      recording = try Recording(Array(bytes), file: path)
    } catch {
      complain("\(error)")
      throw ExitCode(65)
    }
    if json {
      printNow(recording.report.json(of: "recording", recording.figures).escapedJSON)
    } else {
      for line in FigureTable(recording.figures).lines { printNow(line) }
    }
    if let plot { try draw(recording.plot, to: plot) }
  }

  /// Checks before a scenario of minutes that its plot has a place.
  private func checkDirectory(of path: String) throws {
    let directory = URL(filePath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: directory) else {
      throw unwritable(path)
    }
  }

  private func unwritable(_ path: String) -> any Error {
    complaint("\(path) cannot be written; give --plot a file in a directory that is there", 73)
  }

  private func draw(_ picture: Plot?, to path: String) throws {
    guard let picture else {
      complain("no two players had positions at one moment, so there is nothing to draw")
      throw ExitCode(1)
    }
    guard FileManager.default.createFile(atPath: path, contents: Data(picture.svg.utf8)) else {
      throw unwritable(path)
    }
  }

  // MARK: Finding scenarios

  private func chosen() throws -> [Scenario] {
    do {
      if all { return try Demonstration.all.map { try $0.scenario() } }
      guard let file else {
        guard let usual = Demonstration.named(Self.usualName) else {
          throw CleanExit.helpRequest(self)
        }
        return [try usual.scenario()]
      }
      return [try scenario(file)]
    } catch let error as FileError {
      complain("\(error)")
      throw ExitCode(65)
    }
  }

  /// Finds a scenario: the file with that path, one with that name in scripts/demos, or a shipped
  /// one.
  private func scenario(_ name: String) throws -> Scenario {
    for path in [name, "scripts/demos/\(name).yaml"] {
      guard let text = try contents(of: path) else { continue }
      return try ScenarioReader(file: path).read(text)
    }
    guard let shipped = Demonstration.named(name) else {
      if name == Self.browserName {
        complain("two browsers and an mpv are led by a script: run scripts/demo \(name)")
        throw ExitCode(66)
      }
      complain(
        "there is no scenario \(name), neither as a file nor shipped; see matinee demo --list")
      throw ExitCode(66)
    }
    return try shipped.scenario()
  }

  private func contents(of path: String) throws -> String? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      complain("\(path) is no text in UTF-8")
      throw ExitCode(65)
    }
    return text
  }

  private func printList() throws {
    var table = TextTable("NAME", "WHAT IT SHOWS")
    for demonstration in Demonstration.all {
      table.add(demonstration.name, try demonstration.scenario().about)
    }
    for line in table.lines { print(line) }
  }

  private func complain(_ text: String) {
    var standardError = StandardError()
    print("matinee: \(text.withoutControls)", to: &standardError)
  }
}

/// Prints a line without buffering, also into a pipe.
func printNow(_ line: String) { printPart(line + "\n") }

/// Prints the beginning of a line at once.
func printPart(_ text: String) {
  print(text, terminator: "")
  fflush(nil)
}
