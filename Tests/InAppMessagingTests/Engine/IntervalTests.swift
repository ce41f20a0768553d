import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct IntervalTests {
  /// A person to whom a message came at `0`, 30 s from any other.
  private func person(_ campaigns: [Campaign]) throws -> Person {
    var person = try Person(
      [.sample("first", on: "first")] + campaigns, intervals: [.braze])
    try person.log("first")
    try person.watch()
    return person
  }

  // Proves: R-7, §7.9
  @Test func `the distance counts to the end of the delay, and exactly there is far enough`() throws
  {
    var person = try person([
      .sample("ten", on: "ten") { $0.delay = .seconds(10) },
      .sample("less", on: "less") { $0.delay = .milliseconds(9900) },
      .sample("none", on: "none"),
      .sample("own", on: "own") { $0.interval = .atLeast(.seconds(5)) },
    ])
    let start = person.now
    var early = person
    early.now = start + .seconds(6)
    #expect(try early.log("own") == ["own"])
    person.now = start + .seconds(20)
    try person.log("less")
    #expect(person.refusal("less") == .interval)
    #expect(person.trace["less"]?.clue == .until(start + .seconds(30)))
    try person.log("ten")
    #expect(person.refusal("ten") == nil)
    #expect(try person.wait(.milliseconds(9_999)) == [])
    #expect(try person.log("none") == [])
    #expect(person.refusal("none") == .interval)
    #expect(try person.wait(.milliseconds(1)) == ["ten"])
  }

  // Proves, §7.9
  @Test func `what came meanwhile keeps a delayed message away`() throws {
    var person = try person([
      .sample("ten", on: "ten") { $0.delay = .seconds(10) },
      .sample("pushy", on: "pushy") { $0.interval = .ignore },
    ])
    try person.wait(.seconds(20))
    try person.log("ten")
    try person.wait(.seconds(5))
    #expect(try person.log("pushy") == ["pushy"])
    try person.watch()
    #expect(try person.wait(.seconds(5)) == [])
    #expect(person.refusal("ten") == .interval)
    #expect(person.user.deliveries.isEmpty)
    // Not queued, and not used up.
    try person.wait(.seconds(100))
    try person.log("ten")
    #expect(try person.wait(.seconds(10)) == ["ten"])
  }

  // Proves: R-7
  @Test func `two events at once bring one message, even before it was heard of`() throws {
    var person = try Person(
      [.sample("a"), .sample("b") { $0.priority = .init(.low) }], intervals: [.braze])
    #expect(try person.log("go") == ["a"])
    #expect(try person.log("go") == [])
    #expect(person.refusal("b") == .interval)
    // It came to nothing, so there is nothing to keep away from.
    try person.report(.refused(.orientation))
    try person.run(.clockAdvanced)
    #expect(try person.log("go") == ["a"])
  }

  // Proves: R-7
  @Test func `a message on the stack keeps none away`() throws {
    var person = try Person(
      [.sample("a"), .sample("b") { $0.priority = .init(.low) }], intervals: [.braze])
    try person.log("go")
    try person.report(.waiting)
    #expect(try person.log("go") == ["b"])
  }

  // Proves: R-7, F22
  @Test func `Firebase's rule keeps messages of the foreground a day apart, and no others`() throws
  {
    var person = try Person(
      [
        .sample("open") { $0.triggers = [.foreground] }, .sample("event"),
      ], intervals: [.firebase])
    #expect(try person.log(.foreground) == ["open"])
    try person.watch()
    #expect(try person.log("go") == ["event"])
    try person.watch()
    try person.wait(.seconds(86_399))
    #expect(try person.log(.foreground) == [])
    #expect(person.refusal("open") == .interval)
    try person.wait(.seconds(1))
    #expect(try person.log(.foreground) == ["open"])
    try person.watch()
    #expect(person.user.starts.contextual != nil)
  }

  // Proves: R-7
  @Test func `rules add up, and each counts from its own`() throws {
    var person = try Person(
      [.sample("open") { $0.triggers = [.foreground] }, .sample("event")],
      intervals: [.braze, .firebase])
    try person.log("go")
    try person.watch()
    try person.wait(.seconds(29))
    #expect(try person.log(.foreground) == [])
    try person.wait(.seconds(1))
    #expect(try person.log(.foreground) == ["open"])
  }

  // Proves, W11, S18, S36
  @Test func `a session's messages keep no distance, and none is kept from them`() throws {
    var person = try Person(
      [.sample("promo", on: "promo"), .sample("player") { $0.bindsSession = true }],
      intervals: [.braze])
    try person.log("promo")
    try person.watch()
    #expect(try person.log(.event(name: "go", properties: [:]), in: "s") == ["player"])
    let start = person.user.starts
    try person.watch()
    #expect(person.user.starts == start)
    // Also played alone, as the person asked for it.
    #expect(try person.log("go") == ["player"])
    try person.watch()
    try person.wait(.seconds(30))
    #expect(try person.log("promo") == ["promo"])
  }

  // Proves: R-7, §7.9
  @Test func `a clock that stepped back keeps no message away for long`() throws {
    var person = try Person([.sample("m")], intervals: [.braze])
    try person.log("go")
    try person.watch()
    person.now = person.now - .seconds(1_000_000)
    #expect(try person.log("go") == [])
    #expect(person.trace["m"]?.clue == .until(person.now + .seconds(30)))
  }
}
