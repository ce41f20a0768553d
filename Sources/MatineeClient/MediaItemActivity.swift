public import GroupSessions

/// Watching one media item together, for apps that need no activity of their own.
public struct MediaItemActivity: GroupActivity {
  /// What is watched.
  public let mediaItem: MediaItem

  /// Watching an item.
  public init(_ mediaItem: MediaItem) { self.mediaItem = mediaItem }

  /// The same for every app that uses the library: what meets is the group, not the app.
  public static var activityIdentifier: String { "matinee.mediaItem" }

  /// The item's title, or its URL where it has none; whoever cannot take part is sent to the URL.
  public var metadata: GroupActivityMetadata {
    GroupActivityMetadata(
      kind: "watchTogether", title: mediaItem.title ?? mediaItem.url, fallbackURL: mediaItem.url)
  }

  /// The item.
  public var media: MediaItem? { mediaItem }
}
