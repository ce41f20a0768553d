public import GroupSessions
import Vocabulary

/// Something people do together: GroupActivities' `GroupActivity`.
///
/// Its coded form is what others get: enough to find the content, never state that changes. Equal
/// activities are the same thing to do.
public protocol GroupActivity: Codable, Equatable, Sendable {
  /// Names the kind of activity for all installations of the app; by default the type's full name.
  static var activityIdentifier: String { get }

  /// What an invitation shows.
  var metadata: GroupActivityMetadata { get }

  /// What is to be played, if anything is; by default nothing.
  var media: MediaItem? { get }
}

extension GroupActivity {
  /// The type's full name.
  public static var activityIdentifier: String { String(reflecting: Self.self) }

  /// Nothing.
  public var media: MediaItem? { nil }
}

extension GroupActivity {
  /// The activity as it travels.
  func value() throws(GroupWatchError) -> GroupSessions.GroupActivity {
    if let activity = self as? AnyGroupActivity { return activity.value }
    return GroupSessions.GroupActivity(
      type: Self.activityIdentifier, payload: try PayloadCoding.encode(self),
      metadata: metadata, media: media)
  }

  /// Reads an activity that travelled; `nil` if it is not of this type, or cannot be read as it.
  init?(_ value: GroupSessions.GroupActivity) {
    if let activity = AnyGroupActivity(value: value) as? Self {
      self = activity
      return
    }
    guard value.type == Self.activityIdentifier else { return nil }
    do {
      self = try PayloadCoding.decode(Self.self, from: value.payload)
    } catch {
      return nil
    }
  }
}
