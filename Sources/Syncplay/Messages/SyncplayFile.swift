import JSON
import Playback
package import Vocabulary

/// The file that somebody has open, as they told of it.
package struct SyncplayFile: Equatable, Sendable {
  /// A name, a URL, twelve hexadecimal digits of its hash, or ``hiddenName``.
  package let name: String
  /// How long it is in microseconds; 0 where the client does not know, which it says as 0 or -1.
  let length: Int64
  /// The whole object as it is relayed, with the name cut: other fields are carried through.
  package let text: JSONText

  /// What a person sends who does not tell what they watch.
  package static let hiddenName = "**Hidden filename**"
  /// What of a file is relayed beyond its name: three numbers, or a few of a third party's own.
  private static let relayedBytes = 2_048
  private static let longestDuration = 1e9

  /// A file.
  package init(name: String, duration: Duration?, text: JSONText) {
    self.name = name
    length = max(duration?.microseconds ?? 0, 0)
    self.text = text
  }

  /// How long it is; `nil` where the client does not know.
  package var duration: Duration? { length > 0 ? .microseconds(length) : nil }

  /// Reads a file; `nil` is none, as `{}` and `null` say.
  ///
  /// - Throws: the name or the duration is there and of another type.
  static func read(
    _ value: borrowing JSONValue, nameCodePoints: Int
  ) throws(DecodingFlaw) -> SyncplayFile? {
    if value.type == .null { return nil }
    let object = try value.object()
    guard let found = try object.optionalString("name", maximum: .max) else { return nil }
    let name = found.truncated(toCodePoints: nameCodePoints)
    let seconds =
      try object.optionalDouble("duration", in: -longestDuration...longestDuration) ?? 0
    let text = try relayed(object, name: name)
    return SyncplayFile(
      name: name, duration: seconds > 0 ? .microseconds(Int64(seconds * 1_000_000)) : nil,
      text: text)
  }

  private static func relayed(
    _ object: borrowing JSONObject, name: String
  ) throws(DecodingFlaw) -> JSONText {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    var room = relayedBytes
    try object.forEachField(nameMaximum: relayedBytes) { (key, value) throws(DecodingFlaw) in
      guard key != "name" else { return writer.field("name", name) }
      guard key != "path" else { return }
      let text = try value.rawJSON(maximum: .max)
      room -= key.utf8.count + text.text.utf8.count
      if room > 0 { writer.field(key, text) }
    }
    writer.endObject()
    return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// Lengths this close are the same file to the clients: containers round differently.
  private static let lengthTolerance = Duration.milliseconds(2_500)

  /// Whether two files are as long as each other, as far as both are known to be.
  func hasLength(_ other: Duration?) -> Bool {
    guard let duration, let other else { return false }
    return (duration - other).magnitude < Self.lengthTolerance
  }
}
