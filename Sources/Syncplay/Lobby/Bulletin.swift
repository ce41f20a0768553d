import Vocabulary

/// News for many clients, held back briefly so that each client receives them in one piece.
///
/// A thousand clients that come at once cause a million news items, which would otherwise be queued
/// one by one. Before a client is sent any other message, it is sent the news held here, so that
/// every client learns of things in the order in which they happened.
struct Bulletin: Sendable {
  /// The clients that are told.
  enum Audience: Hashable, Sendable {
    case everybody
    case room(String)
  }

  /// News that are sent in one piece.
  struct Delivery: Sendable {
    let news: [SyncplayNews]
    let audience: [PeerID]
  }

  private struct Entry: Sendable {
    let news: SyncplayNews
    let audience: Audience

    /// Whether it is for clients in a room; `nil` stands for rooms without news of their own.
    func isFor(_ room: String?) -> Bool {
      switch audience {
      case .everybody: true
      case .room(let name): name == room
      }
    }
  }

  private var entries: [Entry] = []
  /// The clients that already know some entries, in the order in which they were told.
  private var knowing: [PeerID] = []
  /// How many entries each of these clients knows.
  private var known: [PeerID: Int] = [:]
  /// When the news have to be sent; `nil` while there are none.
  private(set) var due: Instant?

  var isEmpty: Bool { entries.isEmpty }
  var isFull: Bool { entries.count >= SyncplayLimits.bulletinEntries }

  /// Adds news to be sent at an instant, or earlier with the entries before.
  mutating func append(_ news: SyncplayNews, for audience: Audience, by instant: Instant) {
    if entries.isEmpty { due = instant }
    entries.append(Entry(news: news, audience: audience))
  }

  /// Counts all entries as known to a client.
  mutating func skip(_ id: PeerID) {
    guard !entries.isEmpty else { return }
    if known.updateValue(entries.count, forKey: id) == nil { knowing.append(id) }
  }

  /// The news that a client in a room does not know yet; afterwards they count as known.
  mutating func takeUnknown(to id: PeerID, in room: String) -> [SyncplayNews] {
    let news = entries[(known[id] ?? 0)...].filter { $0.isFor(room) }.map(\.news)
    skip(id)
    return news
  }

  /// Forgets a client that is gone.
  mutating func forget(_ id: PeerID) {
    guard known.removeValue(forKey: id) != nil else { return }
    knowing.removeAll { $0 == id }
  }
}

// MARK: Deliveries

extension Bulletin {
  /// The deliveries after which every client knows all entries.
  ///
  /// - Parameters:
  ///   - everybody: all clients.
  ///   - members: the clients in a room.
  ///   - roomOf: the room that a client is in.
  func deliveries(
    to everybody: [PeerID], members: (String) -> [PeerID], roomOf: (PeerID) -> String?
  ) -> [Delivery] {
    var deliveries = remainders(roomOf: roomOf)
    let special = rooms
    for room in special.sorted() { deliveries.append(whole(of: room, to: members(room))) }
    let others =
      special.isEmpty ? everybody : everybody.filter { !special.contains(roomOf($0) ?? "") }
    deliveries.append(whole(of: nil, to: others))
    return deliveries.filter { !$0.news.isEmpty && !$0.audience.isEmpty }
  }

  /// The rooms with news of their own.
  private var rooms: Set<String> {
    Set(
      entries.compactMap { entry in
        if case .room(let name) = entry.audience { name } else { nil }
      })
  }

  /// All entries for a room, to the clients that know none of them.
  private func whole(of room: String?, to audience: [PeerID]) -> Delivery {
    Delivery(
      news: entries.filter { $0.isFor(room) }.map(\.news),
      audience: audience.filter { known[$0] == nil })
  }

  /// The remaining entries for clients that know some, each entry once for all those clients.
  private func remainders(roomOf: (PeerID) -> String?) -> [Delivery] {
    guard !knowing.isEmpty else { return [] }
    return entries.enumerated().map { place, entry in
      Delivery(
        news: [entry.news],
        audience: knowing.filter { (known[$0] ?? 0) <= place && entry.isFor(roomOf($0)) })
    }
  }
}
