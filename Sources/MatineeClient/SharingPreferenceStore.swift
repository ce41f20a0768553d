public import GroupSessions

/// Stores the person's permanent decisions about sharing, for example in an app's settings.
///
/// It is read each time an activity is prepared, so a change in the settings takes effect at once.
public protocol SharingPreferenceStore: Sendable {
  /// Returns the decision for an activity type; `nil` to ask the person.
  func preference(for activityIdentifier: String) async -> SharingPreference?

  /// Stores a decision; `nil` deletes it.
  func remember(_ preference: SharingPreference?, for activityIdentifier: String) async
}

/// Stores decisions in memory until the program exits.
public actor SharingPreferencesInMemory: SharingPreferenceStore {
  private var preferences: [String: SharingPreference] = [:]

  /// Makes an empty store.
  public init() {}

  /// Returns the stored decision; `nil` if there is none.
  public func preference(for activityIdentifier: String) -> SharingPreference? {
    preferences[activityIdentifier]
  }

  /// Stores a decision; `nil` deletes it.
  public func remember(_ preference: SharingPreference?, for activityIdentifier: String) {
    preferences[activityIdentifier] = preference
  }
}
