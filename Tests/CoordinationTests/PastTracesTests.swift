import InAppMessaging
import Naming
import Testing
import Vocabulary

@testable import Coordination

@Suite struct PastTracesTests {
  private func trace(_ campaign: CampaignID) -> EvaluationTrace {
    var trace = EvaluationTrace()
    trace.note([Evaluation(campaign: campaign, at: Instant(microseconds: 1), refusal: .cap)])
    return trace
  }

  @Test func `those who left last are remembered, and nobody else`() throws {
    var past = PastTraces()
    for number in 0...PastTraces.limit { past.add(trace("m"), of: UserID("u\(number)")) }
    #expect(past["u0"] == nil)
    #expect(past["u1"] != nil && past[UserID("u\(PastTraces.limit)")] != nil)
  }

  @Test func `whoever leaves again is remembered by that, for as long`() throws {
    var past = PastTraces()
    past.add(trace("old"), of: "ann")
    past.add(trace("new"), of: "ann")
    for number in 2..<PastTraces.limit { past.add(trace("m"), of: UserID("u\(number)")) }
    past.add(trace("m"), of: "ben")
    #expect(past["ann"]?["new"] != nil)
    past.add(trace("m"), of: "cat")
    #expect(past["ann"] == nil)
  }

  @Test func `of whom nothing is known nothing is kept`() {
    var past = PastTraces()
    past.add(EvaluationTrace(), of: "ann")
    #expect(past["ann"] == nil)
  }
}
