import JSON
import Vocabulary

// The words of the vocabulary as fields; each once required and once optional, where both occur.

extension JSONValue {
  /// A text that is not empty.
  func word(maximum: Int) throws(DecodingFlaw) -> String {
    let text = try string(maximum: maximum)
    guard !text.isEmpty else { throw outOfRange(allowed: "a text that is not empty") }
    return text
  }

  func identifier<Kind>(
    maximum: Int? = nil, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Identifier<Kind> {
    let text = try word(maximum: maximum ?? bounds.identifierBytes)
    guard bounds.identifiersMayHoldControls || !text.hasControls else {
      throw outOfRange(allowed: "a text without control characters")
    }
    return Identifier(text)
  }

  func rate() throws(DecodingFlaw) -> Rate {
    let range = Rate.slowest.factor...Rate.fastest.factor
    guard let rate = Rate(try double(in: range)) else {
      throw outOfRange(allowed: "between \(range.lowerBound) and \(range.upperBound)")
    }
    return rate
  }
}

extension JSONObject {
  func word(_ name: String, maximum: Int) throws(DecodingFlaw) -> String {
    try value(name).word(maximum: maximum)
  }

  func identifier<Kind>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Identifier<Kind> {
    try value(name).identifier(within: bounds)
  }

  func optionalIdentifier<Kind>(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Identifier<Kind>? {
    try optionalValue(name)?.identifier(within: bounds)
  }

  func item(_ name: String = "item", within bounds: FieldBounds) throws(DecodingFlaw) -> ItemID {
    ItemID(try value(name).word(maximum: bounds.itemBytes))
  }

  func optionalItem(
    _ name: String = "item", within bounds: FieldBounds
  ) throws(DecodingFlaw) -> ItemID? {
    guard let value = optionalValue(name) else { return nil }
    return ItemID(try value.word(maximum: bounds.itemBytes))
  }

  func instant(_ name: String, within bounds: FieldBounds) throws(DecodingFlaw) -> Instant {
    Instant(microseconds: try int64(name, in: bounds.times))
  }

  func optionalInstant(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Instant? {
    try optionalInt64(name, in: bounds.times).map { Instant(microseconds: $0) }
  }

  func mediaTime(
    _ name: String = "mediaTime", within bounds: FieldBounds
  ) throws(DecodingFlaw) -> MediaTime {
    MediaTime(microseconds: try int64(name, in: bounds.times))
  }

  func optionalMediaTime(
    _ name: String = "mediaTime", within bounds: FieldBounds
  ) throws(DecodingFlaw) -> MediaTime? {
    try optionalInt64(name, in: bounds.times).map { MediaTime(microseconds: $0) }
  }

  func duration(_ name: String, within bounds: FieldBounds) throws(DecodingFlaw) -> Duration {
    .microseconds(try int64(name, in: bounds.times))
  }

  func optionalDuration(
    _ name: String, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Duration? {
    try optionalInt64(name, in: bounds.times).map { .microseconds($0) }
  }

  func rate(_ name: String = "rate") throws(DecodingFlaw) -> Rate {
    try value(name).rate()
  }

  func optionalRate(_ name: String = "rate") throws(DecodingFlaw) -> Rate? {
    try optionalValue(name)?.rate()
  }

  /// A number that counts: a seq, a revision, a suspension.
  func count(_ name: String) throws(DecodingFlaw) -> Int {
    Int(try int64(name, in: FieldBounds.exactIntegers))
  }

  func optionalCount(_ name: String) throws(DecodingFlaw) -> Int? {
    try optionalInt64(name, in: FieldBounds.exactIntegers).map { Int($0) }
  }

  func requestID() throws(DecodingFlaw) -> RequestID {
    try int64("id", in: FieldBounds.exactIntegers)
  }

  /// Something that is only said where it is so.
  func flag(_ name: String) throws(DecodingFlaw) -> Bool {
    try optionalBool(name) ?? false
  }

  /// An application's own value, carried through; absent and null are both `null`.
  func payload(_ name: String = "payload", maximum: Int) throws(DecodingFlaw) -> JSONText {
    try optionalRawJSON(name, maximum: maximum) ?? .null
  }
}

extension JSONText {
  /// The value of a payload that nobody gave.
  static let null = JSONText(validated: "null")
}
