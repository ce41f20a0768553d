package import Vocabulary

extension UserMessaging {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - command: what someone wants, or what happened to someone.
  ///   - now: the command's instant.
  ///   - conditions: the campaigns, the policy, and the person's devices.
  /// - Returns: what happened, to be numbered from `seq + 1`, and what is to be done about it.
  /// - Throws: why it may not be, with nothing changed.
  package func decide(
    _ command: MessagingCommand, at now: Instant, under conditions: MessagingConditions
  ) throws(MessagingRejection) -> MessagingDecision {
    MessagingDecision()
  }

  /// When `.clockAdvanced` is due; `nil` while only somebody's command can change anything.
  package var nextDeadline: Instant? { nil }

  /// Whether a message waits for one of the person's devices.
  package var awaitsDevice: Bool { deliveries.contains { $0.phase == .due } }

  /// Whether other campaigns would change anything.
  package var concernsCampaigns: Bool { !deliveries.isEmpty || !failed.isEmpty }
}
