package import GroupSessions
import JSON
import Playback
import Signatures
package import Vocabulary

/// The file that a user has open, as the client described it.
package struct SyncplayFile: Equatable, Sendable {
  /// A file name, a URL, the first twelve hexadecimal digits of the name's hash, or
  /// `MediaItem.hiddenName`.
  package let name: String
  /// The length in microseconds; 0 if the client does not know it, which it sends as 0 or -1.
  let length: Int64
  /// The size or its hash; `nil` if the client hides it or does not know it, which it sends as 0.
  let size: FileSize?
  /// The whole object as it is relayed, with the name cut; other fields pass unchanged.
  package let text: JSONText

  /// The bound on a relayed file without its name: enough for three numbers and a few third-party
  /// fields.
  private static let relayedBytes = 2_048
  private static let longestDuration = 1e9

  /// A file.
  package init(name: String, size: FileSize? = nil, duration: Duration?, text: JSONText) {
    self.name = name
    self.size = size
    length = max(duration?.microseconds ?? 0, 0)
    self.text = text
  }

  /// The length; `nil` if the client does not know it.
  package var duration: Duration? { length > 0 ? .microseconds(length) : nil }

  /// Whether a player that stopped at a position, in seconds, has come to the file's end.
  ///
  /// Players stop at the last frame that they can show. In a short clip people would otherwise
  /// hardly be able to pause.
  func isEnd(_ position: Double) -> Bool {
    guard let length = duration?.inSeconds else { return false }
    return position >= length - min(Self.longestLastFrame, length / 10)
  }

  /// How long before a file's end, in seconds, players stop at most.
  private static let longestLastFrame = 1.0

  /// Reads a file; `nil` stands for no file, which clients send as `{}` or `null`.
  ///
  /// - Throws: if the name or the duration is present and has another type.
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
      name: name, size: size(object),
      duration: seconds > 0 ? .microseconds(Int64(seconds * 1_000_000)) : nil,
      text: text)
  }

  /// Reads the size; one of another form is relayed, but not understood here.
  private static func size(_ object: borrowing JSONObject) -> FileSize? {
    guard let value = object.optionalValue("size") else { return nil }
    do throws(DecodingFlaw) {
      if value.type != .string { return .bytes(try value.int64(in: 1...(.max))) }
      let digits = try value.string(maximum: FileHash.digits)
      return digits.isEmpty ? nil : .hashed(digits)
    } catch {
      return nil
    }
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

  /// Clients treat files as the same if their lengths differ by less, because containers round
  /// differently.
  private static let lengthTolerance = Duration.milliseconds(2_500)

  /// Whether both files have the same length; false if either length is unknown.
  func hasLength(_ other: Duration?) -> Bool {
    guard let duration, let other else { return false }
    return (duration - other).magnitude < Self.lengthTolerance
  }
}
