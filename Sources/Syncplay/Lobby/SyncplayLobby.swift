import GroupSessions
import Playback
package import Vocabulary
package import Wire

/// The dialect as one value: inputs go in, outputs come out, and there is no other effect.
///
/// It is between the connections of Syncplay's clients and the coordinator. To the coordinator each
/// client is a peer that says hello, joins its room's group and the session in it, and steers like
/// any other; so both kinds of people see each other, and nothing that they share exists twice. The
/// lobby stores only what the coordinator does not know: unique names, file details, operators, and
/// what each client has seen.
package struct SyncplayLobby: Sendable {
  let options: SyncplayOptions
  let limits: Limits
  var identifiers: SyncplayIdentifiers { SyncplayIdentifiers(limits: limits) }
  var now = Instant(microseconds: 0)
  var peers = PeerPages<SyncplayPeer>()
  var greeted = GreetedClients()
  var rooms = PagedTable<String, SyncplayRoom>()
  var index = RoomIndex()
  var emptyRooms = EmptyRooms()
  var passwords: OperatorPasswords
  var encoder = SyncplayLineEncoder()
  var outputs: [Output] = []
  var bulletin = Bulletin()
  /// The largest audience that is told of people at once.
  var attentiveAudience = SyncplayLimits.attentiveAudience
  private var timers = LobbyTimers()

  /// An empty lobby.
  ///
  /// - Parameters:
  ///   - options: the server's options.
  ///   - limits: the coordinator's limits.
  package init(_ options: SyncplayOptions, limits: Limits = Limits()) {
    self.options = options
    self.limits = limits
    passwords = OperatorPasswords(options)
  }

  /// The inputs, from the shell.
  package enum Input: Sendable {
    /// A client connected; the coordinator receives the same peer.
    case connected(PeerID, address: String)
    case received(PeerID, SyncplayLine)
    case disconnected(PeerID)
    /// The coordinator sends something to these peers of the lobby.
    indirect case heard(ServerMessage, by: Peers)
    /// The coordinator closes one of the lobby's peers.
    case refused(PeerID, ProtocolError)
    /// The peer without a connection for a room's keeper, with the resumption of a keeper that the
    /// coordinator still knows.
    case reserved(PeerID, room: String, resuming: Resumption?)
    /// The server starts, and the coordinator recovered sessions of keepers in these groups.
    case recovered([GroupID])
    /// Time passed; due at ``SyncplayLobby/nextDeadline``, harmless at any other time.
    case clockAdvanced
  }

  /// The outputs, which the shell performs in order.
  package enum Output: Equatable, Sendable {
    /// Send the coordinator a message of a peer.
    indirect case tell(PeerID, ClientMessage)
    /// Tell the coordinator that a peer has connected, or disconnected.
    case connect(PeerID)
    case disconnect(PeerID)
    /// Send a State; a case of its own, because nearly all messages are States and others cost more
    /// to copy.
    case state(SyncplayServerState, to: PeerID)
    /// Encode once, send to each.
    case send(SyncplayServerMessage, to: Peers)
    /// Encode once in one piece, and send to each with the next other line, which is a State within
    /// two seconds.
    case post([SyncplayNews], to: Peers)
    /// Send an Error, if there is one, and close.
    case close(PeerID, SyncplayFault?)
    /// Reserve a peer without a connection for that device, and answer with
    /// ``Input/reserved(_:room:resuming:)``.
    case reserve(room: String, device: DeviceID)
    /// Count the clients by these versions.
    case count(versions: [String])
  }

  /// Handles one input, and returns the outputs in order.
  ///
  /// - Parameters:
  ///   - input: what happened.
  ///   - instant: when; not earlier than the instant before.
  package mutating func handle(_ input: Input, at instant: Instant) -> [Output] {
    now = max(now, instant)
    switch input {
    case .connected(let id, let address):
      peers[id] = SyncplayPeer(address: address, device: greeted.mintDevice(at: now), at: now)
    case .received(let id, let line): receive(line, from: id)
    case .disconnected(let id): part(from: id)
    case .heard(let message, let audience): hear(message, audience)
    case .refused(let id, let error): refuse(id, error)
    case .reserved(let id, let room, let resumption): keep(room, by: id, resumption)
    case .recovered(let groups):
      reopen(groups)
      timers.count(at: options.firstCount.map { now + $0 })
    case .clockAdvanced: advanceClock()
    }
    defer { outputs = [] }
    return outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  ///
  /// Read once a turn, not after each input. Mutating without a change, because a non-mutating
  /// getter is called on a copy of the whole lobby.
  package var nextDeadline: Instant? {
    mutating get {
      Instant.earlier(bulletin.due, timers.earliest)
    }
  }

  private mutating func advanceClock() {
    if let due = bulletin.due, due <= now { publishBulletin() }
    if timers.takeCount(at: now) { countVersions() }
    outputs.reserveCapacity(min(timers.count(dueAt: now), Self.outputsAtOnce))
    while let id = timers.popPulse(at: now) {
      peers.focus(on: id)
      meetDeadlines(of: id)
    }
    while let subject = timers.popDeadline(at: now) {
      switch subject {
      case .peer(let id):
        meetDeadlines(of: id)
        arm(id)
      case .room(let name):
        ping(asKeeperOf: name)
        closeIfDeserted(name)
        arm(room: name)
      }
    }
  }

  private mutating func countVersions() {
    let versions = greeted.all.compactMap { peers[$0]?.user?.version }
    if !versions.isEmpty { outputs.append(.count(versions: versions)) }
  }

  /// The outputs for a twentieth of a thousand clients; the array need not grow step by step.
  private static let outputsAtOnce = 64

  /// Schedules a peer's first periodic State.
  mutating func begin(_ id: PeerID) {
    let due = (now + SyncplayLimits.firstState).roundedDown(to: SyncplayLimits.stateGrid)
    peers[id]?.pulse = due
    timers.begin(id, at: due)
  }

  /// Schedules a peer's next periodic State a second from now.
  mutating func goOn(_ id: PeerID) {
    let next = nextPulse
    peers.change(id) { $0?.pulse = next }
    timers.goOn(id, at: next)
  }

  /// Schedules a peer's next periodic State; the peer has noted it already.
  mutating func schedule(_ id: PeerID, at next: Instant) { timers.goOn(id, at: next) }

  /// The end of a second that begins now.
  var nextPulse: Instant {
    (now + SyncplayLimits.statePeriod).roundedDown(to: SyncplayLimits.stateGrid)
  }

  /// When clients are woken next, after an instant.
  func tick(after instant: Instant) -> Instant {
    (instant + SyncplayLimits.stateGrid).roundedDown(to: SyncplayLimits.stateGrid)
  }

  mutating func arm(_ id: PeerID) { timers.arm(.peer(id), at: peers[id]?.plan?.due) }

  mutating func arm(room name: String) {
    timers.arm(.room(name), at: rooms[name]?.nextDeadline)
  }
}

extension SyncplayLobby {
  /// A copy of the room that a peer is in; expensive, so not for each State.
  func room(of id: PeerID) -> SyncplayRoom? {
    rooms[at: place(ofRoomOf: id)]
  }

  /// Whether a client is connected.
  func isHere(_ id: PeerID) -> Bool { peers.place(of: id) != PeerPages<SyncplayPeer>.nowhere }

  /// What a State needs of the room that a peer is in.
  mutating func look(atRoomOf id: PeerID) -> SyncplayRoom.View? {
    look(atRoomOf: id) { $0?.look() }
  }

  /// The playback of a peer's room.
  mutating func standing(ofRoomOf id: PeerID) -> Standing? {
    look(atRoomOf: id) { $0?.standing }
  }

  /// Reads a room in place. Mutating without a change, because a non-mutating method is called on a
  /// copy of the whole lobby.
  private mutating func look<Seen>(
    atRoomOf id: PeerID, _ see: (inout SyncplayRoom?) -> Seen?
  ) -> Seen? {
    let place = peers.change(id) { $0?.user?.roomPlace }
    guard let place = place ?? nil else { return nil }
    return rooms.change(at: place, see)
  }

  /// The place of a peer's room in the table.
  func place(ofRoomOf id: PeerID) -> UInt32 {
    peers[id]?.user?.roomPlace ?? PagedTable<String, SyncplayRoom>.nowhere
  }

  /// Sends the coordinator a request of a peer.
  @discardableResult
  mutating func ask(_ request: Request, as id: PeerID) -> RequestID {
    guard let number = peers[id]?.membership.number() else { return 0 }
    outputs.append(.tell(id, .request(number, request)))
    return number
  }

  /// Sends a request to the session that a peer is in; before it has joined, the request waits.
  @discardableResult
  mutating func askSession(_ request: Request, as id: PeerID) -> RequestID? {
    guard peers[id]?.membership.participant != nil else {
      peers[id]?.membership.keep(request)
      return nil
    }
    return ask(request, as: id)
  }

  /// Sends a request of a room's keeper.
  @discardableResult
  mutating func ask(_ request: Request, asKeeperOf room: String) -> RequestID? {
    guard let keeper = rooms[room]?.keeper,
      let number = rooms[room]?.keeperMembership.number()
    else { return nil }
    outputs.append(.tell(keeper, .request(number, request)))
    return number
  }
}
