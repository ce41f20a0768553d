import ArgumentParser
import SyncplayComparison

/// What `matinee demo syncplay` can be told beside what all demonstrations can.
struct SyncplayRunOptions: ParsableArguments {
  @Option(
    name: .customLong("delay"),
    help: ArgumentHelp(
      "With syncplay: one-way delay of a client, in milliseconds; given two to six times. "
        + "By default 10, 60 and 150: three clients.", valueName: "ms"))
  var delays: [Int] = []

  @Option(
    help: ArgumentHelp(
      "With syncplay: how often all is measured; by default 3.", valueName: "n"))
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      "With syncplay: how often somebody comes late, in each round; by default 1.",
      valueName: "n"))
  var joins: Int?

  @Option(
    help: ArgumentHelp(
      "With syncplay: how many plain connections come into one room, 0 for none; by default 1000.",
      valueName: "n"))
  var crowd: Int?

  /// Whether any of them was given.
  var areGiven: Bool { !delays.isEmpty || rounds != nil || joins != nil || crowd != nil }

  func validate() throws {
    guard delays.allSatisfy({ (0...10_000).contains($0) }) else {
      throw ValidationError("--delay takes 0 to 10000 ms")
    }
    guard delays.isEmpty || (2...ComparisonScript.names.count).contains(delays.count) else {
      throw ValidationError(
        "--delay makes a client: give two to \(ComparisonScript.names.count) of them")
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
}
