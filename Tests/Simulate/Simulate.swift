import ArgumentParser
import ClusterTesting
import Vocabulary

/// Plays random evenings at a simulated cluster.
@main
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matinee-simulate",
    abstract: "Plays random evenings at a simulated cluster, in which servers, links and the "
      + "database fail.",
    discussion: """
      After every step it checks that what was acknowledged stands once, that nobody is told \
      anything else than what is kept, and numbers without a gap. At the end of an evening everybody \
      has to be in the session, with the film at the same place.
      """)

  @Option(help: "The first evening's seed; the next ones count up.")
  var seed: UInt64 = 1

  @Option(help: "How many steps all evenings together have.")
  var steps = 20_000

  @Flag(help: "Print what everybody hears and does.")
  var trace = false

  /// Long enough for several takeovers, short enough to be shortened.
  private static let stepsPerEvening = 200

  func validate() throws {
    guard steps > 0 else { throw ValidationError("--steps takes a number from 1") }
  }

  func run() throws {
    var (acknowledged, owners, events) = (0, 0, 0)
    let evenings = (steps + Self.stepsPerEvening - 1) / Self.stepsPerEvening
    for number in 0..<evenings {
      let seed = seed &+ UInt64(number)
      let count = min(Self.stepsPerEvening, steps - number * Self.stepsPerEvening)
      let script = ClusterEvening.script(of: count, seed: seed)
      let evening = ClusterEvening.played(
        seed: seed, script, trace: trace ? { print($0) } : nil)
      guard evening.flaws.isEmpty else { throw fail(seed, script, evening.flaws) }
      acknowledged += evening.acknowledgedCount
      owners += evening.ownerCount
      events += evening.eventCount
    }
    print(
      "\(steps) steps in \(evenings) evenings, \(events) events: nothing was wrong.",
      "\(acknowledged) messages were acknowledged, and \(owners - evenings) takeovers seen.")
  }

  private func fail(_ seed: UInt64, _ script: [ClusterStep], _ flaws: [String]) -> ExitCode {
    print("Seed \(seed) is wrong:")
    for flaw in flaws.prefix(5) { print("  \(flaw)") }
    if trace { return .failure }
    let shortest = ClusterStep.shortest(script) {
      !ClusterEvening.played(seed: seed, $0).flaws.isEmpty
    }
    print("The shortest script of it that is wrong has \(shortest.count) steps:")
    for step in shortest { print("  \(step)") }
    for flaw in ClusterEvening.played(seed: seed, shortest).flaws.prefix(5) { print("  \(flaw)") }
    return .failure
  }
}
