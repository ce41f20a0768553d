public import GroupSessions
import Playback
import Vocabulary

extension MediaItem: Codable {
  private enum CodingKeys: String, CodingKey {
    case item, title, url, size, duration, interstitials
  }

  /// Decodes `url` and the optional fields, in the form used on the wire.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let ranges = try fields.decodeIfPresent([[Int64]].self, forKey: .interstitials) ?? []
    let interstitials = Interstitials(ranges.compactMap(InterstitialRange.init))
    guard let interstitials, interstitials.ranges.count == ranges.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .interstitials, in: fields, debugDescription: "interstitials overlap or are empty")
    }
    self.init(
      item: try fields.decodeIfPresent(String.self, forKey: .item).map { ItemID($0) },
      title: try fields.decodeIfPresent(String.self, forKey: .title),
      url: try fields.decode(String.self, forKey: .url),
      size: try fields.decodeIfPresent(FileSize.self, forKey: .size),
      duration: try fields.decodeIfPresent(Int64.self, forKey: .duration)
        .map { .microseconds($0) },
      interstitials: interstitials)
  }

  /// Encodes the same form, without default values, such as an `item` that equals the URL.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(url, forKey: .url)
    if item.text != url { try fields.encode(item.text, forKey: .item) }
    try fields.encodeIfPresent(title, forKey: .title)
    try fields.encodeIfPresent(size, forKey: .size)
    try fields.encodeIfPresent(duration?.microseconds, forKey: .duration)
    guard !interstitials.isEmpty else { return }
    let ranges = interstitials.ranges.map { [$0.start.microseconds, $0.end.microseconds] }
    try fields.encode(ranges, forKey: .interstitials)
  }
}

extension FileSize: Codable {
  /// Decodes a number of bytes, or the text of a hashed size.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    do {
      self = .bytes(try value.decode(Int64.self))
    } catch DecodingError.typeMismatch {
      self = .hashed(try value.decode(String.self))
    }
  }

  /// Encodes the same form.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .bytes(let count): try value.encode(count)
    case .hashed(let digits): try value.encode(digits)
    }
  }
}

extension InterstitialRange {
  fileprivate init?(_ ends: [Int64]) {
    guard ends.count == 2 else { return nil }
    self.init(
      start: MediaTime(microseconds: ends[0]), end: MediaTime(microseconds: ends[1]))
  }
}

/// Watching one media item together, for apps that need no activity type of their own.
public struct MediaItemActivity: GroupActivity {
  /// The item to watch.
  public let mediaItem: MediaItem

  /// Makes the activity of watching an item.
  public init(_ mediaItem: MediaItem) { self.mediaItem = mediaItem }

  /// The same identifier in every app that uses the library, because groups span apps.
  public static var activityIdentifier: String { "matinee.mediaItem" }

  /// The item's title, or the last part of its URL if it has none; a URL of the web is also the
  /// fallback for non-participants.
  ///
  /// A file has no fallback, because its path is nobody else's business.
  public var metadata: GroupActivityMetadata {
    let isWeb = ["http://", "https://"].contains { mediaItem.url.hasPrefix($0) }
    let name = mediaItem.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? "media"
    return GroupActivityMetadata(
      type: .watchTogether, title: mediaItem.title ?? Self.shortened(String(name)),
      fallbackURL: isWeb ? mediaItem.url : nil)
  }

  /// The beginning of a text that is a title no longer than servers take.
  private static func shortened(_ text: String) -> String {
    let limit = Limits().titleBytes
    var bytes = 0
    return String(
      text.prefix { character in
        bytes += character.utf8.count
        return bytes <= limit
      })
  }

  /// The item.
  public var media: MediaItem? { mediaItem }
}
