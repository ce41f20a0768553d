import Vocabulary

// News of people, and what is sent: nobody is told anything before the news that came before it.

extension SyncplayLobby {
  mutating func send(_ message: SyncplayServerMessage, to id: PeerID) {
    catchUp(id)
    outputs.append(.send(message, to: .one(id)))
  }

  mutating func send(_ message: SyncplayServerMessage, to audience: [PeerID]) {
    guard !audience.isEmpty else { return }
    guard audience.count > 1 else { return send(message, to: audience[0]) }
    publishBulletin()
    outputs.append(.send(message, to: .many(audience)))
  }

  /// Tells of what somebody does, which changes nothing for other people's players.
  ///
  /// - Parameter id: whoever is not told, since they know.
  mutating func spread(
    _ news: SyncplayNews, to audience: Bulletin.Audience, but id: PeerID? = nil
  ) {
    let count =
      switch audience {
      case .everybody: greeted.count
      case .room(let name): rooms[name]?.members.count ?? 0
      }
    guard count > attentiveAudience else {
      return send(.set(news), to: peers(of: audience).filter { $0 != id })
    }
    if let id { catchUp(id) }
    bulletin.append(news, for: audience, by: tick(after: now))
    if let id { bulletin.skip(id) }
    if bulletin.isFull { publishBulletin() }
  }

  /// Those who are told of what people in a room do.
  func audience(of room: String) -> Bulletin.Audience {
    options.isolatesRooms ? .room(room) : .everybody
  }

  /// Who is in an audience now.
  func peers(of audience: Bulletin.Audience) -> [PeerID] {
    switch audience {
    case .everybody: greeted
    case .room(let name): rooms[name]?.members ?? []
    }
  }

  /// Tells a peer the news that it does not know.
  mutating func catchUp(_ id: PeerID) {
    guard !bulletin.isEmpty, let room = peers[id]?.user?.room else { return }
    for entry in bulletin.entries[(bulletin.known(to: id) ?? 0)...] where entry.isFor(room) {
      outputs.append(.send(.set(entry.news), to: .one(id)))
    }
    bulletin.skip(id)
  }

  /// Tells everybody the news that they do not know.
  mutating func publishBulletin() {
    guard !bulletin.isEmpty else { return }
    let edition = bulletin
    bulletin = Bulletin()
    tellRest(of: edition)
    let special = edition.rooms
    for room in special.sorted() { tell(edition, of: room, to: rooms[room]?.members ?? []) }
    let others =
      special.isEmpty
      ? greeted : greeted.filter { !special.contains(peers[$0]?.user?.room ?? "") }
    tell(edition, of: nil, to: others)
  }

  /// Tells those who know nothing of it what is for their room.
  private mutating func tell(_ edition: Bulletin, of room: String?, to audience: [PeerID]) {
    let news = edition.entries.filter { $0.isFor(room) }.map(\.news)
    let others = audience.filter { edition.known(to: $0) == nil }
    guard !news.isEmpty, !others.isEmpty else { return }
    outputs.append(.post(news, to: .many(others)))
  }

  /// Tells those who know a part of it the rest: each entry once for all of them.
  private mutating func tellRest(of edition: Bulletin) {
    guard !edition.knowing.isEmpty else { return }
    for (place, entry) in edition.entries.enumerated() {
      let others = edition.knowing.filter { id in
        (edition.known(to: id) ?? 0) <= place && entry.isFor(peers[id]?.user?.room)
      }
      guard !others.isEmpty else { continue }
      outputs.append(.post([entry.news], to: .many(others)))
    }
  }
}
