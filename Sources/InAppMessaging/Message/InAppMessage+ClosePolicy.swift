extension InAppMessage {
  /// How a message goes away, besides by its buttons.
  public struct ClosePolicy: Hashable, Sendable {
    /// By itself, after so long in sight; `nil` never.
    public var after: Duration?
    /// Whether a swipe towards its edge closes it.
    public var bySwipe: Bool
    /// Whether it has a button to close it.
    public var byButton: Bool
    /// Whether a tap beside it closes it.
    public var byTapOutside: Bool

    /// A policy.
    public init(
      after: Duration? = nil, bySwipe: Bool = false, byButton: Bool = true,
      byTapOutside: Bool = false
    ) {
      self.after = after
      self.bySwipe = bySwipe
      self.byButton = byButton
      self.byTapOutside = byTapOutside
    }
  }

  /// When a message counts as seen.
  public enum ImpressionPolicy: Hashable, Sendable {
    /// As soon as it is presented (Braze's way).
    case onPresent
    /// After so long in sight, added up (Firebase's own views: 3 s).
    case afterVisible(Duration)
    /// When whoever draws it says so. Unsaid it does not count, and the message comes again.
    case explicit
  }
}

extension InAppMessage.ImpressionPolicy {
  /// Its word, where a word is all there is to it.
  package var name: String? {
    switch self {
    case .onPresent: "onPresent"
    case .explicit: "explicit"
    case .afterVisible: nil
    }
  }

  /// The policy of that word.
  package init?(name: String) {
    guard let policy = [Self.onPresent, .explicit].first(where: { $0.name == name }) else {
      return nil
    }
    self = policy
  }
}
