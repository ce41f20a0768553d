internal import Vocabulary

/// What decides whether a campaign comes, apart from what it then shows.
///
/// Small on purpose: an event copies the rules it looks at, and a copy of a whole campaign, with all
/// its texts, took longer than all its questions.
struct CampaignRule: Equatable, Sendable {
  let id: CampaignID
  let isLive: Bool
  let start: Instant?
  let end: Instant?
  let audience: AudienceCondition
  let caps: [FrequencyCap]
  let reEligibility: ReEligibility
  let interval: IntervalOverride
  let delay: Duration
  let bindsSession: Bool
  /// The product, push or button that each trigger waits for; `nil` for any.
  let subjects: [String?]
  /// The filters of each trigger.
  let filters: [[Condition]]

  init(_ campaign: Campaign, audience: AudienceCondition, filters: [[Condition]]) {
    id = campaign.id
    isLive = campaign.state == .live
    start = campaign.start
    end = campaign.end
    self.audience = audience
    caps = campaign.caps
    reEligibility = campaign.reEligibility
    interval = campaign.interval
    delay = campaign.delay
    bindsSession = campaign.bindsSession
    subjects = campaign.triggers.map(\.subject)
    self.filters = filters
  }

  /// The place of the filter of a trigger that an event does not meet; `nil` if it meets all.
  ///
  /// It is -1 where the event is of another product, push or button.
  ///
  /// - Parameter properties: the event's, taken out of it once for all campaigns.
  func unmetFilter(
    of trigger: Int, for event: TriggeringEvent, _ properties: [String: PropertyValue]
  ) -> Int? {
    guard subjects[trigger] == nil || subjects[trigger] == event.subject else { return -1 }
    let filters = filters[trigger]
    for place in filters.indices where !filters[place].holds(for: properties[filters[place].key]) {
      return place
    }
    return nil
  }
}
