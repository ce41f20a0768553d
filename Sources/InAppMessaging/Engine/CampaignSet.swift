/// All campaigns of a server, made ready to be matched.
package struct CampaignSet: Equatable, Sendable {
  /// The campaigns, in the order in which they go.
  package let campaigns: [Campaign]

  /// No campaigns.
  package init() {
    campaigns = []
  }

  /// Checks campaigns, and makes them ready.
  ///
  /// - Throws: the first thing that is wrong with them; a set is taken whole or not at all.
  package init(_ campaigns: [Campaign]) throws(CampaignProblem) {
    self.campaigns = campaigns
  }

  /// The campaign of that id.
  package subscript(id: CampaignID) -> Campaign? {
    campaigns.first { $0.id == id }
  }
}
