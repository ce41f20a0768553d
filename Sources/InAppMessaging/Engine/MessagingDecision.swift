package import Vocabulary

/// The engine's answer to a command.
package struct MessagingDecision: Equatable, Sendable {
  /// What happened, to be kept and made so, in order.
  package internal(set) var events: [MessagingEvent] = []
  /// What is to be done once the events are kept.
  package internal(set) var effects: [MessagingEffect] = []
  /// Why campaigns were chosen or not; for ``EvaluationTrace``, not to be kept.
  package internal(set) var evaluations: [Evaluation] = []
  /// Whether the event was taken before: to be acknowledged, and nothing else.
  package internal(set) var isRepeat = false
  /// Whether an event was looked at that no live campaign waits for.
  package internal(set) var matchesNothing = false

  init() {}
}

/// What a shell does for the engine.
package enum MessagingEffect: Equatable, Sendable {
  /// Sends a message to a device. Until that instant it may come on the screen, unless it waits on
  /// the stack; sent again with the same id, it is the same delivery.
  ///
  /// - `wasSeen`: it counts as seen already, and is not to count again.
  indirect case deliver(InAppMessage, to: DeviceID, expires: Instant, wasSeen: Bool = false)
  /// Takes a message back from a device, from the screen only where forced.
  case withdraw(MessageID, from: DeviceID, because: InAppMessage.Refusal, isForced: Bool)
  /// Something that its author should hear of.
  case warn(MessagingWarning)
}

/// What went wrong without an error.
package enum MessagingWarning: Equatable, Sendable {
  /// A message was shown and went away without having been reported as seen: it will come again.
  case impressionMissing(MessageID, CampaignID)
}
