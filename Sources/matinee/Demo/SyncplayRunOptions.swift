import ArgumentParser

/// What `matinee demo syncplay` can be told beside what all demonstrations can.
struct SyncplayRunOptions: ParsableArguments {
  @Option(
    name: .customLong("delay"),
    help: ArgumentHelp(
      "With syncplay: one-way delay of the clients, in milliseconds; may be given more than once. "
        + "By default 10, 60 and 150.", valueName: "ms"))
  var delays: [Int] = []

  @Option(
    help: ArgumentHelp(
      "With syncplay: how often somebody comes late, for each delay; by default 3.",
      valueName: "n"))
  var joins: Int?

  @Option(
    help: ArgumentHelp(
      "With syncplay: how many plain connections come into one room, 0 for none; by default 1000.",
      valueName: "n"))
  var crowd: Int?

  /// Whether any of them was given.
  var areGiven: Bool { !delays.isEmpty || joins != nil || crowd != nil }

  func validate() throws {
    guard delays.allSatisfy({ (0...10_000).contains($0) }) else {
      throw ValidationError("--delay takes 0 to 10000 ms")
    }
    guard (0...100).contains(joins ?? 0) else { throw ValidationError("--joins takes 0 to 100") }
    let crowd = crowd ?? 0
    guard crowd == 0 || (2...10_000).contains(crowd) else {
      throw ValidationError("--crowd takes 0, or 2 to 10000")
    }
  }
}
