package import Coordination
package import Vocabulary
package import Wire

/// The servers in front of the one that decides, and the people behind their links, as a value.
///
/// What is published goes to each server in front once, by its audience's number, and a message to some
/// peers once with their numbers.
package struct LegTable: Sendable {
  /// What a line over a link says.
  package enum Output: Equatable, Sendable {
    /// A peer connected; with a link, its server keeps the audiences of native peers.
    case connected(PeerID, LegArrival, over: LinkID?)
    case secured(PeerID)
    /// A peer said the rest of the line, from this place on.
    case line(PeerID, from: Int)
    case overlong(PeerID)
    case gone(PeerID)
    /// Which file is the address for that the rest of the line is?
    case media(question: PeerID, from: Int)
    /// People of a dialect come that nobody serves here; the link is to be sent this.
    case unserved(String, answer: [UInt8])
    /// A server in front says for the first time over its link what it is.
    case arrived(ServerID)
    /// Other servers are there than before, or they are something else.
    case servers
    /// The link is of no use any more.
    case cut(String)
  }

  private struct Link {
    let connection: PeerID
    /// Which one it was to come.
    let number: Int
    /// What the server has said of itself.
    var state: StatusReport.Server?
    /// Which lines it knows.
    var format = 1
    /// How people prove at it who they are, once it decides; `nil` if it has not said.
    var access: String?
    /// Whether it has been told to drain, which it has not said yet.
    var isToDrain = false
    /// Whether it has shown the key that the servers share.
    var isTaken = false
    var silence = LinkSilence()
    /// Its peers, by the numbers that it has given them.
    var peers: [PeerID: PeerID] = [:]
    /// Those that are to encrypt, and have not begun to.
    ///
    /// What comes from them meanwhile is dropped, because anybody on the way may have put it there
    /// (RFC 3207, 6).
    var encrypting: Set<PeerID> = []
    /// Its peers that are to be sent what comes next.
    var audience: [PeerID] = []
  }

  private struct Leg {
    let peer: PeerID
    /// The place of its link.
    let link: Int
    /// The number that its server has given it.
    let number: PeerID
    /// What it took of this server's time since its address was charged last.
    var time = Duration.zero
  }

  /// Links have few places, which are used again.
  private var links: [Link?] = []
  private var places: [PeerID: Int] = [:]
  private var lastNumber = 0
  /// The peers behind links, by their slots.
  private var legs: [Leg?] = []
  /// The places of links of which some peer is to be sent what comes next.
  private var addressed: [Int] = []

  /// More servers than one that decides could do with.
  private static let mostLinks = 64

  /// No links.
  package init() {}

  // MARK: Links

  /// How many servers are in front.
  package var linkCount: Int { places.count }

  /// Whether one more may come.
  package var hasRoom: Bool { places.count < Self.mostLinks }

  /// The link that makes room for another one: of those that have not shown the key, the one that
  /// came first; `nil` if all have.
  ///
  /// So connections without the key keep no server out.
  package var stranger: PeerID? {
    links.compactMap(\.self).filter { !$0.isTaken }.min { $0.number < $1.number }?.connection
  }

  package var connections: [PeerID] { links.compactMap { $0?.connection } }

  /// Whether a connection is that of a server in front.
  package func isLink(_ connection: PeerID) -> Bool { places[connection] != nil }

  /// Adds a link over this connection.
  package mutating func add(_ connection: PeerID) {
    let place = links.firstIndex { $0 == nil } ?? links.count
    if place == links.count { links.append(nil) }
    lastNumber += 1
    links[place] = Link(connection: connection, number: lastNumber)
    places[connection] = place
  }

  /// Accepts a server that has proved that it has the links' key; the next beat tells it so.
  package mutating func take(_ connection: PeerID) {
    guard let place = places[connection] else { return }
    links[place]?.isTaken = true
  }

  /// Removes a link; the peers behind it are gone.
  ///
  /// - Returns: those peers; `nil` if there is no such link.
  package mutating func remove(_ connection: PeerID) -> [PeerID]? {
    guard let place = places.removeValue(forKey: connection), let link = links[place] else {
      return nil
    }
    links[place] = nil
    addressed.removeAll { $0 == place }
    let peers = link.peers.values.sorted { $0.slot < $1.slot }
    for peer in peers where reaches(peer) { legs[Int(peer.slot)] = nil }
    return peers
  }

  /// A beat of this server's loop, ``LinkSilence/pause`` after the one before.
  ///
  /// - Returns: the links that are to be sent a beat, and those over which nothing comes any more.
  package mutating func beat() -> (living: [PeerID], silent: [PeerID]) {
    var (living, silent): ([PeerID], [PeerID]) = ([], [])
    for place in links.indices {
      guard let link = links[place] else { continue }
      if links[place]?.silence.isTooLong() == true {
        silent.append(link.connection)
      } else if link.isTaken {
        living.append(link.connection)
      }
    }
    return (living, silent)
  }

  /// The servers in front, as they said last.
  package var states: [StatusReport.Server] {
    links.compactMap { link in
      var state = link?.state
      if link?.isToDrain == true { state?.isDraining = true }
      return state
    }.sorted { $0.id < $1.id }
  }

  /// What the server at the other end of a link is called; `nil` if it has not said.
  package func name(of connection: PeerID) -> ServerID? {
    places[connection].flatMap { links[$0]?.state?.id }
  }

  /// The servers in front at which people prove in another way who they are, once one decides.
  ///
  /// - Parameter access: how they do here.
  package func servers(withoutAccess access: String) -> [ServerID: String] {
    var others: [ServerID: String] = [:]
    for link in links {
      guard let link, let id = link.state?.id, let own = link.access, own != access else {
        continue
      }
      others[id] = own
    }
    return others
  }

  /// Notes that a server is told to drain.
  ///
  /// - Returns: the links to be told.
  package mutating func drain(_ id: ServerID) -> [PeerID] {
    let chosen = links.indices.filter { links[$0]?.state?.id == id }
    for place in chosen { links[place]?.isToDrain = true }
    return chosen.compactMap { links[$0]?.connection }
  }

  // MARK: From servers in front

  /// A line without its ending came over a link.
  ///
  /// - Parameter reserve: makes a peer for a dialect, `nil` being the native protocol; it returns
  ///   `nil` if the dialect is not served.
  package mutating func hear(
    _ line: Span<UInt8>, over connection: PeerID, reserving reserve: (String?) -> PeerID?
  ) -> Output? {
    guard let place = places[connection] else { return nil }
    guard let read = LinkLine(line) else { return .cut("it says what is not of a link") }
    links[place]?.silence.end()
    if read.verb == .beat { return note(line.extracting(read.start...), at: place) }
    guard case .one(let number) = read.legs else { return nil }
    if read.verb == .connected {
      return connect(number, LegArrival(line.extracting(read.start...)), at: place, reserve)
    }
    if read.verb == .media { return .media(question: number, from: read.start) }
    guard let peer = links[place]?.peers[number] else { return nil }
    switch read.verb {
    case .secured:
      links[place]?.encrypting.remove(peer)
      return .secured(peer)
    case .line:
      let isDropped = links[place]?.encrypting.contains(peer) == true
      return isDropped ? nil : .line(peer, from: read.start)
    case .overlong: return .overlong(peer)
    case .gone:
      _ = leave(peer)
      return .gone(peer)
    case .connected, .media, .beat, .tell, .news, .follow, .unfollow, .charge, .close, .shut,
      .encrypt, .drain:
      return nil
    }
  }

  /// Notes what a server in front says of itself; how many people it has may wait for the next beat.
  private mutating func note(_ text: Span<UInt8>, at place: Int) -> Output? {
    guard let state = StatusReport.Server(text) else { return nil }
    let last = links[place]?.state
    links[place]?.state = state
    links[place]?.format = LinkLine.format(in: text)
    links[place]?.access = LinkLine.access(in: text)
    guard let last else { return .arrived(state.id) }
    return state.id != last.id || state.isDraining != last.isDraining ? .servers : nil
  }

  private mutating func connect(
    _ number: PeerID, _ arrival: LegArrival, at place: Int, _ reserve: (String?) -> PeerID?
  ) -> Output? {
    guard links[place]?.peers[number] == nil else { return nil }
    guard let peer = reserve(arrival.dialect) else {
      return .unserved(arrival.dialect ?? "", answer: LinkLineWriter(.shut, number).ended)
    }
    links[place]?.peers[number] = peer
    while legs.count <= Int(peer.slot) {
      legs.makeRoom()
      legs.append(nil)
    }
    legs[Int(peer.slot)] = Leg(peer: peer, link: place, number: number)
    let keepsAudiences = knowsFormat2(place) && arrival.dialect == nil
    return .connected(
      peer, arrival, over: keepsAudiences ? LinkID(place: UInt8(place)) : nil)
  }

  private func knowsFormat2(_ place: Int) -> Bool { (links[place]?.format ?? 1) >= 2 }

  // MARK: Peers

  /// How many peers came in at servers in front.
  package var peerCount: Int { links.reduce(0) { $0 + ($1?.peers.count ?? 0) } }

  /// Whether a peer came in at a server in front.
  package func reaches(_ peer: PeerID) -> Bool { leg(of: peer) != nil }

  /// Whether nobody is behind a link.
  package func isEmpty(_ connection: PeerID) -> Bool {
    places[connection].flatMap { links[$0]?.peers.isEmpty } ?? true
  }

  /// Adds a peer to the receivers of the next message, if it is behind a link.
  package mutating func address(_ peer: PeerID) {
    guard let leg = leg(of: peer) else { return }
    if links[leg.link]?.audience.isEmpty == true { addressed.append(leg.link) }
    links[leg.link]?.audience.append(leg.number)
  }

  /// Forgets those who were noted.
  ///
  /// - Returns: what the lines to them begin with, for each link.
  package mutating func takeAudiences(
    isDroppable: Bool
  ) -> [(connection: PeerID, header: LinkLineWriter)] {
    guard !addressed.isEmpty else { return [] }
    defer { addressed.removeAll(keepingCapacity: true) }
    return addressed.compactMap { place in
      guard let connection = links[place]?.connection else { return nil }
      let header = LinkLineWriter(isDroppable ? .news : .tell, links[place]?.audience ?? [])
      links[place]?.audience.removeAll(keepingCapacity: true)
      return (connection, header)
    }
  }

  /// What the lines begin with that tell the part of an audience behind links something.
  package func headers(
    for relay: AudienceRelay, isDroppable: Bool
  ) -> [(connection: PeerID, header: LinkLineWriter)] {
    let others = relay.except.compactMap { leg(of: $0) }
    return relay.links.map { Int($0.place) }.compactMap { place in
      guard let connection = links[place]?.connection else { return nil }
      let header = LinkLineWriter(
        isDroppable ? .news : .tell, audience: relay.number,
        others.filter { $0.link == place }.map(\.number))
      return (connection, header)
    }
  }

  /// The links that are to be told who is in an audience, and the line; no link for a peer that is gone.
  package func carryOut(_ order: AudienceOrder) -> (connections: [PeerID], line: [UInt8]) {
    switch order {
    case .follow(let audience, let peer): line(.follow, audience, peer)
    case .unfollow(let audience, let peer): line(.unfollow, audience, peer)
    case .disperse(let relay):
      (
        relay.links.compactMap { links[Int($0.place)]?.connection },
        LinkLineWriter(.unfollow, audience: relay.number).ended
      )
    }
  }

  private func line(
    _ verb: LinkLine.Verb, _ audience: AudienceNumber, _ peer: PeerID
  ) -> (connections: [PeerID], line: [UInt8]) {
    guard let leg = leg(of: peer), let connection = links[leg.link]?.connection else {
      return ([], [])
    }
    return ([connection], LinkLineWriter(verb, audience: audience, [leg.number]).ended)
  }

  /// Notes what a peer took of this server's time.
  ///
  /// - Returns: what its link is to be sent, once it is worth a line.
  package mutating func charge(
    _ time: Duration, to peer: PeerID
  ) -> (connection: PeerID, line: [UInt8])? {
    guard let leg = leg(of: peer), knowsFormat2(leg.link) else { return nil }
    let sum = leg.time + time
    let isEnough = sum >= Self.chargedAtOnce
    legs[Int(peer.slot)]?.time = isEnough ? .zero : sum
    guard isEnough, let connection = links[leg.link]?.connection else { return nil }
    let writer = LinkLineWriter(.charge, leg.number)
    return (connection, writer.ended(with: "\(sum.microseconds)"))
  }

  /// A fiftieth of what an address may take in a second.
  private static let chargedAtOnce = Duration.milliseconds(5)

  /// Forgets a peer that is to be closed.
  ///
  /// - Parameter text: its last line, without its ending; `nil` closes it without a word.
  /// - Returns: what its link is to be sent; `nil` for one that is not behind a link.
  package mutating func close(
    _ peer: PeerID, after text: ArraySlice<UInt8>?
  ) -> (connection: PeerID, line: [UInt8])? {
    guard let leg = leave(peer), let connection = links[leg.link]?.connection else { return nil }
    let writer = LinkLineWriter(text == nil ? .shut : .close, leg.number)
    return (connection, writer.ended(with: text ?? []))
  }

  /// Encrypts what a peer says and hears from here on.
  ///
  /// - Returns: what its link is to be sent; `nil` for one that is not behind a link.
  package mutating func encrypt(_ peer: PeerID) -> (connection: PeerID, line: [UInt8])? {
    guard let leg = leg(of: peer), let connection = links[leg.link]?.connection else { return nil }
    links[leg.link]?.encrypting.insert(peer)
    return (connection, LinkLineWriter(.encrypt, leg.number).ended)
  }

  private mutating func leave(_ peer: PeerID) -> Leg? {
    guard let leg = leg(of: peer) else { return nil }
    links[leg.link]?.peers[leg.number] = nil
    links[leg.link]?.encrypting.remove(peer)
    legs[Int(peer.slot)] = nil
    return leg
  }

  private func leg(of peer: PeerID) -> Leg? {
    guard Int(peer.slot) < legs.count, let leg = legs[Int(peer.slot)], leg.peer == peer else {
      return nil
    }
    return leg
  }
}
