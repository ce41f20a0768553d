public import Playback
public import Vocabulary

/// What an invitation shows of an activity: GroupActivities' `GroupActivityMetadata`.
public struct GroupActivityMetadata: Hashable, Sendable {
  /// The kind of activity, such as `watchTogether`: any text; the standard ones choose an icon.
  public var kind: String
  /// Names the activity, not the app.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// Where someone without the app is sent; identifies the content, not the site.
  public var fallbackURL: String?
  /// Where a picture of it is found.
  public var previewImageURL: String?
  /// When the session ends by itself.
  public var lifetime: LifetimePolicy

  /// Metadata with a title, which no invitation can do without.
  public init(
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
public enum LifetimePolicy: String, Hashable, Sendable, CaseIterable {
  /// It lives until everyone has left.
  case automatic
  /// It ends when the person who started it has left on all their devices.
  case endsWhenInitiatorLeaves
}

/// One thing to play: what it is, and where it is found.
public struct MediaItem: Hashable, Sendable {
  /// Equal identifiers mean the same timeline; by default the URL.
  public var item: ItemID
  /// What people call it.
  public var title: String?
  /// Where a player finds it: a URL, or a file's path for players that share a disk.
  public var url: String
  /// How long it is, where that is known beforehand; `nil` leaves it to the players.
  public var duration: Duration?
  /// The advertisements stitched into it.
  public var interstitials: Interstitials

  /// A media item; without an identifier of its own it is identified by its URL.
  public init(
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

/// One place in a session's queue; the same media may stand in several.
public struct QueueEntry: Hashable, Identifiable, Sendable {
  /// Names the place; never used again in the session.
  public let id: EntryID
  /// What is to be played.
  public let media: MediaItem
  /// Who put it there; `nil` for what the session began with.
  public let addedBy: ParticipantID?

  /// An entry.
  package init(id: EntryID, media: MediaItem, addedBy: ParticipantID?) {
    self.id = id
    self.media = media
    self.addedBy = addedBy
  }
}

/// What follows an entry of the queue.
public enum RepeatMode: String, Hashable, Sendable, CaseIterable {
  /// The next one, and nothing after the last.
  case off
  /// The same again.
  case one
  /// The next one, and the first after the last.
  case all
}
