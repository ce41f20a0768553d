public import Vocabulary

/// Which campaign a message is a delivery of; Firebase's `campaignInfo`.
public struct CampaignReference: Hashable, Sendable {
  /// The campaign.
  public var id: CampaignID
  /// The author's name for it, for an app's own analytics.
  public var name: String
  /// Which variant the person is in.
  public var variant: String
  /// Sent to try it: counted apart, and shown whatever the limits.
  public var isTest: Bool
  /// Whom it is for.
  public var user: UserID

  /// A reference.
  public init(
    id: CampaignID, name: String, variant: String, isTest: Bool = false, user: UserID
  ) {
    self.id = id
    self.name = name
    self.variant = variant
    self.isTest = isTest
    self.user = user
  }
}

/// A campaign, for as long as its file is there.
public typealias CampaignID = Identifier<CampaignReference>
