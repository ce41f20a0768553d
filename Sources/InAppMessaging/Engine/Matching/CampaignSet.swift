internal import Vocabulary

/// All campaigns of a server, checked and compiled, and indexed by their triggers.
package struct CampaignSet: Equatable, Sendable {
  /// In order of precedence.
  let compiled: [CompiledCampaign]
  /// The campaigns' rules, in the same order.
  let rules: [CampaignRule]
  /// The number of each campaign's audience; campaigns with equal audiences share one.
  private let audiences: [UInt16]
  private let ordinals: [CampaignID: UInt16]
  private let index: TriggerIndex

  /// No campaigns.
  package init() {
    compiled = []
    rules = []
    audiences = []
    ordinals = [:]
    index = TriggerIndex()
  }

  /// Checks and compiles campaigns.
  ///
  /// - Throws: the first problem; a set is taken as a whole or not at all.
  package init(_ campaigns: [Campaign]) throws(CampaignProblem) {
    guard campaigns.count <= CampaignLimits.campaigns else {
      throw CampaignProblem(
        nil, "", "more than \(CampaignLimits.campaigns) campaigns; take old ones away")
    }
    let live = campaigns.count { $0.state == .live }
    guard live <= CampaignLimits.liveCampaigns else {
      throw CampaignProblem(
        nil, "", "\(live) campaigns are live, of \(CampaignLimits.liveCampaigns) at most")
    }
    var compiled: [CompiledCampaign] = []
    for campaign in campaigns { compiled.append(try CompiledCampaign(campaign)) }
    compiled.sort { $0.campaign.precedes($1.campaign) }
    var ordinals: [CampaignID: UInt16] = [:]
    var index = TriggerIndex()
    for (ordinal, campaign) in compiled.enumerated() {
      let id = campaign.campaign.id
      guard ordinals.updateValue(UInt16(ordinal), forKey: id) == nil else {
        throw CampaignProblem(id, "id", "two campaigns have it; give each its own")
      }
      if campaign.campaign.state == .live { index.enter(campaign, UInt16(ordinal)) }
    }
    self.compiled = compiled
    rules = compiled.map(\.rule)
    var places: [Audience: UInt16] = [:]
    var audiences: [UInt16] = []
    for campaign in compiled {
      let place = places[campaign.campaign.audience] ?? UInt16(places.count)
      places[campaign.campaign.audience] = place
      audiences.append(place)
    }
    self.audiences = audiences
    self.ordinals = ordinals
    self.index = index
  }

  /// How many there are.
  package var count: Int { compiled.count }

  /// The campaigns, in order of precedence.
  package var campaigns: [Campaign] { compiled.map(\.campaign) }

  package subscript(id: CampaignID) -> Campaign? {
    compiled(id)?.campaign
  }

  func compiled(_ id: CampaignID) -> CompiledCampaign? {
    ordinals[id].map { compiled[Int($0)] }
  }

  /// The triggers of live campaigns that may match, in order of precedence.
  func entries(for event: TriggeringEvent) -> [TriggerIndex.Entry] {
    index.entries(for: event)
  }

  /// The evaluation of their filters for an event.
  func questions(about event: TriggeringEvent) -> EventQuestions {
    EventQuestions(event, filters: index.filters, audiences: audiences)
  }
}

extension Campaign {
  /// Precedence: by bucket, rank, start and id, so that no two campaigns tie.
  func precedes(_ other: Campaign) -> Bool {
    let left = (bucketOrder, priority.rank), right = (other.bucketOrder, other.priority.rank)
    guard left == right else { return left < right }
    guard start == other.start else {
      guard let start else { return true }
      return other.start.map { start < $0 } ?? false
    }
    return id.text.utf8.lexicographicallyPrecedes(other.id.text.utf8)
  }

  private var bucketOrder: Int {
    switch priority.bucket {
    case .high: 0
    case .medium: 1
    case .low: 2
    }
  }
}

/// Why a set of campaigns is refused: the campaign, the field, and what to do.
package struct CampaignProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The campaign; `nil` if the problem is the set's.
  package var campaign: CampaignID?
  /// Where in the campaign, by the names of its properties, such as `triggers[0].filters[1].value`.
  package var field: String
  /// What is wrong, and what to do.
  package var reason: String

  package init(_ campaign: CampaignID?, _ field: String, _ reason: String) {
    self.campaign = campaign
    self.field = field
    self.reason = reason
  }

  /// All of it in a line.
  package var description: String {
    [campaign.map { "campaign \($0)" }, field.isEmpty ? nil : field, reason]
      .compactMap(\.self).joined(separator: ": ")
  }
}
