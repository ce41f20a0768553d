package import Playback
package import Vocabulary

/// What people do together: enough to find or start the content, never state that changes.
///
/// GroupActivities' `GroupActivity`: equal activities are the same thing to do.
package struct GroupActivity: Equatable, Sendable {
  /// The app's name for this kind of activity, its `activityIdentifier`.
  package var type: String
  /// The app's own value, opaque to the server.
  package var payload: JSONText
  package var metadata: GroupActivityMetadata
  /// The media item to watch, where the activity has one; the server advances the queue by it.
  package var media: MediaItem?

  /// An activity.
  package init(
    type: String, payload: JSONText, metadata: GroupActivityMetadata, media: MediaItem?
  ) {
    self.type = type
    self.payload = payload
    self.metadata = metadata
    self.media = media
  }

  /// Whether this is the same thing to do: what merges two activations into one session.
  package func isSame(as other: GroupActivity) -> Bool {
    type == other.type && payload == other.payload && media?.item == other.media?.item
  }

  /// What is on is called: entries of a queue have titles of their own, behind which the activity's
  /// stays.
  package var currentTitle: String { media?.title ?? metadata.title }
}

/// What an invitation shows of an activity: GroupActivities' `GroupActivityMetadata`.
package struct GroupActivityMetadata: Equatable, Sendable {
  /// The sort of activity, such as `watchTogether`; any text, the standard ones choose an icon.
  package var kind: String
  /// Names the activity, not the app.
  package var title: String
  package var subtitle: String?
  /// Where someone without the app is sent; identifies the content, not the site.
  package var fallbackURL: String?
  package var previewImageURL: String?
  package var lifetime: LifetimePolicy

  /// Metadata.
  package init(
    kind: String = "generic", title: String, subtitle: String? = nil, fallbackURL: String? = nil,
    previewImageURL: String? = nil, lifetime: LifetimePolicy = .automatic
  ) {
    self.kind = kind
    self.title = title
    self.subtitle = subtitle
    self.fallbackURL = fallbackURL
    self.previewImageURL = previewImageURL
    self.lifetime = lifetime
  }
}

/// When a session ends by itself: GroupActivities' `LifetimePolicy`.
package enum LifetimePolicy: String, Equatable, Sendable, CaseIterable {
  /// It lives until everyone has left.
  case automatic
  /// It ends when the person who started it has left on all their devices.
  case endsWhenInitiatorLeaves
}

/// One thing to play: what it is, and where it is found.
package struct MediaItem: Equatable, Sendable {
  /// Equal identifiers mean the same timeline; by default the URL.
  package var item: ItemID
  package var title: String?
  /// Where a player finds it: a URL, or a file's path for players that share a disk.
  package var url: String
  package var duration: Duration?
  /// The advertisements stitched into it.
  package var interstitials: Interstitials

  /// A media item; without an identifier of its own it is identified by its URL.
  package init(
    item: ItemID? = nil, title: String? = nil, url: String, duration: Duration? = nil,
    interstitials: Interstitials = Interstitials()
  ) {
    self.item = item ?? ItemID(url)
    self.title = title
    self.url = url
    self.duration = duration
    self.interstitials = interstitials
  }
}
