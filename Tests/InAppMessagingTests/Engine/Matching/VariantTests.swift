import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct VariantTests {
  private func variant(of user: String, _ campaign: Campaign) throws -> String? {
    var person = try Person([campaign])
    person.user = UserMessaging(UserID(user))
    try person.log("go")
    return person.delivered.first?.message.campaign?.variant
  }

  // Proves: R-9
  @Test func `a person stays in a variant, and people are divided by the weights`() throws {
    let campaign = Campaign.sample("split") {
      $0.variants = [
        .init(id: "a", weight: 1, .message(.sample())),
        .init(id: "b", weight: 2, .message(.sample())),
        .init(id: "none", weight: 0, .message(.sample())), .init(id: "c", weight: 1, .control),
      ]
    }
    var counts: [String: Int] = [:]
    let people = 4_000
    for number in 0..<people {
      let variant = try #require(try variant(of: "user\(number)", campaign))
      counts[variant, default: 0] += 1
      if number < 50 { #expect(try self.variant(of: "user\(number)", campaign) == variant) }
    }
    #expect(counts["none"] == nil)
    // Chi-squared with two degrees of freedom: above 13.8 once in a thousand even divisions.
    let expected = ["a": 1_000.0, "b": 2_000, "c": 1_000]
    let spread = expected.reduce(0) { sum, part in
      let difference = Double(counts[part.key] ?? 0) - part.value
      return sum + difference * difference / part.value
    }
    #expect(spread < 13.8, "\(counts)")
  }

  // Proves: R-9
  @Test func `the division is the same on every machine and in every version`() throws {
    let campaign = Campaign.sample("split") {
      $0.variants = (0..<9).map {
        .init(id: "\($0)", weight: $0 == 8 ? 2 : 1, .message(.sample()))
      }
    }
    let variants = try (0..<12).map { try variant(of: "user\($0)", campaign) ?? "" }.joined()
    #expect(variants == "361638687125")
  }

  // Proves: R-9
  @Test func `two campaigns divide people independently`() throws {
    func campaign(_ id: CampaignID) -> Campaign {
      .sample(id) {
        $0.variants = ["a", "b"].map { .init(id: $0, .message(.sample())) }
      }
    }
    var equal = 0
    for number in 0..<2_000 {
      let user = "user\(number)"
      if try variant(of: user, campaign("one")) == variant(of: user, campaign("two")) { equal += 1 }
    }
    // Five standard deviations of 22.
    #expect((890...1_110).contains(equal))
  }
}
