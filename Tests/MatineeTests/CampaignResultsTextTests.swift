import InAppMessaging
import Naming
import Testing
import Vocabulary

@testable import matinee

/// What `matinee campaigns results` prints.
@Suite struct CampaignResultsTextTests {
  /// Results of one person who clicked a page on each of those buttons.
  private func results(clicks buttons: [String?]) -> CampaignResults {
    let cause = Delivery.Cause(
      event: nil, triggerClass: .contextual, at: Evening.began, device: "phone", session: nil)
    var results = CampaignResults()
    results.beginPerson()
    let delivery = Delivery(
      id: "m", campaign: "page", variant: "1", cause: cause, expires: Evening.began,
      phase: .offered(to: "phone", at: Evening.began))
    results.evolve(.reserved(delivery))
    for button in buttons { results.evolve(.clicked("m", button: button)) }
    return results
  }

  @Test func `without messages there is no table`() {
    #expect(CampaignResults().lines == ["no messages of campaigns"])
    #expect(CampaignResults().json == #"{"variants":[]}"#)
  }

  @Test func `the body has no name, and a page's many buttons are not all shown`() throws {
    let few = results(clicks: [nil, "shop"])
    #expect(try #require(few.lines.last).contains("1 on the body, 1 on “shop”"))
    #expect(few.json.contains(#""clicks":[{"people":1},{"button":"shop","people":1}]"#))
    let many = results(clicks: (10...19).map { "\($0)" })
    #expect(try #require(many.lines.last).contains("1 on “17”, and 2 more"))
    #expect(many.json.contains(#"{"button":"19","people":1}"#))
  }

  @Test func `until when messages may be missing is said`() {
    var results = results(clicks: [])
    results.noteGap(until: Evening.began)
    results.noteGap(until: Evening.began - .seconds(60))
    #expect(
      results.lines.last
        == "messages triggered until 2026-11-21 15:04:05 UTC may be missing: past retention")
    #expect(results.json.contains("\"completeAfter\":\(Evening.began.microseconds)"))
  }
}
