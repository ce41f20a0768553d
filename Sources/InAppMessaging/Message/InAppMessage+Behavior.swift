extension InAppMessage {
  /// What a click does, besides closing the message.
  public indirect enum ClickAction: Hashable, Sendable {
    /// Nothing more.
    case close
    /// Opens a page, in the app or in a browser.
    case open(url: String, inApp: Bool)
    /// Goes to a place in the app.
    case deepLink(String)
    /// Logs an event, as the app could itself.
    case logEvent(name: String, properties: [String: PropertyValue])
    /// Sets something that is known of the person.
    case setAttribute(key: String, value: PropertyValue)
    /// Asks for leave to send notifications.
    case requestPushPermission
    /// Does something in the session that the message belongs to.
    case session(SessionAction)
    /// One after the other.
    case sequence([ClickAction])
  }

  /// What a button can do in a session.
  public enum SessionAction: String, Hashable, Sendable, CaseIterable {
    case join
    case leave
    case decline
    /// Shares what is played here with everyone in the group.
    case startForAll
  }
}

extension InAppMessage.ClickAction {
  /// What a click can do, in a word.
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

  /// How it is called, whatever it is done with.
  package var name: Name {
    switch self {
    case .close: .close
    case .open: .open
    case .deepLink: .deepLink
    case .logEvent: .logEvent
    case .setAttribute: .setAttribute
    case .requestPushPermission: .requestPushPermission
    case .session: .session
    case .sequence: .sequence
    }
  }
}

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
