public import Playback
public import Vocabulary

/// What people do together: enough to find or start the content, without any state that changes.
///
/// Like GroupActivities' `GroupActivity`; equal activities mean doing the same thing.
package struct GroupActivity: Equatable, Sendable {
  /// The app's name for this kind of activity, its `activityIdentifier`.
  package var type: String
  /// The app's own data; the server does not interpret it.
  package var payload: JSONText
  package var metadata: GroupActivityMetadata
  /// The media item to watch, if the activity has one; the server changes it when the queue
  /// advances.
  package var media: MediaItem?

  package init(
    type: String, payload: JSONText, metadata: GroupActivityMetadata, media: MediaItem?
  ) {
    self.type = type
    self.payload = payload
    self.metadata = metadata
    self.media = media
  }

  /// Whether both mean doing the same thing; two activations of the same activity share a session.
  package func isSame(as other: GroupActivity) -> Bool {
    type == other.type && payload == other.payload && media?.item == other.media?.item
  }

  /// The title of the current content: the media's own title if it has one, else the activity's.
  package var currentTitle: String { media?.title ?? metadata.title }
}

/// What an invitation shows of an activity, like GroupActivities' `GroupActivityMetadata`.
public struct GroupActivityMetadata: Hashable, Sendable {
  /// What people do in it, which chooses an icon.
  public var type: ActivityType
  /// The name of the activity, not of the app.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// A link for people without the app; it identifies the content, not the site.
  public var fallbackURL: String?
  /// The address of a preview image.
  public var previewImageURL: String?
  /// When the session ends by itself.
  public var lifetimePolicy: LifetimePolicy

  /// Makes metadata; a title is required, because invitations show it.
  public init(
    type: ActivityType = .generic, title: String, subtitle: String? = nil,
    fallbackURL: String? = nil,
    previewImageURL: String? = nil, lifetimePolicy: LifetimePolicy = .automatic
  ) {
    self.type = type
    self.title = title
    self.subtitle = subtitle
    self.fallbackURL = fallbackURL
    self.previewImageURL = previewImageURL
    self.lifetimePolicy = lifetimePolicy
  }
}

/// What people do in an activity, like GroupActivities' `ActivityType`.
public struct ActivityType: Hashable, Sendable {
  /// The type as the protocol encodes it.
  public let text: String

  /// A standard type, or one of an app's own.
  public init(_ text: String) { self.text = text }

  /// Anything.
  public static let generic = ActivityType("generic")
  /// Films and series.
  public static let watchTogether = ActivityType("watchTogether")
  /// Music and podcasts.
  public static let listenTogether = ActivityType("listenTogether")
  /// Games.
  public static let playTogether = ActivityType("playTogether")
  /// Sports.
  public static let workoutTogether = ActivityType("workoutTogether")
  /// Shops.
  public static let shopTogether = ActivityType("shopTogether")
  /// Books and articles.
  public static let readTogether = ActivityType("readTogether")
  /// Places.
  public static let exploreTogether = ActivityType("exploreTogether")
  /// Courses.
  public static let learnTogether = ActivityType("learnTogether")
  /// Drawings, texts and other works.
  public static let createTogether = ActivityType("createTogether")
}

/// When a session ends by itself, like GroupActivities' `LifetimePolicy`.
public enum LifetimePolicy: String, Hashable, Sendable, CaseIterable {
  /// It ends when everyone has left.
  case automatic
  /// It ends when the person who started it has left on all their devices.
  case endsWhenInitiatorLeaves
}

/// A piece of media: its identity and its location.
public struct MediaItem: Hashable, Sendable {
  /// Items with equal identifiers share a timeline; the default is the URL.
  public var item: ItemID
  /// The title that people see.
  public var title: String?
  /// Where a player finds it: a URL, the name of a file of which each person has an own copy, or a
  /// file path for players that share a disk.
  public var url: String
  /// The size of the file from which it was shared; `nil` if its owner does not tell it.
  public var size: FileSize?
  /// Its duration, at least a second, if it is known in advance; `nil` leaves it to the players.
  public var duration: Duration?
  /// The advertisements in it.
  public var interstitials: Interstitials

  /// The name of a file whose owner hides it, the one that Syncplay's clients use, too.
  package static let hiddenName = "**Hidden filename**"

  /// Makes a media item; without an identifier, the URL identifies it.
  public init(
    item: ItemID? = nil, title: String? = nil, url: String, size: FileSize? = nil,
    duration: Duration? = nil, interstitials: Interstitials = Interstitials()
  ) {
    self.item = item ?? ItemID(url)
    self.title = title
    self.url = url
    self.size = size
    self.duration = duration
    self.interstitials = interstitials
  }
}

/// A file's size, as its owner tells it to others.
public enum FileSize: Hashable, Sendable {
  /// The number of bytes.
  case bytes(Int64)
  /// The first twelve hexadecimal digits of the SHA-256 of the decimal number of bytes.
  ///
  /// It lets others compare the size with that of their own copy. Syncplay's clients hide sizes in
  /// this form.
  case hashed(String)
}

/// One entry of a session's queue; several entries may have the same media.
public struct QueueEntry: Hashable, Identifiable, Sendable {
  /// Identifies the entry; never reused in the session.
  public let id: EntryID
  /// The media to play.
  public let media: MediaItem
  /// The participant who added it; `nil` for the media that the session began with.
  public let addedBy: ParticipantID?

  package init(id: EntryID, media: MediaItem, addedBy: ParticipantID?) {
    self.id = id
    self.media = media
    self.addedBy = addedBy
  }
}

/// What plays after an entry of the queue.
public enum RepeatMode: String, Hashable, Sendable, CaseIterable {
  /// The next one; nothing after the last.
  case off
  /// The same one again.
  case one
  /// The next one; the first after the last.
  case all
}
