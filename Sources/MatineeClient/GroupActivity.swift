public import GroupSessions
import Vocabulary

/// Something people do together; the counterpart of GroupActivities' `GroupActivity`.
///
/// Its coded form is sent to the others. It holds enough to find the content, and no state that
/// changes. Equal activities are the same activity.
public protocol GroupActivity: Codable, Equatable, Sendable {
  /// Identifies the activity type in all installations of the app; by default the type's full name.
  static var activityIdentifier: String { get }

  /// The text and images that an invitation shows.
  var metadata: GroupActivityMetadata { get }

  /// The media to play; `nil` by default, for an activity without media.
  var media: MediaItem? { get }
}

extension GroupActivity {
  /// The type's full name.
  public static var activityIdentifier: String { String(reflecting: Self.self) }

  /// No media.
  public var media: MediaItem? { nil }
}

extension GroupActivity {
  /// The activity as it is sent on the wire.
  func value() throws(GroupWatchError) -> GroupSessions.GroupActivity {
    if let activity = self as? AnyGroupActivity { return activity.value }
    return GroupSessions.GroupActivity(
      type: Self.activityIdentifier, payload: try PayloadCoding.encode(self),
      metadata: metadata, media: media)
  }

  /// Decodes a received activity; `nil` if it has another type or cannot be decoded as this type.
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
