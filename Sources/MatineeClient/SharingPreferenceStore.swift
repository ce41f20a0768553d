public import GroupSessions

/// Keeps what a person decided once and for all, where an app keeps its settings.
///
/// Asked each time an activity is prepared, so a change in the app's settings counts at once.
public protocol SharingPreferenceStore: Sendable {
  /// What is to be done with activities of a type; `nil` to ask.
  func preference(for activityIdentifier: String) async -> SharingPreference?

  /// Keeps a decision; `nil` forgets it.
  func remember(_ preference: SharingPreference?, for activityIdentifier: String) async
}

/// Keeps decisions for as long as the program runs.
public actor SharingPreferencesInMemory: SharingPreferenceStore {
  private var preferences: [String: SharingPreference] = [:]

  /// Nothing decided.
  public init() {}

  /// What was decided.
  public func preference(for activityIdentifier: String) -> SharingPreference? {
    preferences[activityIdentifier]
  }

  /// Keeps a decision.
  public func remember(_ preference: SharingPreference?, for activityIdentifier: String) {
    preferences[activityIdentifier] = preference
  }
}
