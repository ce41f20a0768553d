import JSON
import Vocabulary

/// A person in a room without a client of Syncplay, as Syncplay's clients were told.
struct SyncplayGuest: Equatable, Sendable {
  let name: String
  /// What they have open; `nil` if nothing.
  var film: Film?
  /// `nil` if they never said, or the server has no readiness.
  var isReady: Bool?
  /// Whether they are a host of a managed room.
  var isOperator = false

  /// What a person has open who has no file.
  struct Film: Equatable, Sendable {
    let item: ItemID
    /// 0 if unknown.
    let length: Duration

    /// The film as a file, in the form that clients know.
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

extension SyncplayListedRoom.User {
  /// A client's person, in a List.
  init(_ user: SyncplayUser) {
    self.init(
      name: user.name, file: user.file?.text, isOperator: user.isOperator, isReady: user.isReady,
      features: user.features)
  }

  /// A guest, in a List.
  init(_ guest: SyncplayGuest, fileNameCodePoints: Int) {
    self.init(
      name: guest.name, file: guest.film?.text(nameCodePoints: fileNameCodePoints),
      isOperator: guest.isOperator, isReady: guest.isReady, features: nil)
  }
}
