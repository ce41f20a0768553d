import InAppMessaging
import Vocabulary

/// The maximum number of live campaigns, of the kinds that people write.
///
/// The person has seen some of them up to their caps. Two are open to anyone who is offered
/// something. The others target other people. So an event that matches all filters makes the engine
/// evaluate all of their conditions.
enum CampaignMix {
  /// The campaigns that are triggered by ``event``.
  enum Kind: CaseIterable {
    /// Two in five; the others are triggered by the app, purchases, pushes and clicks.
    case mixed
    /// All campaigns, in addition to their own triggers.
    case alike
  }

  static let event = "item-started"
  private static let count = CampaignLimits.liveCampaigns
  private static let waiting = (0..<count).filter { $0 % 5 < 2 }
  private static let open: Set<Int> = [6, 106]
  /// The campaigns that a person has seen, each ``mostSeen`` times.
  static let seen = waiting.filter { !open.contains($0) }.prefix(20)
  static let mostSeen = 2

  static func waitingCount(_ kind: Kind) -> Int {
    kind == .alike ? count : waiting.count
  }

  /// The compiled campaigns.
  static func campaigns(_ kind: Kind) -> CampaignSet {
    do throws(CampaignProblem) {
      return try CampaignSet((0..<count).map { campaign($0, kind) })
    } catch {
      preconditionFailure("\(error)")
    }
  }

  static func id(_ number: Int) -> CampaignID {
    CampaignID("campaign-\(number)")
  }

  private static func campaign(_ number: Int, _ kind: Kind) -> Campaign {
    var triggers = [trigger(number)]
    if kind == .alike, number % 5 >= 2 {
      triggers.append(.event(name: event, filters: filters(number)))
    }
    var campaign = Campaign(
      id: id(number), name: "Campaign \(number)", triggers: triggers,
      variants: [
        Campaign.Variant(id: "a", weight: 2, .message(message(number))),
        Campaign.Variant(id: "b", .message(message(number + count))),
      ])
    campaign.audience = audience(number)
    campaign.priority = Campaign.Priority(
      Campaign.Priority.Bucket.allCases[number % 3], rank: number % 7)
    campaign.start = Instant(microseconds: Int64(number))
    if !open.contains(number) {
      campaign.caps = caps(number)
    }
    campaign.reEligibility = number % 4 == 3 ? .never : .after(.zero)
    return campaign
  }

  /// The number of a campaign's impressions that its caps need.
  static func remembered(_ number: Int) -> Int {
    caps(number).reduce(1) { most, cap in
      if case .ever = cap.window { most } else { Swift.max(most, cap.limit) }
    }
  }

  /// The caps of a campaign; the impressions of a seen campaign reach one of them.
  private static func caps(_ number: Int) -> [FrequencyCap] {
    switch number % 3 {
    case 0: [FrequencyCap(mostSeen, per: .ever)]
    case 1: [FrequencyCap(mostSeen, per: .rolling(.seconds(30 * 86_400)))]
    default:
      [
        FrequencyCap(10, per: .ever), FrequencyCap(5, per: .rolling(.seconds(7 * 86_400))),
        FrequencyCap(1, per: .session),
      ]
    }
  }
}

// MARK: Triggers

extension CampaignMix {
  private static func trigger(_ number: Int) -> Trigger {
    switch number % 20 {
    case 2: .launch
    case 3: .foreground
    case 4, 7: .sessionStart
    case 8, 9: .purchase(product: "season-\(number)", filters: [])
    case 12, 13: .pushOpened(campaign: number % 2 == 0 ? "push-\(number)" : nil)
    case 14, 17: .messageClicked(campaign: id((number + 1) % count), button: nil)
    case 18, 19: .event(name: "searched", filters: filters(number))
    default: .event(name: event, filters: filters(number))
    }
  }

  private static func filters(_ number: Int) -> [PropertyFilter] {
    let offer = PropertyFilter("isOffered", .equal, .bool(true))
    return open.contains(number) ? commonFilters(number) + [offer] : commonFilters(number)
  }

  private static func commonFilters(_ number: Int) -> [PropertyFilter] {
    switch number % 6 {
    case 0: [PropertyFilter("genre", .equal, .string("drama"))]
    case 1:
      [PropertyFilter("title", .search, .string(#"(?i)\b(season|part|reel-\#(number)) \d+\b"#))]
    case 2:
      [
        PropertyFilter("language", .notEqual, .string("de")),
        PropertyFilter("seconds", .greater, .number(Double(600 + number))),
      ]
    case 3:
      [
        PropertyFilter(
          "url", .search, .string(#"^https://[a-z]+\.example/(hall-\#(number)|drama)/[^/]+$"#))
      ]
    case 4:
      [
        PropertyFilter("tags", .search, .string("^(new|week-\(number))-")),
        PropertyFilter("released", .after, .string("2020-01-01T00:00:00Z")),
      ]
    default:
      [PropertyFilter("trailer", .unset), PropertyFilter("isForKids", .equal, .bool(false))]
    }
  }

  /// The properties of an event, which match all filters but the offer's, also the offer's, or
  /// none.
  static func properties(isMatching: Bool, isOffered: Bool) -> [String: PropertyValue] {
    [
      "genre": .string(isMatching ? "drama" : "documentary"),
      "title": .string(isMatching ? "The long way home, Season 2" : "A walk in the autumn woods"),
      "language": .string("en"), "seconds": .number(isMatching ? 3_300 : 540),
      "url": .string("https://media.example/\(isMatching ? "drama" : "nature")/4711"),
      "tags": .list([isMatching ? "new-this-week" : "calm", "subtitled"]),
      "released": .string("2024-10-03T18:00:00Z"), "isForKids": .bool(!isMatching),
      "isOffered": .bool(isOffered),
    ]
  }
}

// MARK: Audiences and messages

extension CampaignMix {
  private static func audience(_ number: Int) -> Audience {
    if open.contains(number) || seen.contains(number) { return commonAudience(number) }
    return .allOf([commonAudience(number), others(number)])
  }

  /// An audience to which every person here belongs.
  private static func commonAudience(_ number: Int) -> Audience {
    switch number % 4 {
    case 0: .all
    case 1:
      .allOf([
        .app("tv.matinee.example"), .version(.greaterOrEqual, "2.4"),
        .attribute(PropertyFilter("age", .greaterOrEqual, .number(18))),
      ])
    case 2: .anyOf([.member(of: "beta"), .member(of: "premium")])
    default:
      .not(.attribute(PropertyFilter("email", .search, .string(#"@(spam|test)\.example$"#))))
    }
  }

  /// An audience to which no person here belongs.
  private static func others(_ number: Int) -> Audience {
    switch number % 5 {
    case 0: .not(.member(of: "premium"))
    case 1: .version(.less, "2.4")
    case 2: .attribute(PropertyFilter("age", .greater, .number(120)))
    case 3: .capability("hologram")
    default: .attribute(PropertyFilter("email", .search, .string(#"@staff\.example$"#)))
    }
  }

  private static func message(_ number: Int) -> InAppMessage {
    var message = InAppMessage(
      id: MessageID(""), kind: .modal,
      body: .text(
        InAppMessage.Text(
          "You are watching {{event.title}}, {{user.name}}: the next part is there.",
          header: "Message \(number)")))
    message.buttons = [
      InAppMessage.Button(id: "0", text: "Not now"),
      InAppMessage.Button(
        id: "1", text: "More", clickAction: .deepLink("matinee://series/\(number)")),
    ]
    return message
  }
}
