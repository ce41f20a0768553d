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

  /// The title of what is on: the media's own, which entries of a queue may have, else the activity's.
  package var currentTitle: String { media?.title ?? metadata.title }
}
