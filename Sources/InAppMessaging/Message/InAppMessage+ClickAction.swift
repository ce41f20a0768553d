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
