import JSON
import Vocabulary

/// A List with as much detail for each user as fits a line; fields that official clients can do
/// without are dropped first.
struct SyncplayList: JSONWritable {
  /// How much is written about each user, from most to least.
  enum Detail: Int, CaseIterable {
    case features
    /// Clients treat missing features as unknown.
    case files
    /// Only the field `file` has to be present; official clients fail without it.
    case names

    /// A lower bound on the bytes of one user.
    fileprivate func bytesMinimum(of user: SyncplayListedRoom.User) -> Int {
      switch self {
      case .features where user.features != nil: 200
      case .features, .files: 60
      case .names: 40
      }
    }
  }

  let rooms: [SyncplayListedRoom]
  let detail: Detail

  /// Writes the most detailed List that fits the number of bytes.
  ///
  /// If even the names do not fit, the last rooms and users are left out, so the reader's own room
  /// should come first.
  static func fitting(
    _ rooms: [SyncplayListedRoom], in maximum: Int, _ writer: inout JSONWriter
  ) {
    for detail in Detail.allCases where bytesMinimum(of: rooms, detail) <= maximum {
      writer.removeAll()
      writer.object { $0.field("List", SyncplayList(rooms: rooms, detail: detail)) }
      if writer.bytes.count <= maximum { return }
    }
    writer.removeAll()
    writer.object { writer in
      writer.object("List") { writer in
        for room in rooms { writeNames(room, maximum, &writer) }
      }
    }
  }

  /// A lower bound on the List's length, so that a List of a thousand users is not written three
  /// times only to be discarded.
  private static func bytesMinimum(of rooms: [SyncplayListedRoom], _ detail: Detail) -> Int {
    rooms.reduce(0) { sum, room in
      room.users.reduce(sum) { $0 + detail.bytesMinimum(of: $1) }
    }
  }

  private static func writeNames(
    _ room: SyncplayListedRoom, _ maximum: Int, _ writer: inout JSONWriter
  ) {
    // The end of the room and of the line, and the quotes and comma around a name, at their
    // longest.
    let margin = 16
    guard writer.bytes.count + 6 * room.name.utf8.count + margin < maximum else { return }
    writer.object(room.name) { writer in
      for user in room.users {
        let room = 6 * user.name.utf8.count + 80 + margin
        guard writer.bytes.count + room < maximum else { return }
        SyncplayList.write(user, .names, to: &writer)
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for room in rooms {
        writer.object(room.name) { writer in
          for user in room.users { Self.write(user, detail, to: &writer) }
        }
      }
    }
  }

  private static func write(
    _ user: SyncplayListedRoom.User, _ detail: Detail, to writer: inout JSONWriter
  ) {
    writer.object(user.name) { writer in
      if detail != .names { writer.field("position", 0) }
      writer.field("file", detail == .names ? none : user.file ?? none)
      writer.field("controller", user.isOperator)
      if let isReady = user.isReady {
        writer.field("isReady", isReady)
      } else {
        writer.null("isReady")
      }
      guard detail == .features, let features = user.features else { return }
      writer.field("features", features)
    }
  }

  private static let none = JSONText(validated: "{}")
}
