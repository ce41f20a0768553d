public import GroupSessions
public import Vocabulary

/// An activity of any type, as it came: for programs that take part in whatever a group does.
///
/// ``GroupWatchClient/sessions(of:)`` of this type gives the sessions of all types of activities.
public struct AnyGroupActivity: GroupActivity {
  /// The activity as it travels.
  let value: GroupSessions.GroupActivity

  init(value: GroupSessions.GroupActivity) { self.value = value }

  /// An activity of a type that another app made.
  ///
  /// - Parameters:
  ///   - type: its ``GroupActivity/activityIdentifier``.
  ///   - payload: the coded form that the app reads.
  ///   - metadata: what an invitation shows.
  ///   - media: what is to be played, if anything is.
  /// - Throws: ``GroupWatchError/Code/notEncodable``.
  public init(
    type: String, payload: some Encodable, metadata: GroupActivityMetadata, media: MediaItem? = nil
  ) throws(GroupWatchError) {
    value = GroupSessions.GroupActivity(
      type: type, payload: try PayloadCoding.encode(payload), metadata: metadata, media: media)
  }

  /// The ``GroupActivity/activityIdentifier`` of the activity's own type.
  public var type: String { value.type }
  /// The coded form, which the app reads that made the type.
  public var payload: JSONText { value.payload }
  /// What an invitation shows.
  public var metadata: GroupActivityMetadata { value.metadata }
  /// What is to be played, if anything is.
  public var media: MediaItem? { value.media }

  /// The title of what is on: the media's own, as an entry of a queue may have it, else the activity's.
  public var title: String { value.currentTitle }
}

extension AnyGroupActivity {
  private enum CodingKeys: String, CodingKey {
    case type, payload, kind, title, subtitle, fallbackURL, previewImageURL, lifetime, media
  }

  /// Any JSON value; decoding it proves that the text is JSON.
  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  /// Reads what ``encode(to:)`` wrote, such as from an app's own settings; others are sent the activity
  /// in its own type's form.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let payload = JSONText(validated: try fields.decode(String.self, forKey: .payload))
    let lifetime = LifetimePolicy(rawValue: try fields.decode(String.self, forKey: .lifetime))
    guard let lifetime, !payload.text.hasControls else {
      throw DecodingError.dataCorruptedError(
        forKey: .payload, in: fields, debugDescription: "not the form of an AnyGroupActivity")
    }
    _ = try PayloadCoding.decode(AnyJSON.self, from: payload)
    value = GroupSessions.GroupActivity(
      type: try fields.decode(String.self, forKey: .type), payload: payload,
      metadata: GroupActivityMetadata(
        kind: try fields.decode(String.self, forKey: .kind),
        title: try fields.decode(String.self, forKey: .title),
        subtitle: try fields.decodeIfPresent(String.self, forKey: .subtitle),
        fallbackURL: try fields.decodeIfPresent(String.self, forKey: .fallbackURL),
        previewImageURL: try fields.decodeIfPresent(String.self, forKey: .previewImageURL),
        lifetime: lifetime),
      media: try fields.decodeIfPresent(MediaItem.self, forKey: .media))
  }

  /// Writes the type, the coded form, the metadata and the media.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(type, forKey: .type)
    try fields.encode(payload.text, forKey: .payload)
    try fields.encode(metadata.kind, forKey: .kind)
    try fields.encode(metadata.title, forKey: .title)
    try fields.encodeIfPresent(metadata.subtitle, forKey: .subtitle)
    try fields.encodeIfPresent(metadata.fallbackURL, forKey: .fallbackURL)
    try fields.encodeIfPresent(metadata.previewImageURL, forKey: .previewImageURL)
    try fields.encode(metadata.lifetime.rawValue, forKey: .lifetime)
    try fields.encodeIfPresent(media, forKey: .media)
  }
}
