import GroupSessions
public import Vocabulary

/// One thing to play: what it is, and where it is found.
public struct MediaItem: Hashable, Sendable {
  /// Equal identifiers mean the same timeline.
  public var id: ItemID
  /// What people call it.
  public var title: String?
  /// Where a player finds it.
  public var url: String

  /// A media item; without an identifier of its own it is identified by its URL.
  public init(url: String, id: ItemID? = nil, title: String? = nil) {
    self.url = url
    self.id = id ?? ItemID(url)
    self.title = title
  }

  var value: GroupSessions.MediaItem {
    GroupSessions.MediaItem(item: id, title: title, url: url)
  }

  init(_ media: GroupSessions.MediaItem) {
    self.init(url: media.url, id: media.item, title: media.title)
  }
}

extension MediaItem: Codable {
  private enum CodingKeys: String, CodingKey {
    case item, title, url
  }

  /// Reads `url`, and `item` and `title` where there are any, as on the wire.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      url: try fields.decode(String.self, forKey: .url),
      id: try fields.decodeIfPresent(String.self, forKey: .item).map { ItemID($0) },
      title: try fields.decodeIfPresent(String.self, forKey: .title))
  }

  /// Writes the same, and no `item` that is the URL.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(url, forKey: .url)
    if id.text != url { try fields.encode(id.text, forKey: .item) }
    try fields.encodeIfPresent(title, forKey: .title)
  }
}
