import GroupSessions
public import Vocabulary

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

/// What an invitation shows of an activity.
public struct GroupActivityMetadata: Hashable, Sendable {
  /// The sort of activity, such as `watchTogether`.
  public var kind: String
  /// Names the activity, not the app.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// Where someone without the app is sent; identifies the content, not the site.
  public var fallbackURL: String?
  /// Whether the session ends when the person who started it has left on all devices.
  public var endsWhenInitiatorLeaves = false

  /// Metadata with a title, which no invitation can do without.
  public init(
    title: String, kind: String = "generic", subtitle: String? = nil, fallbackURL: String? = nil
  ) {
    self.title = title
    self.kind = kind
    self.subtitle = subtitle
    self.fallbackURL = fallbackURL
  }
}

/// One thing to play: what it is, and where it is found.
public struct MediaItem: Hashable, Sendable {
  /// Equal identifiers mean the same timeline.
  public var id: ItemID
  /// What people call it.
  public var title: String?
  /// Where a player finds it.
  public var url: String

  /// A media item; without an identifier of its own it is identified by its URL.
  public init(url: String, id: ItemID? = nil, title: String? = nil) {
    self.url = url
    self.id = id ?? ItemID(url)
    self.title = title
  }

  var value: GroupSessions.MediaItem {
    GroupSessions.MediaItem(item: id, title: title, url: url)
  }

  init(_ media: GroupSessions.MediaItem) {
    self.init(url: media.url, id: media.item, title: media.title)
  }
}

extension GroupActivity {
  /// The activity as it travels.
  func value() throws(GroupWatchError) -> GroupSessions.GroupActivity {
    GroupSessions.GroupActivity(
      type: Self.activityIdentifier, payload: try PayloadCoding.encode(self),
      metadata: GroupSessions.GroupActivityMetadata(
        kind: metadata.kind, title: metadata.title, subtitle: metadata.subtitle,
        fallbackURL: metadata.fallbackURL,
        lifetime: metadata.endsWhenInitiatorLeaves ? .endsWhenInitiatorLeaves : .automatic),
      media: media?.value)
  }

  /// Reads an activity that travelled; `nil` if it is not of this type, or cannot be read as it.
  init?(_ value: GroupSessions.GroupActivity) {
    guard value.type == Self.activityIdentifier else { return nil }
    do {
      self = try PayloadCoding.decode(Self.self, from: value.payload)
    } catch {
      return nil
    }
  }
}
