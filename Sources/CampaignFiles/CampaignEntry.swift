package import InAppMessaging

/// A campaign, and where it is written.
package struct CampaignEntry: Equatable, Sendable {
  package var campaign: Campaign
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// What of it may not be meant, in the order of the file.
  package var warnings: [CampaignWarning]

  /// An entry.
  package init(
    _ campaign: Campaign, file: String, line: Int, warnings: [CampaignWarning] = []
  ) {
    self.campaign = campaign
    self.file = file
    self.line = line
    self.warnings = warnings
  }
}
