import GroupSessions
import JSON
import Playback
import Vocabulary

extension GroupActivity: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("type", type)
    writer.field("metadata", metadata)
    writer.payload(payload)
    writer.field("media", media)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      type: try object.string("type", maximum: bounds.identifierBytes),
      payload: try object.payload(maximum: bounds.activityBytes, levels: bounds.payloadLevels),
      metadata: try GroupActivityMetadata(decoding: object.object("metadata"), within: bounds),
      media: try MediaItem(decodingFieldOf: object, within: bounds))
  }
}

extension GroupActivityMetadata: Fields {
  /// Writes the fields; defaults are left out.
  func encodeFields(into writer: inout JSONWriter) {
    if type != .generic { writer.field("kind", type.text) }
    writer.field("title", title)
    writer.field("subtitle", subtitle)
    writer.field("fallbackURL", fallbackURL)
    writer.field("previewImageURL", previewImageURL)
    if lifetimePolicy != .automatic { writer.field("lifetime", word: lifetimePolicy) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      type: try object.optionalString("kind", maximum: bounds.identifierBytes)
        .map(ActivityType.init) ?? .generic,
      title: try object.string("title", maximum: bounds.titleBytes),
      subtitle: try object.optionalString("subtitle", maximum: bounds.titleBytes),
      fallbackURL: try object.optionalString("fallbackURL", maximum: bounds.itemBytes),
      previewImageURL: try object.optionalString("previewImageURL", maximum: bounds.itemBytes),
      lifetimePolicy: try object.optionalChoice("lifetime") ?? .automatic)
  }
}

extension MediaItem: Fields {
  /// Writes the fields; an identifier that equals the URL is left out.
  func encodeFields(into writer: inout JSONWriter) {
    if item.text != url { writer.field("item", item) }
    writer.field("title", title)
    writer.field("url", url)
    size?.encodeField(into: &writer)
    writer.field("duration", duration)
    interstitials.encodeField(into: &writer)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      item: try object.read(.item, within: bounds),
      title: try object.optionalString("title", maximum: bounds.titleBytes),
      url: try object.word("url", maximum: bounds.itemBytes),
      size: try FileSize(decodingFieldOf: object),
      duration: try object.read("duration", within: bounds),
      interstitials: try Interstitials(decodingFieldOf: object, within: bounds))
  }

  init?(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let media = try object.optionalObject("media") else { return nil }
    try self.init(decoding: media, within: bounds)
  }
}

extension FileSize {
  private static let field = "size"
  /// Digits of a hashed size.
  private static let digits = 12

  fileprivate func encodeField(into writer: inout JSONWriter) {
    switch self {
    case .bytes(let count): writer.field(Self.field, count)
    case .hashed(let digits): writer.field(Self.field, digits)
    }
  }

  fileprivate init?(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    guard let value = object.optionalValue(Self.field) else { return nil }
    if value.type == .string {
      self = .hashed(try object.word(Self.field, maximum: Self.digits))
    } else {
      self = .bytes(try value.int64(in: 0...(.max)))
    }
  }
}
