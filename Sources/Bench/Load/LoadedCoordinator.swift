import Coordination
import EventLoops
import GroupSessions
import InAppMessaging
import Playback
import Vocabulary
import Wire

/// A coordinator with no server around it and a journal that keeps everything, to which everything
/// happens in quick succession.
struct LoadedCoordinator {
  private var coordinator: Coordinator
  private var entropy = SplitMix64(seed: 1)
  /// When the next thing happens, but for some microseconds.
  private(set) var now: Instant

  init(at now: Instant) {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    limits.peers = 1_000_000
    coordinator = Coordinator(limits: limits)
    self.now = now
  }

  /// Takes an input in, and keeps whatever is to be kept.
  mutating func take(_ input: Input) -> [Output] {
    now = now + .microseconds(10)
    coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in entropy.next() })
    var outputs = coordinator.handle(input, at: now)
    var next = 0
    while next < outputs.count {
      if case .append(let append) = outputs[next] {
        outputs += coordinator.handle(.appended(append, .kept), at: now)
      }
      next += 1
    }
    return outputs
  }

  /// A connection's name, by its place among all.
  static func peer(_ place: Int) -> PeerID { PeerID(slot: UInt32(place), generation: 0) }
}

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

/// An event of an app, by what it comes to with a ``CampaignMix``.
enum Happening: CaseIterable {
  /// It meets the filters of no campaign.
  case unmatched
  /// It meets the filters of all but the open ones, and nothing comes: of those that were seen for
  /// their caps, of the others for their audiences.
  case refused
  /// As refused, but for two campaigns that are open to it.
  case delivering

  /// In a few words.
  var name: String {
    switch self {
    case .unmatched: "matches nothing"
    case .refused: "matches all, and is refused by caps and audiences"
    case .delivering: "delivers"
    }
  }

  /// What was watched.
  var properties: [String: PropertyValue] {
    CampaignMix.properties(isMatching: self != .unmatched, isOffered: self == .delivering)
  }
}
