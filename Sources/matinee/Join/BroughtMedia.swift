import MatineeClient

/// The media that a person brings, until the group watches something.
///
/// If two people bring some, the one who was there first starts theirs: a newcomer first waits for
/// what others start.
struct BroughtMedia {
  let media: MediaItem
  /// Whether the person has not tried to start it yet.
  private(set) var isWaiting = true
  /// Whether the person was in the group before the others.
  private var wasFirst = false

  /// How long the first wait for an offer that is there already, such as of a room kept for
  /// Syncplay's users; it comes right after the eligibility.
  static let lookAround = Duration.milliseconds(500)
  /// How long newcomers wait: what the first start after their own wait arrives meanwhile, also over a
  /// slow connection.
  static let courtesy = Duration.seconds(2)

  init(_ media: MediaItem) {
    self.media = media
  }

  /// How long to wait before the start; `nil` if there is nothing to start, or nobody to watch with.
  mutating func delay(_ eligibility: Eligibility) -> Duration? {
    switch eligibility {
    case .eligible: return isWaiting ? (wasFirst ? Self.lookAround : Self.courtesy) : nil
    case .ineligible(.alone):
      wasFirst = true
      return nil
    case .ineligible: return nil
    }
  }

  /// Notes that the person tries to start it.
  mutating func begin() { isWaiting = false }
}
