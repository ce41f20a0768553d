package import InAppMessaging
import Vocabulary

/// What the server of a scenario says to people by in-app messages.
package struct ScenarioCampaigns: Equatable, Sendable {
  /// The campaigns, ready for a coordinator.
  package let set: CampaignSet
  /// What stands in a file of them; `nil` are those that Matinee brings along.
  package let text: String?

  /// Campaigns.
  package init(_ set: CampaignSet, text: String? = nil) {
    self.set = set
    self.text = text
  }

  /// How the campaigns are called.
  var names: [String] { self.set.campaigns.map(\.id.text) }
}
