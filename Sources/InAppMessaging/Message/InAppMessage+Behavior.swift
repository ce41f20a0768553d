extension InAppMessage {
  /// What a click does, besides closing the message.
  public indirect enum ClickAction: Hashable, Sendable {
    /// Does nothing more.
    case close
    /// Opens a page, in the app or in a browser.
    case open(url: String, inApp: Bool)
    /// Goes to a place in the app.
    case deepLink(String)
    /// Logs an event, as the app could itself.
    case logEvent(name: String, properties: [String: PropertyValue])
    /// Sets an attribute of the person.
    case setAttribute(key: String, value: PropertyValue)
    /// Asks for permission to send notifications.
    case requestPushPermission
    /// Does something in the session that the message belongs to.
    case session(SessionAction)
    /// One after the other.
    case sequence([ClickAction])
  }

  /// What a button can do in a session.
  public enum SessionAction: String, Hashable, Sendable, CaseIterable {
    /// Joins the session.
    case join
    /// Leaves the session.
    case leave
    /// Declines to join the session.
    case decline
    /// Shares what is played here with everyone in the group.
    case startForAll
  }
}

extension InAppMessage.ClickAction {
  /// The kinds of click actions.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case close
    case open
    case deepLink
    case logEvent
    case setAttribute
    case requestPushPermission
    case session
    case sequence
  }
}

extension InAppMessage {
  /// How a message is dismissed, besides by its buttons.
  public struct ClosePolicy: Hashable, Sendable {
    /// How long in sight until it is dismissed on its own; `nil` is never.
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
    /// When the view says so. If it never does, there is no impression, and the message comes
    /// again.
    case explicit
  }
}

extension InAppMessage.ImpressionPolicy {
  /// The policy's name, if it has no parameter.
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
