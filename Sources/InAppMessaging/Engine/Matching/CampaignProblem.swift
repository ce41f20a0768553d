internal import Vocabulary

/// Why a set of campaigns is refused: which one, where in it, and what to do.
package struct CampaignProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The campaign; `nil` where it is the set.
  package var campaign: CampaignID?
  /// Where in the campaign, by the names of its properties, such as `triggers[0].filters[1].value`.
  package var field: String
  /// What is wrong, and what to do.
  package var reason: String

  /// A problem.
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
