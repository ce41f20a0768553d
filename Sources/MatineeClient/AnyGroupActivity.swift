public import GroupSessions
public import Vocabulary

/// An activity of any type in its coded form, for programs that handle every type of activity.
///
/// ``GroupWatchClient/sessions(of:)`` with this type returns the sessions of all activity types.
public struct AnyGroupActivity: GroupActivity {
  /// The activity as it is sent on the wire.
  let value: GroupSessions.GroupActivity

  init(value: GroupSessions.GroupActivity) { self.value = value }

  /// Makes an activity of a type that another app defines.
  ///
  /// - Parameters:
  ///   - type: the ``GroupActivity/activityIdentifier`` of that type.
  ///   - payload: the coded form that the other app decodes.
  ///   - metadata: the text and images that an invitation shows.
  ///   - media: the media to play; `nil` for an activity without media.
  /// - Throws: ``GroupWatchError/Code/notEncodable``.
  public init(
    type: String, payload: some Encodable, metadata: GroupActivityMetadata, media: MediaItem? = nil
  ) throws(GroupWatchError) {
    value = GroupSessions.GroupActivity(
      type: type, payload: try PayloadCoding.encode(payload), metadata: metadata, media: media)
  }

  /// The ``GroupActivity/activityIdentifier`` of the activity's own type.
  public var type: String { value.type }
  /// The activity's coded form, which the app that defines the type decodes.
  public var payload: JSONText { value.payload }
  /// The text and images that an invitation shows.
  public var metadata: GroupActivityMetadata { value.metadata }
  /// The media to play; `nil` for an activity without media.
  public var media: MediaItem? { value.media }

  /// The title of the current media (a queue entry can have its own), else the activity's title.
  public var title: String { value.currentTitle }
}

extension AnyGroupActivity {
  private enum CodingKeys: String, CodingKey {
    case type, payload, kind, title, subtitle, fallbackURL, previewImageURL, lifetime, media
  }

  /// Accepts any JSON value; decoding it checks that the text is JSON.
  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  /// Decodes what ``encode(to:)`` wrote, for example from an app's settings.
  ///
  /// This form is for local storage. On the wire, an activity has the form of its own type.
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
        type: ActivityType(try fields.decode(String.self, forKey: .kind)),
        title: try fields.decode(String.self, forKey: .title),
        subtitle: try fields.decodeIfPresent(String.self, forKey: .subtitle),
        fallbackURL: try fields.decodeIfPresent(String.self, forKey: .fallbackURL),
        previewImageURL: try fields.decodeIfPresent(String.self, forKey: .previewImageURL),
        lifetimePolicy: lifetime),
      media: try fields.decodeIfPresent(MediaItem.self, forKey: .media))
  }

  /// Encodes the type, the payload, the metadata and the media.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(type, forKey: .type)
    try fields.encode(payload.text, forKey: .payload)
    try fields.encode(metadata.type.text, forKey: .kind)
    try fields.encode(metadata.title, forKey: .title)
    try fields.encodeIfPresent(metadata.subtitle, forKey: .subtitle)
    try fields.encodeIfPresent(metadata.fallbackURL, forKey: .fallbackURL)
    try fields.encodeIfPresent(metadata.previewImageURL, forKey: .previewImageURL)
    try fields.encode(metadata.lifetimePolicy.rawValue, forKey: .lifetime)
    try fields.encodeIfPresent(media, forKey: .media)
  }
}
