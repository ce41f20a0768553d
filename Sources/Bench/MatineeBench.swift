import ArgumentParser
import EventLoops
import JSON
import Vocabulary

/// Measures a Matinee server of this build, and prints the figures beside their targets.
@main
struct MatineeBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matinee-bench",
    abstract: "Measure a server of this build.",
    discussion: """
      Starts servers of the same build on free ports, loads them with thousands of peers, and
      stops them. Whatever else the machine does falls on the figures; ratios are of pairs
      measured in turn, and suffer least. Needs Linux, and 18000 descriptors (ulimit -Hn).

      Exit codes: 0 everything was measured, whether or not it meets its target; 1 something could
      not be measured; 64 wrong usage.
      """)

  @Flag(help: "A first look: fewer peers and repetitions.")
  var quick = false

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false

  @Option(help: ArgumentHelp("Measure only this; may be given more than once.", valueName: "part"))
  var only: [Part] = []

  @Option(help: .hidden)
  var people: Int?

  func run() throws {
    if let people { return try hold(people) }
    ProcessSettings.ignoreBrokenPipes()
    _ = try ProcessSettings.raiseDescriptorLimit()
    let machine = Machine.read()
    let stage = try Stage()
    defer { stage.close() }
    var sections: [Section] = []
    if !json { print(machine.text) }
    for part in Part.allCases where only.isEmpty || only.contains(part) {
      let section = part.measure(quick ? .quick : .full, on: stage)
      sections.append(section)
      if !json { print(section.text) }
      ProcessSettings.flushStandardOutput()
      stage.recover()
    }
    if json { printJSON(machine, sections) }
    guard sections.allSatisfy({ $0.failure == nil }) else { throw ExitCode(1) }
  }

  /// Knows people until it is killed, so that their memory can be read from outside.
  private func hold(_ count: Int) throws {
    let stage = try Stage()
    var people = KnownPeople(count, campaigns: CampaignMix.campaigns(.mixed))
    people.visit()
    print(1)
    ProcessSettings.flushStandardOutput()
    try withExtendedLifetime(people) {
      try stage.wait(for: "whoever reads the memory", within: .seconds(600)) { false }
    }
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
