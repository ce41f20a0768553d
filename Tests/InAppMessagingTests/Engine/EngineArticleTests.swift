import ArticleReading
import Naming
import Testing
import Vocabulary

@testable import InAppMessaging

/// What the article says of the server's side is so.
@Suite struct EngineArticleTests {
  private let article: Article

  init() throws { article = try Article("InAppMessaging") }

  /// Everything that can keep a campaign from a person at once, but for what is taken away.
  private func refusal(lifting lifted: Int) throws -> InAppMessage.Refusal? {
    func stands(_ place: Int) -> Bool { place >= lifted }
    let now = Instant(microseconds: 1_000_000_000)
    let others = stands(1) ? 5 : stands(9) ? 1 : 0
    var person = try Person(
      [
        .sample("m", filters: [.init("x", .set)]) {
          $0.priority = .init(.low)
          $0.start = stands(2) ? now + .seconds(1) : nil
          $0.audience = stands(3) ? .not(.all) : .all
          $0.caps = stands(5) ? [.init(1, per: .ever)] : []
          $0.reEligibility = stands(6) ? .never : .after(.zero)
        }
      ]
        + (0..<others).map { number in
          .sample(CampaignID("other\(number)")) { $0.interval = .ignore }
        }, intervals: [.braze])
    let cause = Delivery.Cause(
      event: nil, triggerClass: .contextual, at: now, device: nil, session: nil)
    person.user = UserMessaging(
      id: "ann", seq: 0, attributes: [:], lists: [], collects: true, isPaused: false,
      sessionStart: now, lastSeen: now, starts: LastStarts(contextual: stands(8) ? now : nil),
      history: ImpressionLog([("m", ImpressionHistory(count: 1, last: now))]),
      deliveries: stands(4)
        ? [
          Delivery(
            id: "d", campaign: "m", variant: "a", cause: cause, expires: now + .seconds(300),
            phase: .waiting(on: "phone"))
        ] : [], lapsed: [], lost: [:], failed: stands(7) ? ["m"] : [], marks: MarkTable(),
      nextNumber: 2)
    try person.log("go", stands(0) ? [:] : ["x": .bool(true)])
    return person.refusal("m")
  }

  // Proves
  @Test func `what is asked of a campaign is asked in the article's order`() throws {
    let words = article.table("Asked of a campaign", "Word if not").compactMap { $0[1].code.first }
    #expect(words.count == 10)
    for (place, word) in words.enumerated() {
      #expect(try refusal(lifting: place)?.rawValue == word, "row \(place + 1)")
    }
    #expect(try refusal(lifting: words.count) == nil)
  }

  // Proves
  @Test func `a delivery goes the ways of the article, and no others`() throws {
    let rows = article.table("From", "What happens", "To")
    let told = Set(rows.map { [$0[0].code.first ?? $0[0], $0[2].code.first ?? $0[2]] })
    var taken: Set<[String]> = []
    for seed in MessagingModelTests.seeds {
      var world = try RandomWorld(seed: seed)
      for _ in 0..<600 { try world.step() }
      try world.finish()
      taken.formUnion(world.steps)
    }
    #expect(taken.subtracting(told) == [], "not in the article")
    #expect(told.subtracting(taken) == [], "never happens")
  }

  // Proves: R-22
  @Test func `each word of refusal has a row that says what becomes of the campaign`() throws {
    let rows = article.table("Word", "Why", "The campaign")
    #expect(
      rows.compactMap { $0[0].code.first }.sorted()
        == InAppMessage.Refusal.allCases.map(\.rawValue).sorted())
    for row in rows {
      let refusal = try #require(row[0].code.first.flatMap(InAppMessage.Refusal.init))
      var person = try Person([.sample("m") { $0.reEligibility = .never }])
      try person.log("go")
      try person.report(.refused(refusal))
      let fate =
        person.user.history["m"] != nil
        ? "is used up" : person.user.failed == ["m"] ? "rests" : "may come again"
      #expect(row[2] == fate, "\(refusal)")
      #expect(try person.log("go") == (fate == "may come again" ? ["m"] : []))
    }
  }

  @Test func `the rules of distance are as the article has them`() {
    let rules = article.table("Rule", "Keeps a distance", "From", "At least")
    #expect(rules.count == 2)
    for (row, rule) in zip(rules, [IntervalRule.braze, .firebase]) {
      func words(_ classes: Set<TriggerClass>) -> String {
        TriggerClass.allCases.filter(classes.contains).map(\.rawValue).joined(separator: ", ")
      }
      let minimum = "\(rule.minimum / .seconds(1))".replacing(".0", with: " s")
      #expect(Array(row.dropFirst()) == [words(rule.appliesTo), words(rule.startedBy), minimum])
    }
    #expect(MessagingPolicy().intervals == [.braze])
  }

  // Proves: R-11
  @Test func `templates come to what the article says`() throws {
    let rows = article.table("Template", "Result")
    #expect(rows.count == 9)
    let values = TemplateValues(
      event: .event(
        name: "play", properties: ["title": .string("Heat"), "tags": .list(["a", "b"])]),
      user: "ann")
    for row in rows {
      let template = try Template(try #require(row[0].code.first))
      #expect(template.filled(with: values) == row[1].code.first, "\(row[0])")
    }
    #expect(throws: TemplateError.self) { try Template("{% if x %}") }
  }

  @Test func `the bounds and times of the server are those that hold`() throws {
    let (policy, settings) = (MessagingPolicy(), PresenterSettings())
    let bounds = [
      "deliveries": Limits().deliveries, "fallbacks": Delivery.mostFallbacks,
      "explainedCampaigns": EvaluationTrace.limit, "stackLimit": settings.stackLimit,
      "questionLimit": settings.questionLimit,
    ]
    let patience = settings.patience
    let times = [
      "choice": patience.choice, "processing": patience.processing, "assets": patience.assets,
      "presenting": patience.presenting, "dismissing": patience.dismissing,
      "timeToLive": policy.timeToLive, "answerDeadline": policy.answerDeadline,
      "clientGrace": policy.clientGrace, "sessionTimeOut": policy.sessionTimeOut,
    ]
    #expect(settings.timeToLive == policy.timeToLive)
    var told: [String: String] = [:]
    for row in article.table("Bound", "Is") { told[row[0].code.first ?? ""] = row[1] }
    #expect(told == bounds.mapValues { "\($0)" })
    told = [:]
    for row in article.table("Time", "Is", "Then") { told[row[0].code.first ?? ""] = row[1] }
    #expect(told == times.mapValues { "\(Int($0 / .seconds(1))) s" })
  }
}
