import ArgumentParser
import EventLoops
import JSON

/// Measures a Matinee server of this build, and prints the figures beside their targets.
@main
struct MatineeBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matinee-bench",
    abstract: "Measure a server of this build.",
    discussion: """
      Starts servers of the same build on free ports, loads them with thousands of peers, and
      stops them. Other work of the machine distorts the figures; ratios suffer least, because they
      are of pairs measured in turn. Needs Linux, and 18000 descriptors (ulimit -Hn).

      The parts database, fronts and audience run only if they are named, with --database.

      So does the part syncplay. It compares two servers, Debian's syncplay-server and this one. \
      Both serve the same evening of Debian's syncplay clients with
      headless mpv, behind 10, 60 and 150 ms, and others that join late with 150 ms; then a
      thousand plain connections join one room. Each phase is measured in several rounds, in which
      the clients take turns. The medians of both servers stand side by side, with the least and
      the most, and targets are shares of the reference's own in the same run. The mark ≈ means
      that a target is missed by no more than the rounds scatter. It takes a quarter of an hour.

      Exit codes: 0 everything was measured, whether or not it meets its target; 1 something could
      not be measured; 64 wrong usage.
      """)

  @Flag(help: "A first look: fewer peers and repetitions.")
  var quick = false

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false

  @Option(help: ArgumentHelp("Measure only this; may be given more than once.", valueName: "part"))
  var only: [Part] = []

  @OptionGroup var comparison: ComparisonOptions

  @Option(
    help: ArgumentHelp(
      "A database with a journal's tables, which the parts database, fronts and audience fill.",
      valueName: "postgresql://user@host/database"))
  var database: String?

  @Option(help: .hidden)
  var people: Int?

  func validate() throws {
    guard only.contains(where: \.needsDatabase) == (database != nil) else {
      throw ValidationError("--only database, fronts or audience, and --database, go together")
    }
    guard only.contains(.syncplay) || !comparison.areGiven else {
      throw ValidationError("--delay, --rounds, --joins and --crowd go with --only syncplay")
    }
  }

  func run() throws {
    if let people { return try hold(people) }
    ProcessSettings.ignoreBrokenPipes()
    _ = try ProcessSettings.raiseDescriptorLimit()
    let machine = Machine.read()
    let stage = try Stage()
    defer { stage.close() }
    var sections: [Section] = []
    if !json { print(machine.text) }
    var effort = quick ? Effort.quick : .full
    effort.comparison = comparison.applied(to: effort.comparison)
    effort.database = database
    for part in Part.allCases where only.isEmpty ? part.isUsual : only.contains(part) {
      let section = part.measure(effort, on: stage) { line in if !json { printNow(line) } }
      sections.append(section)
      if !json { printNow(section.text) }
      stage.recover()
      if stage.isInterrupted { break }
    }
    if json { printJSON(machine, sections) }
    guard sections.allSatisfy({ $0.failure == nil }) else { throw ExitCode(1) }
  }

  /// Keeps people in memory until the process is killed, so that its memory can be measured from
  /// outside.
  private func hold(_ count: Int) throws {
    let stage = try Stage()
    var people = KnownPeople(count, campaigns: CampaignMix.campaigns(.mixed))
    people.visit()
    printNow("1")
    try withExtendedLifetime(people) {
      try stage.wait(for: "the reader of the memory", within: .seconds(600)) { false }
    }
  }

  /// Prints a line without buffering, also into a pipe.
  private func printNow(_ line: String) {
    print(line)
    ProcessSettings.flushStandardOutput()
  }

  private func printJSON(_ machine: Machine, _ sections: [Section]) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("machine", machine)
      writer.field("sections", sections)
    }
    print(String(decoding: writer.bytes, as: UTF8.self))
  }
}
