import InAppMessaging

/// An event of an app, by what it comes to with a ``CampaignMix``.
enum Happening: CaseIterable {
  /// It meets the filters of no campaign.
  case unmatched
  /// It meets the filters of all but the open ones, and nothing comes: of those that were seen for
  /// their caps, of the others for their audiences.
  case refused
  /// As refused, but for two campaigns that are open to it.
  case delivering

  /// In a few words.
  var name: String {
    switch self {
    case .unmatched: "matches nothing"
    case .refused: "matches all, and is refused by caps and audiences"
    case .delivering: "delivers"
    }
  }

  /// What was watched.
  var properties: [String: PropertyValue] {
    CampaignMix.properties(isMatching: self != .unmatched, isOffered: self == .delivering)
  }
}
