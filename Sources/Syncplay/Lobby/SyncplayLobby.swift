import GroupSessions
import Playback
package import Vocabulary
package import Wire

/// The Syncplay dialect as one value: it takes inputs, returns outputs, and does no I/O.
///
/// It stands between the connections of Syncplay's clients and the coordinator. To the coordinator
/// each client is a peer that says Hello, joins its room's group and the group's session, and
/// steers like any other peer. So native and Syncplay users see each other, and their common
/// features exist once. The lobby stores only what Syncplay needs in addition: unique names, file
/// details, operator rights, and what each client has acknowledged.
///
/// Clients and rooms are in its `SyncplayRoster`, the times of periodic States in its
/// `StateSchedule`.
package struct SyncplayLobby: Sendable {
  var roster: SyncplayRoster
  var schedule = StateSchedule()
  var guesses = RateLimit<String>(
    burst: SyncplayLimits.guesses,
    refilledIn: SyncplayLimits.guessInterval * SyncplayLimits.guesses,
    sources: SyncplayLimits.guessers)
  /// The Hellos of clients whose key is being looked at.
  var hellos: [PeerID: SyncplayHello] = [:]
  private var lastDevice: UInt64 = 0
  /// When clients' versions are counted next; `nil` if they are not counted.
  private var nextCount: Instant?

  /// An empty lobby.
  ///
  /// - Parameters:
  ///   - options: the operator's choices.
  ///   - limits: the coordinator's bounds.
  package init(_ options: SyncplayOptions, limits: Limits = Limits()) {
    roster = SyncplayRoster(options, limits: limits)
  }

  /// An event outside the lobby.
  package enum Input: Sendable {
    /// A client connected; the coordinator is told as well.
    case connected(PeerID, address: String, mustEncrypt: Bool = false)
    case received(PeerID, SyncplayLine)
    case disconnected(PeerID)
    /// The coordinator sends a message to these peers of the lobby.
    indirect case heard(ServerMessage, by: Peers)
    /// The coordinator closes one of the lobby's peers.
    case refused(PeerID, ProtocolError)
    /// A peer without a connection was reserved to keep a room.
    ///
    /// It resumes the keeper that the coordinator still knows, if there is one.
    case reserved(PeerID, room: String, resuming: Resumption?)
    /// Whether the password that a client gave is the room's key.
    case answered(PeerID, room: String, isKey: Bool)
    /// The server starts, and the coordinator has recovered from a journal in which keepers had
    /// sessions in these groups.
    case recovered([GroupID])
    /// Time passed: harmless at any moment, due at ``SyncplayLobby/nextDeadline``.
    case clockAdvanced
  }

  /// An action that the lobby asks of the shell; actions are carried out in order.
  package enum Output: Equatable, Sendable {
    /// Hand the coordinator a message from a peer.
    indirect case tell(PeerID, ClientMessage)
    /// Tell the coordinator that a peer is there, or is gone.
    case connect(PeerID)
    case disconnect(PeerID)
    /// Tell the coordinator that a device of an earlier connection will not resume.
    case abandon(DeviceID)
    /// Send a State.
    ///
    /// States have their own case because nearly all messages are States, and the other messages
    /// take longer to copy.
    case state(SyncplayServerState, to: PeerID)
    /// Encode once, send to each.
    case send(SyncplayServerMessage, to: Peers)
    /// Encode once in one piece, and send to each peer with its next message, which is a State
    /// within two seconds.
    case post([SyncplayNews], to: Peers)
    /// Send the reason, if there is one, and close.
    case close(PeerID, SyncplayFault?)
    /// Reserve a peer without a connection that stands for this device, and answer with
    /// ``Input/reserved(_:room:resuming:)``.
    case reserve(room: String, device: DeviceID)
    /// Ask whether a client's password, as the client sends it, is the key of a room's group, and
    /// answer with ``Input/answered(_:room:isKey:)``.
    case knock(PeerID, room: String, GroupID, password: String)
    /// Encrypt from the next byte on.
    case startTLS(PeerID)
    /// Record that clients of these versions are here.
    case count(versions: [String])
  }

  /// Handles one input.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - instant: when it happened; not earlier than the input before.
  /// - Returns: the actions to carry out, in order.
  package mutating func handle(_ input: Input, at instant: Instant) -> [Output] {
    roster.now = max(roster.now, instant)
    switch input {
    case .connected(let id, let address, let mustEncrypt):
      var peer = SyncplayPeer(address: address, device: mintDevice(), at: roster.now)
      if mustEncrypt { peer.encryption = .required }
      roster.peers[id] = peer
    case .received(let id, let line): receive(line, from: id)
    case .disconnected(let id): part(from: id)
    case .heard(let message, let audience): hear(message, audience)
    case .refused(let id, let error): refuse(id, error)
    case .answered(let id, let room, let isKey): enter(room, id, isKey: isKey)
    case .reserved(let id, let room, let resumption): keep(room, by: id, resumption)
    case .recovered(let groups):
      reopen(groups)
      nextCount = roster.options.firstCount.map { roster.now + $0 }
    case .clockAdvanced: advanceClock()
    }
    defer { roster.outputs = [] }
    return roster.outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while there is no deadline.
  ///
  /// It is read once a turn, not for each input. It is mutating, although it changes nothing,
  /// because a getter that does not mutate is called on a copy of the whole lobby.
  package var nextDeadline: Instant? {
    mutating get {
      Instant.earlier(schedule.earliest, Instant.earlier(roster.newsDue, nextCount))
    }
  }

  private mutating func advanceClock() {
    if let due = roster.newsDue, due <= roster.now { roster.publishBulletin() }
    if let due = nextCount, due <= roster.now { countVersions() }
    let backlog = schedule.backlog(at: roster.now)
    if backlog > 0 { roster.outputs.reserveCapacity(min(backlog, Self.outputsAtOnce)) }
    while let id = schedule.popState(at: roster.now) {
      roster.peers.focus(on: id)
      meetDeadlines(of: id)
    }
    while let subject = schedule.popDue(at: roster.now) {
      switch subject {
      case .peer(let id):
        roster.settle(id)
        meetDeadlines(of: id)
        arm(id)
      case .room(let name):
        ping(asKeeperOf: name)
        askAgain(asKeeperOf: name)
        closeIfDeserted(name)
        arm(room: name)
      }
    }
  }

  private mutating func countVersions() {
    nextCount = roster.now + SyncplayLimits.countPeriod
    let versions = roster.clientDirectory.greeted.compactMap { roster.peers[$0]?.user?.version }
    if !versions.isEmpty { roster.outputs.append(.count(versions: versions)) }
  }

  /// Outputs of one tick with a thousand clients, reserved so that the array need not grow.
  private static let outputsAtOnce = 64

  /// Schedules a peer's first periodic State.
  mutating func begin(_ id: PeerID) {
    let due = schedule.begin(id, at: roster.now)
    roster.peers[id]?.pulse = due
  }

  /// Schedules a peer's next periodic State, one period from now.
  mutating func goOn(_ id: PeerID) {
    let next = StateSchedule.next(after: roster.now)
    roster.peers.change(id) { $0?.pulse = next }
    schedule.goOn(id, at: next)
  }

  mutating func arm(_ id: PeerID) {
    let due = Instant.earlier(roster.peers[id]?.plan?.due, roster.peers[id]?.user?.settles)
    schedule.arm(.peer(id), at: due)
  }

  mutating func arm(room name: String) {
    schedule.arm(.room(name), at: roster.rooms[name]?.nextDeadline)
  }

  /// Makes a device for a connection.
  ///
  /// A client that reconnects joins as a new participant, and the device of its old connection
  /// expires. The number is derived from the time, so that it differs from those after the server's
  /// next start.
  private mutating func mintDevice() -> DeviceID {
    lastDevice = max(lastDevice + 1, UInt64(clamping: roster.now.microseconds))
    return SyncplayIdentifiers.client(lastDevice)
  }
}

// MARK: Rooms with keys

// People type a room's key as the server's password. The coordinator knows the keys, so that each is
// asked for. A key opens its own room alone: whoever is in stays there when another room is asked
// for.
extension SyncplayLobby {
  /// Asks whether a client's password is a room's key.
  mutating func knock(at room: String, _ id: PeerID, with password: String) {
    let group = RoomName.group(of: room, limits: roster.limits)
    roster.outputs.append(.knock(id, room: room, group, password: password))
  }

  /// Lets a client into a room whose key it has; another client is hung up on, or stays in the room
  /// that it is in.
  mutating func enter(_ room: String, _ id: PeerID, isKey: Bool) {
    guard roster.isHere(id) else { return }
    // Keys are random, so guesses of them are not limited.
    guard let hello = hellos.removeValue(forKey: id) else {
      return isKey ? moveIn(id, to: room) : keepIn(id, insteadOf: room)
    }
    guard isKey else { return close(id, .wrongPassword) }
    admit(hello, id)
    roster.peers[id]?.user?.password = hello.password
  }

  /// Tells a client that it stays in its room.
  ///
  /// A client takes itself for a member of the room that it asks for. Its player goes on as it was,
  /// so it is not moved.
  private mutating func keepIn(_ id: PeerID, insteadOf wanted: String) {
    guard let user = roster.peers[id]?.user, let room = roster.rooms[user.room] else { return }
    roster.send(.set(.room(room.name)), to: id)
    roster.send(.set(.user(user.name, room: room.name)), to: id)
    roster.sendPlaylist(of: room, to: [id])
    explain(
      "“\(wanted)” has another key, or none. Connect again with its key as the password.", to: id)
  }

  /// Tells a client that it cannot make a managed room, because nobody would have the room's key.
  mutating func refuseManaged(to id: PeerID) {
    tellAuthorization(of: id, false, to: [id])
    explain("A key opens one room, so no managed room can be made here.", to: id)
  }

  private mutating func explain(_ reason: String, to id: PeerID) {
    roster.tellChat(reason, from: roster.options.serverName, to: [id])
  }
}
