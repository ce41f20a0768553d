/// What the moment adds to a command: what belongs to the server, and who is there.
package struct MessagingConditions: Sendable {
  package var campaigns: CampaignSet
  package var policy: MessagingPolicy
  /// The person's connected devices.
  package var devices: [DevicePresence]

  /// Conditions.
  package init(
    campaigns: CampaignSet, policy: MessagingPolicy = MessagingPolicy(),
    devices: [DevicePresence] = []
  ) {
    self.campaigns = campaigns
    self.policy = policy
    self.devices = devices
  }
}
