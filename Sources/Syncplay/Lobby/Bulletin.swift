import Vocabulary

/// News for a large audience, held for a moment, so that each client receives all of it in one
/// piece.
///
/// A thousand clients that join at once cause a million pieces of news, which would be queued one
/// by one. A client that is told anything else first receives the news held here, so that it
/// receives everything in the order in which it happened.
struct Bulletin: Sendable {
  /// Who is told.
  enum Audience: Hashable, Sendable {
    case everybody
    case room(String)
  }

  struct Entry: Sendable {
    let news: SyncplayNews
    let audience: Audience

    /// Whether it is for those in a room; `nil` is a room that nothing is for alone.
    func isFor(_ room: String?) -> Bool {
      switch audience {
      case .everybody: true
      case .room(let name): name == room
      }
    }
  }

  private(set) var entries: [Entry] = []
  /// Those who were told something meanwhile, or have just come, in that order.
  private(set) var knowing: [PeerID] = []
  /// How many entries they know.
  private var known: [PeerID: Int] = [:]
  /// When it has to go out; `nil` while there is nothing.
  private(set) var due: Instant?

  var isEmpty: Bool { entries.isEmpty }
  var isFull: Bool { entries.count >= SyncplayLimits.bulletinEntries }

  /// The rooms that something in it is for alone.
  var rooms: Set<String> {
    Set(
      entries.compactMap { entry in
        if case .room(let name) = entry.audience { name } else { nil }
      })
  }

  /// Adds what is to go out by an instant, or with what is there already.
  mutating func append(_ news: SyncplayNews, for audience: Audience, by instant: Instant) {
    if entries.isEmpty { due = instant }
    entries.append(Entry(news: news, audience: audience))
  }

  /// Counts all that is there as known to a peer.
  mutating func skip(_ id: PeerID) {
    guard !entries.isEmpty else { return }
    if known.updateValue(entries.count, forKey: id) == nil { knowing.append(id) }
  }

  /// How many entries a peer knows; `nil` if it was told nothing since the first of them.
  func known(to id: PeerID) -> Int? { known[id] }

  /// A peer is gone.
  mutating func forget(_ id: PeerID) {
    guard known.removeValue(forKey: id) != nil else { return }
    knowing.removeAll { $0 == id }
  }
}
