package import Vocabulary

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
