public import GroupSessions

/// Asks the person what is meant.
public protocol ActivationPrompt: Sendable {
  /// Shows the question; a dismissal, a time limit or a cancelled task is `cancel`.
  ///
  /// - Parameters:
  ///   - metadata: what would be shared.
  ///   - group: with whom. If it is in a ``GroupSummary/session`` already, that is about something
  ///     else, and sharing replaces it for everyone or fails, as ``BusyPolicy`` says: people want to
  ///     be warned.
  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice
}
