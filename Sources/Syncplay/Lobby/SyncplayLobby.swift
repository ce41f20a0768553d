import GroupSessions
import Playback
package import Vocabulary
package import Wire

/// The whole of Syncplay as one value: inputs go in, outputs come out, and it touches nothing.
///
/// It stands between the connections of Syncplay's clients and the one coordinator. To that one
/// each client is a peer that says hello, joins its room's group and the session in it, and steers
/// as any other does; so both kinds of people see each other, and there is no second mechanism for
/// anything that is shared. What only Syncplay knows stands here: names without repetition,
/// file details, who gave a password, and what each client has seen.
package struct SyncplayLobby: Sendable {
  let options: SyncplayOptions
  let limits: Limits
  var identifiers: SyncplayIdentifiers { SyncplayIdentifiers(limits: limits) }
  var now = Instant(microseconds: 0)
  var peers = PeerPages<SyncplayPeer>()
  /// Those who said hello, in that order.
  var greeted: [PeerID] = []
  var rooms = PagedTable<String, SyncplayRoom>()
  /// The rooms that nobody is in and that may go, the one left longest ago first.
  var emptyRooms: [String] = []
  var roomsByGroup: [GroupID: String] = [:]
  var roomsBySession: [SessionID: String] = [:]
  var keepers: [PeerID: String] = [:]
  var devices: [DeviceID: PeerID] = [:]
  var names = UsernameRegistry()
  var guesses = GuessLimit()
  var encoder = SyncplayLineEncoder()
  var outputs: [Output] = []
  var bulletin = Bulletin()
  /// As many are told of people at once.
  var attentiveAudience = SyncplayLimits.attentiveAudience
  /// Who waits for a first State, and who for the next one: each in the order in which they are due.
  private var beginnings = Pulses()
  var pulses = Pulses()
  private var deadlines = Deadlines<DeadlineSubject>()
  private var lastDevice: UInt64 = 0
  /// When clients' versions are counted next, if they are.
  private var nextCount: Instant?

  /// A lobby that nobody is in.
  ///
  /// - Parameters:
  ///   - options: what the server's people want.
  ///   - limits: the coordinator's bounds.
  package init(_ options: SyncplayOptions, limits: Limits = Limits()) {
    self.options = options
    self.limits = limits
  }

  /// What the shell tells the lobby.
  package enum Input: Sendable {
    /// A client connected; the coordinator was told, too.
    case connected(PeerID, address: String)
    case received(PeerID, SyncplayLine)
    case disconnected(PeerID)
    /// The coordinator sends something to these peers of the lobby.
    indirect case heard(ServerMessage, by: Peers)
    /// The coordinator closes one of the lobby's peers.
    case refused(PeerID, ProtocolError)
    /// A peer without a connection, for the keeper of a room that wanted one; with what it goes on as
    /// the keeper that the coordinator still knows, if it does.
    case reserved(PeerID, room: String, resuming: Resumption?)
    /// The server begins, and the coordinator goes on from a journal in which keepers had sessions in
    /// these groups.
    case recovered([GroupID])
    /// Time passed; harmless at any moment, due at ``SyncplayLobby/nextDeadline``.
    case clockAdvanced
  }

  /// What the lobby asks of the shell, to be carried out in order.
  package enum Output: Equatable, Sendable {
    /// The coordinator is to hear this from a peer.
    indirect case tell(PeerID, ClientMessage)
    /// The coordinator is to hear that a peer is there, or is gone.
    case connect(PeerID)
    case disconnect(PeerID)
    /// Send a State: nearly all that is sent is one, and any other message takes more to copy.
    case state(SyncplayServerState, to: PeerID)
    /// Encode once, send to each.
    case send(SyncplayServerMessage, to: Peers)
    /// Encode once in one piece, send to each with whatever goes there next: a State within two
    /// seconds.
    case post([SyncplayNews], to: Peers)
    /// Say why, if there is anything to say, and close.
    case close(PeerID, SyncplayFault?)
    /// Reserve a peer without a connection, to be that device, and answer with
    /// ``Input/reserved(_:room:resuming:)``.
    case reserve(room: String, device: DeviceID)
    /// Keep that clients of these versions are here.
    case count(versions: [String])
  }

  /// Who is woken when time passes, beside those whose second is over.
  private enum DeadlineSubject: Hashable, Sendable {
    case peer(PeerID)
    case room(String)
  }

  /// Takes one input in and says what is to be done, in order.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - instant: when; must not be earlier than the one before.
  package mutating func handle(_ input: Input, at instant: Instant) -> [Output] {
    now = max(now, instant)
    switch input {
    case .connected(let id, let address):
      peers[id] = SyncplayPeer(address: address, device: mintDevice(), at: now)
    case .received(let id, let line): receive(line, from: id)
    case .disconnected(let id): part(from: id)
    case .heard(let message, let audience): hear(message, audience)
    case .refused(let id, let error): refuse(id, error)
    case .reserved(let id, let room, let resumption): keep(room, by: id, resumption)
    case .recovered(let groups):
      reopen(groups)
      nextCount = options.firstCount.map { now + $0 }
    case .clockAdvanced: advanceClock()
    }
    defer { outputs = [] }
    return outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  ///
  /// To be asked once a turn, not for each input. Mutating, though it changes nothing: what does not
  /// mutate is asked of a copy of the whole lobby.
  package var nextDeadline: Instant? {
    mutating get {
      Instant.earlier(
        Instant.earlier(pulses.earliest, beginnings.earliest),
        Instant.earlier(Instant.earlier(bulletin.due, nextCount), deadlines.earliest))
    }
  }

  private mutating func advanceClock() {
    if let due = bulletin.due, due <= now { publishBulletin() }
    if let due = nextCount, due <= now { countVersions() }
    if let due = pulses.earliest, due <= now {
      outputs.reserveCapacity(min(pulses.count, Self.outputsAtOnce))
    }
    while let id = pulses.popDue(at: now) ?? beginnings.popDue(at: now) {
      peers.focus(on: id)
      meetDeadlines(of: id)
    }
    while let subject = deadlines.popDue(at: now) {
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
    nextCount = now + SyncplayLimits.countPeriod
    let versions = greeted.compactMap { peers[$0]?.user?.version }
    if !versions.isEmpty { outputs.append(.count(versions: versions)) }
  }

  /// What a twentieth of a thousand clients is told: the row of it need not grow step by step.
  private static let outputsAtOnce = 64

  /// Has a peer's first second begin soon.
  mutating func begin(_ id: PeerID) {
    let due = (now + SyncplayLimits.firstState).roundedDown(to: SyncplayLimits.stateGrid)
    peers[id]?.pulse = due
    beginnings.append(id, at: due)
  }

  /// Has a peer's next second begin now.
  mutating func goOn(_ id: PeerID) {
    let next = nextPulse
    peers.change(id) { $0?.pulse = next }
    pulses.append(id, at: next)
  }

  /// When a second ends that begins now.
  var nextPulse: Instant {
    (now + SyncplayLimits.statePeriod).roundedDown(to: SyncplayLimits.stateGrid)
  }

  /// When clients are woken next, after an instant.
  func tick(after instant: Instant) -> Instant {
    (instant + SyncplayLimits.stateGrid).roundedDown(to: SyncplayLimits.stateGrid)
  }

  mutating func arm(_ id: PeerID) { deadlines.arm(.peer(id), at: peers[id]?.plan?.due) }

  mutating func arm(room name: String) {
    deadlines.arm(.room(name), at: rooms[name]?.nextDeadline)
  }

  /// A device of its own for each connection: who comes back takes part anew, and what is left of
  /// the old connection expires.
  ///
  /// By the time, so that those of a server's next start are others again.
  private mutating func mintDevice() -> DeviceID {
    lastDevice = max(lastDevice + 1, UInt64(clamping: now.microseconds))
    return SyncplayIdentifiers.client(lastDevice)
  }
}

extension SyncplayLobby {
  /// The room that a peer is in; a copy, which is dear: for what happens once in a while.
  func room(of id: PeerID) -> SyncplayRoom? {
    rooms[at: place(ofRoomOf: id)]
  }

  /// Whether a client is connected.
  func isHere(_ id: PeerID) -> Bool { peers.place(of: id) != PeerPages<SyncplayPeer>.nowhere }

  /// What each State has to know of the room that a peer is in.
  mutating func look(atRoomOf id: PeerID) -> SyncplayRoom.View? {
    look(atRoomOf: id) { $0?.look() }
  }

  /// Where the room of a peer stands.
  mutating func standing(ofRoomOf id: PeerID) -> Standing? {
    look(atRoomOf: id) { $0?.standing }
  }

  /// Asks a room for something where it and the peer lie: mutating, for what does not mutate is asked of
  /// a copy of the whole lobby.
  private mutating func look<Seen>(
    atRoomOf id: PeerID, _ see: (inout SyncplayRoom?) -> Seen?
  ) -> Seen? {
    let place = peers.change(id) { $0?.user?.roomPlace }
    guard let place = place ?? nil else { return nil }
    return rooms.change(at: place, see)
  }

  /// Where the room of a peer lies.
  func place(ofRoomOf id: PeerID) -> UInt32 {
    peers[id]?.user?.roomPlace ?? PagedTable<String, SyncplayRoom>.nowhere
  }

  /// Asks the coordinator something as a peer.
  @discardableResult
  mutating func ask(_ request: Request, as id: PeerID) -> RequestID {
    guard let number = peers[id]?.membership.number() else { return 0 }
    outputs.append(.tell(id, .request(number, request)))
    return number
  }

  /// Asks something of the session that a peer is in, or is about to be in.
  @discardableResult
  mutating func askSession(_ request: Request, as id: PeerID) -> RequestID? {
    guard peers[id]?.membership.participant != nil else {
      peers[id]?.membership.keep(request)
      return nil
    }
    return ask(request, as: id)
  }

  /// Asks something as a room's keeper.
  @discardableResult
  mutating func ask(_ request: Request, asKeeperOf room: String) -> RequestID? {
    guard let keeper = rooms[room]?.keeper,
      let number = rooms[room]?.keeperMembership.number()
    else { return nil }
    outputs.append(.tell(keeper, .request(number, request)))
    return number
  }
}
