package import Vocabulary

extension UserMessaging {
  /// Makes what happened so, and counts it.
  package mutating func evolve(_ event: MessagingEvent, at now: Instant) {
    seq += 1
  }
}
