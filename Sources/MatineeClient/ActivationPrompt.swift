/// Asks the person what is meant.
public protocol ActivationPrompt: Sendable {
  /// Shows the question; a dismissal, a time limit or a cancelled task is `cancel`.
  func choose(_ metadata: GroupActivityMetadata) async -> ShareChoice
}
