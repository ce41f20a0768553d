import JSON
import Vocabulary

/// Somebody who is in a room by other means than Syncplay, as its clients were told of them.
struct SyncplayGuest: Equatable, Sendable {
  let name: String
  /// What they have open; `nil` is nothing.
  var film: Film?
  /// `nil`: they never said, or the server does not want to know.
  var isReady: Bool?
  /// Whether they are a host of a managed room.
  var isOperator = false

  /// What somebody has open who has no file.
  struct Film: Equatable, Sendable {
    let item: ItemID
    /// 0 where nobody knows.
    let length: Duration

    /// As a file, as clients know it.
    func text(nameCodePoints: Int) -> JSONText {
      var writer = JSONWriter(capacity: 128)
      writer.object { writer in
        writer.field("name", SyncplayRoom.name(of: item).truncated(toCodePoints: nameCodePoints))
        writer.field("duration", length.inSeconds)
        writer.field("size", 0)
      }
      return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
    }
  }
}
