import Vocabulary

/// What a person wants to be told of, on all their devices.
package enum Subscription: Hashable, Sendable {
  /// What anybody says to a topic.
  case topic(TopicID)
  /// What changes in a part of a session; over when the session is.
  case object(SessionObject)

  /// Whether it is about a session.
  func concerns(_ session: SessionID) -> Bool {
    if case .object(let object) = self { object.session == session } else { false }
  }
}
