public import GroupSessions

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
