import Coordination
import EventLoops
import GroupSessions
import InAppMessaging
import Playback
import Vocabulary
import Wire

/// A coordinator without a server, and with a journal that accepts everything; its inputs follow
/// each other every 10 µs.
struct LoadedCoordinator {
  private var coordinator: Coordinator
  private var entropy = SplitMix64(seed: 1)
  /// The instant of the last input.
  private(set) var now: Instant

  init(at now: Instant, access: Access = .open) {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    (limits.userCostBurst, limits.groupCostBurst) = (1 << 40, 1 << 40)
    (limits.userJournalBytes, limits.groupJournalBytes) = (1 << 40, 1 << 40)
    limits.peers = 1_000_000
    limits.names = 1_000_000
    limits.admittedUsers = 1_000_000
    coordinator = Coordinator(limits: limits, access: access)
    self.now = now
  }

  /// Handles an input, and confirms all appends.
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

  /// The identifier of the connection with this index.
  static func peer(_ place: Int) -> PeerID { PeerID(slot: UInt32(place), generation: 0) }
}

/// The requests that the load consists of, each with its own number.
struct Requests {
  /// All numbers have seven digits, so that lines of a kind have the same length.
  private var id: RequestID = 1_000_000

  static let film = ItemID("film")

  /// Returns the request with the next number.
  mutating func next(_ request: Request) -> ClientMessage {
    id += 1
    return .request(id, request)
  }

  /// This many seeks as the bytes of one write, each to another position, so that each is an event.
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
        name: "Peer \(number)", features: [.sessions, .audience]))
  }

  static let activity = GroupActivity(
    type: "watch", payload: JSONText(validated: "{}"),
    metadata: GroupActivityMetadata(title: "A film"),
    media: MediaItem(item: film, url: "https://media.example/film.mp4"))
}

/// The kinds of an app's event, by its effect with a ``CampaignMix``.
enum Happening: CaseIterable {
  /// It matches the filters of no campaign.
  case unmatched
  /// It matches the filters of all campaigns but the open ones, and nothing is delivered: the seen
  /// campaigns are refused by their caps, the others by their audiences.
  case refused
  /// Like ``refused``, but two campaigns are open to it.
  case delivering

  /// A short description.
  var name: String {
    switch self {
    case .unmatched: "matches nothing"
    case .refused: "matches all, and is refused by caps and audiences"
    case .delivering: "delivers"
    }
  }

  /// The event's properties.
  var properties: [String: PropertyValue] {
    CampaignMix.properties(isMatching: self != .unmatched, isOffered: self == .delivering)
  }
}
