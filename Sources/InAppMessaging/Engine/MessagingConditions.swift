package import Vocabulary

/// What the moment adds to a command: what belongs to the server, and who is there.
package struct MessagingConditions: Sendable {
  package var campaigns: CampaignSet
  package var policy: MessagingPolicy
  package var limits: Limits
  /// The person's connected devices.
  package var devices: [DevicePresence]
  /// Another number after each time that anybody was forgotten: ids of deliveries differ by it even
  /// at one instant.
  package var salt: UInt64

  /// Conditions.
  package init(
    campaigns: CampaignSet, policy: MessagingPolicy = MessagingPolicy(),
    limits: Limits = Limits(), devices: [DevicePresence] = [], salt: UInt64 = 0
  ) {
    self.campaigns = campaigns
    self.policy = policy
    self.limits = limits
    self.devices = devices
    self.salt = salt
  }
}
