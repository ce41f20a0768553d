internal import Vocabulary

/// What decides whether a campaign comes once it is triggered, apart from what it then shows.
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

  init(_ campaign: Campaign, audience: AudienceCondition) {
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
  }
}
