import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct CampaignResultsTests {
  private let loud = CampaignResults.Variant("sale", "loud")

  /// The events of a person in that variant who has caused the message to be sent, and of what they
  /// do.
  private func events(
    _ variant: Campaign.Variant = .init(id: "loud", .message(.sample())),
    after delay: Duration = .zero, _ deeds: (inout Person) throws -> Void = { _ in }
  ) throws -> [MessagingEvent] {
    var person = try Person([
      .sample("sale") {
        $0.variants = [variant]
        $0.delay = delay
      }
    ])
    try person.log("go")
    try deeds(&person)
    return person.events
  }

  private func results(_ people: [MessagingEvent]...) -> CampaignResults {
    var results = CampaignResults()
    for events in people {
      results.beginPerson()
      for event in events { results.evolve(event) }
    }
    return results
  }

  @Test func `people count once for what they do, and what they do counts each time`() throws {
    let often = try events { person in
      try person.report(
        .started, .impression, .clicked(button: "1"), .dismissed(.action(button: "1")))
      try person.log("go")
      try person.watch()
    }
    let once = try events { person in
      try person.report(.impression, .clicked(button: nil), .dismissed(.closeButton))
    }
    let tally = try #require(results(often, once, try events()).variants[loud])
    #expect(
      tally.people == [
        .sent: 3, .seen: 2, .clicked(button: "1"): 1, .clicked(button: nil): 1,
        .dismissed(.action): 1, .dismissed(.closeButton): 2,
      ])
    #expect(tally.times[.seen] == 3)
    #expect(tally.times[.dismissed(.closeButton)] == 2)
  }

  @Test func `a control counts those who would have seen it, and stands last`() throws {
    let seen = try events(.init(id: "a", .control)) { try $0.report(.impression) }
    let results = try results(events(), seen, events(.init(id: "a", .control)))
    let control = CampaignResults.Variant("sale", "a", isControl: true)
    #expect(results.variants.keys.sorted() == [loud, control])
    #expect(results.variants[control]?.people == [.sent: 2, .seen: 1])
  }

  @Test func `what waits for its delay or a device is not sent yet`() throws {
    let waiting = try events(after: .seconds(9))
    #expect(results(waiting).variants.isEmpty)
    let due = try events(after: .seconds(9)) { try $0.wait(.seconds(9)) }
    #expect(results(due).variants[loud]?.people == [.sent: 1])
  }

  @Test func `a trial counts for nothing`() throws {
    var person = try Person([.sample("sale")])
    try person.run(.test("sale", variant: nil, on: "phone", nil))
    try person.watch()
    #expect(person.events.count > 2)
    #expect(results(person.events).variants.isEmpty)
  }

  @Test func `a message without its first events counts nowhere, not even as another person's`()
    throws
  {
    let whole = try events { try $0.watch() }
    let start = try #require(
      whole.firstIndex { if case .reserved = $0 { true } else { false } })
    let results = results(whole, Array(whole[(start + 1)...]))
    #expect(results.variants[loud]?.people[.seen] == 1)
    #expect(results.variants[loud]?.times[.dismissed(.closeButton)] == 1)
  }
}
