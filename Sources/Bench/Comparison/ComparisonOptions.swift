import ArgumentParser
import SyncplayComparison

/// The options of the comparison with Syncplay's programs.
struct ComparisonOptions: ParsableArguments {
  @Option(
    name: .customLong("delay"),
    help: ArgumentHelp(
      "With syncplay: one-way delay of a client, in milliseconds; given two to six times. "
        + "By default 10, 60 and 150: three clients.", valueName: "ms"))
  var delays: [Int] = []

  @Option(
    help: ArgumentHelp(
      "With syncplay: how often everything is measured; by default 3, or 1 with --quick.",
      valueName: "n"))
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      "With syncplay: how many people join late, in each round; by default 1.", valueName: "n"))
  var joins: Int?

  @Option(
    help: ArgumentHelp(
      "With syncplay: how many plain connections join one room, 0 for none; by default 1000, or 200 "
        + "with --quick.",
      valueName: "n"))
  var crowd: Int?

  /// Whether any of the options was given.
  var areGiven: Bool { !delays.isEmpty || rounds != nil || joins != nil || crowd != nil }

  func validate() throws {
    guard delays.allSatisfy({ (0...10_000).contains($0) }) else {
      throw ValidationError("--delay takes 0 to 10000 ms")
    }
    guard delays.isEmpty || (2...ComparisonScript.names.count).contains(delays.count) else {
      throw ValidationError(
        "--delay adds a client: give two to \(ComparisonScript.names.count) of them")
    }
    guard (0...100).contains(rounds ?? 0) else {
      throw ValidationError("--rounds takes 0, for the crowd alone, to 100")
    }
    guard (0...100).contains(joins ?? 0) else { throw ValidationError("--joins takes 0 to 100") }
    let crowd = crowd ?? 0
    guard crowd == 0 || (2...10_000).contains(crowd) else {
      throw ValidationError("--crowd takes 0, or 2 to 10000")
    }
  }

  /// Returns the effort with the given options applied.
  func applied(to effort: ComparisonEffort) -> ComparisonEffort {
    ComparisonEffort(
      delays: delays.isEmpty ? effort.delays : delays, rounds: rounds ?? effort.rounds,
      lateJoins: joins ?? effort.lateJoins, crowd: crowd ?? effort.crowd)
  }
}

/// How much the comparison measures.
struct ComparisonEffort {
  /// The one-way delay of each client, in milliseconds.
  var delays = [10, 60, 150]
  /// The number of rounds; with zero, only the crowd is measured, once.
  var rounds: Int
  /// The number of late joiners in each round.
  var lateJoins = 1
  /// The plain connections in one room; zero means no crowd.
  var crowd: Int

  static let full = ComparisonEffort(rounds: 3, crowd: 1000)
  static let quick = ComparisonEffort(rounds: 1, crowd: 200)
}
