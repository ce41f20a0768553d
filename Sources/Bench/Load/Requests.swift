import EventLoops
import GroupSessions
import Playback
import Vocabulary
import Wire

/// The requests that the load is made of, each under a number of its own.
struct Requests {
  /// All numbers have seven digits, so that lines of a kind are equally long.
  private var id: RequestID = 1_000_000

  static let film = ItemID("film")

  /// A request, numbered.
  mutating func next(_ request: Request) -> ClientMessage {
    id += 1
    return .request(id, request)
  }

  /// As many seeks as wanted, as the bytes of one write; each to a place of its own, so that each
  /// is an event.
  mutating func seeks(_ count: Int) -> SharedBytes {
    var bytes: [UInt8] = []
    for _ in 0..<count {
      let place = MediaTime(microseconds: 1_000_000_000 + id % 1_000_000 * 1_000)
      bytes += encode(next(.playback(nil, .seek(Self.film, to: place))))
    }
    return SharedBytes(bytes)
  }

  static func hello(_ number: Int) -> ClientMessage {
    .hello(
      Hello(
        user: UserID("user-\(number)"), device: DeviceID("device-\(number)"),
        name: "Peer \(number)", features: [.sessions]))
  }

  static let activity = GroupActivity(
    type: "watch", payload: JSONText(validated: "{}"),
    metadata: GroupActivityMetadata(title: "A film"),
    media: MediaItem(item: film, url: "https://media.example/film.mp4"))
}
