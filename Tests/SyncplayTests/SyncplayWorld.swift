import Coordination
import GroupSessions
import JSON
import Playback
import Signatures
import SyncplayTesting
import Vocabulary
import Wire

@testable import Syncplay

/// A lobby and the coordinator behind it in virtual time: lines in, lines out.
struct SyncplayWorld: SyncplayStage {
  struct Client {
    let id: PeerID
    var player: ScriptedClient
    var unseen: [JSONTree] = []
    var isOver = false
    /// Where its player is.
    var place: Double { player.place }
  }

  var lobby: SyncplayLobby
  var coordinator: Coordinator
  var now = Instant(microseconds: 1_795_254_915_000_000)
  var clients: [String: Client] = [:]
  /// Peers of the native protocol, and what they hear.
  var natives: [PeerID: [ServerMessage]] = [:]
  /// All lines of clients, for tests that look at more than the next one.
  var transcript: [String] = []
  /// How much was said that may wait for something else.
  private(set) var posted = 0
  /// How often the coordinator was told where a player is.
  private(set) var reports = 0
  /// What was counted of clients' versions.
  private(set) var counts: [[String]] = []
  /// The clients whose connections are to be encrypted.
  private(set) var secured: [PeerID] = []
  /// How long the journal takes to keep something; 0 is at once.
  var journalDelay = Duration.zero
  /// How many appends the journal was given.
  private(set) var appends = 0
  /// The numbers of the appends that fail; that of the first is 1.
  var failing: Set<Int> = []
  private var beingKept: [(due: Instant, append: Append)] = []
  /// What a server goes on from, but for answers.
  private var kept: [AggregateID: [RecordedEvent]] = [:]
  private var nextSlot: UInt32 = 0
  private var encoder = SyncplayLineEncoder()
  private var work: [Work] = []

  private enum Work {
    case lobby(SyncplayLobby.Input)
    case coordinator(Input)
  }

  init(
    _ options: SyncplayOptions = SyncplayOptions(salt: "testsalt12"), access: Access = .open
  ) {
    self.options = options
    lobby = SyncplayLobby(options)
    coordinator = Coordinator(server: "test", access: access)
  }

  /// One whose rooms have keys.
  static func keyed(_ keys: AccessKeys) -> SyncplayWorld {
    var options = SyncplayOptions(salt: "testsalt12")
    options.asksForKeys = true
    options.isolatesRooms = true
    return SyncplayWorld(options, access: .keys(keys))
  }

  /// One whose server keeps rooms, and has these from its start.
  static func keepingRooms(permanent: [String] = []) -> SyncplayWorld {
    var options = SyncplayOptions(salt: "testsalt12")
    options.keepsRooms = true
    options.permanentRooms = permanent
    return SyncplayWorld(options)
  }

  let options: SyncplayOptions

  // MARK: The stage

  mutating func connect(_ name: String) { connect(name, mustEncrypt: false) }

  mutating func connect(
    _ name: String, mustEncrypt: Bool = false, from address: String = "127.0.0.1"
  ) {
    let id = reserve()
    clients[name] = Client(id: id, player: ScriptedClient(name, at: now.stamp))
    carryOut([
      .coordinator(.connected(id)),
      .lobby(.connected(id, address: address, mustEncrypt: mustEncrypt)),
    ])
  }

  mutating func say(_ line: String, as name: String) {
    guard let id = clients[name]?.id else { return }
    if let tree = JSONTree(ifObject: line) { clients[name]?.player.note(tree, at: now.stamp) }
    carryOut([.lobby(.received(id, decode(line)))])
  }

  private func decode(_ line: String) -> SyncplayLine {
    var decoder = SyncplayLineDecoder(options)
    return decoder.decode(Array(line.utf8).span)
  }

  mutating func leave(_ name: String) {
    guard let client = clients.removeValue(forKey: name) else { return }
    carryOut([.lobby(.disconnected(client.id))])
  }

  mutating func mute(_ name: String) { clients[name]?.player.answers = false }

  mutating func wait(_ seconds: Double) {
    let end = now + .microseconds(Int64(seconds * 1_000_000))
    while let due = [lobby.nextDeadline, coordinator.nextDeadline, beingKept.first?.due]
      .compactMap(\.self).min(), due <= end
    {
      now = max(now, due)
      while let first = beingKept.first, first.due <= now {
        beingKept.removeFirst()
        carryOut([.coordinator(.appended(first.append, .kept))])
      }
      carryOut([.coordinator(.clockAdvanced), .lobby(.clockAdvanced)])
    }
    now = end
  }

  /// How long a line may take.
  private static let patience = 1.5

  let slack = 0.25

  mutating func wait(until condition: (SyncplayWorld) -> Bool) {
    var waited = 0.0
    while !condition(self), waited < Self.patience {
      wait(0.05)
      waited += 0.05
    }
  }

  func heard(by name: String) -> [JSONTree] { clients[name]?.unseen ?? [] }

  mutating func skip(_ count: Int, heardBy name: String) {
    clients[name]?.unseen.removeFirst(count)
  }

  func isOver(_ name: String) -> Bool { clients[name]?.isOver == true }

  /// The server is killed, and goes on from what was kept when so much time has passed.
  mutating func restart(after pause: Duration) throws {
    now = now + pause
    clients = [:]
    natives = [:]
    work = []
    lobby = SyncplayLobby(options)
    coordinator = Coordinator(server: "test")
    var recovery = Recovery()
    for (aggregate, events) in kept where !events.isEmpty {
      try recovery.take(RecordedStream(aggregate, known: events))
    }
    carryOut([.coordinator(.recovered(recovery))])
    let groups = coordinator.groups(ofSessionsBegunBy: SyncplayLobby.keeper)
    carryOut([.lobby(.recovered(groups))])
  }

  /// The journal has room for what makes it grow, or has none.
  mutating func fillJournal(_ isFull: Bool) { carryOut([.coordinator(.journalFilled(isFull))]) }

  // MARK: Natives

  mutating func connectNative(
    _ user: String, joins group: GroupID, with credential: String? = nil, key: String? = nil
  ) -> PeerID {
    let id = reserve()
    natives[id] = []
    let hello = Hello(
      user: UserID(user), device: DeviceID(user), name: user, features: [.sessions],
      credential: credential)
    carryOut([
      .coordinator(.connected(id)), .coordinator(.received(id, .hello(hello))),
      .coordinator(.received(id, .request(1, .joinGroup(group, key: key)))),
    ])
    return id
  }

  mutating func ask(_ request: Request, _ number: RequestID, as id: PeerID) {
    carryOut([.coordinator(.received(id, .request(number, request)))])
  }

  // MARK: The shell

  private mutating func reserve() -> PeerID {
    defer { nextSlot += 1 }
    return PeerID(slot: nextSlot, generation: 1)
  }

  private mutating func carryOut(_ new: [Work]) {
    work += new
    while !work.isEmpty {
      let next = work.removeFirst()
      switch next {
      case .lobby(let input): for output in lobby.handle(input, at: now) { perform(output) }
      case .coordinator(let input):
        coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in chance.next() })
        for output in coordinator.handle(input, at: now) { perform(output) }
      }
    }
  }

  private var chance = SplitMix64(seed: 7)

  private mutating func send(_ message: SyncplayServerMessage, to peers: Peers) {
    let line = String(decoding: encoder.encode(message).dropLast(2), as: UTF8.self)
    for id in peers { deliver(line, to: id) }
  }

  private mutating func perform(_ output: SyncplayLobby.Output) {
    switch output {
    case .tell(let id, let message):
      if case .report = message { reports += 1 }
      work.append(.coordinator(.received(id, message)))
    case .connect(let id): work.append(.coordinator(.connected(id)))
    case .disconnect(let id): work.append(.coordinator(.disconnected(id)))
    case .abandon(let device): work.append(.coordinator(.abandoned(device)))
    case .knock(let id, let room, let group, let password):
      let isKey = SyncplayHash.isPassword(password, of: coordinator.key(of: group))
      work.append(.lobby(.answered(id, room: room, isKey: isKey)))
    case .reserve(let room, let device):
      let resumption = coordinator.resumption(of: device)
      work.append(.lobby(.reserved(reserve(), room: room, resuming: resumption)))
    case .state(let state, let id):
      deliver(String(decoding: encoder.encode(state).dropLast(2), as: UTF8.self), to: id)
    case .send(let message, let peers): send(message, to: peers)
    case .startTLS(let id): secured.append(id)
    case .count(let versions): counts.append(versions)
    case .post(let news, let peers):
      posted += 1
      for piece in news { send(.set(piece), to: peers) }
    case .close(let id, let fault):
      if let fault {
        let line = encoder.encode(.error(fault.message)).dropLast(2)
        deliver(String(decoding: line, as: UTF8.self), to: id)
      }
      if let name = name(of: id) { clients[name]?.isOver = true }
    }
  }

  private mutating func perform(_ output: Output) {
    switch output {
    case .append(let append): keep(append)
    case .send(let message, let peers):
      for id in peers where natives[id] != nil { natives[id]?.append(message) }
      let ours = peers.filter { natives[$0] == nil }
      if !ours.isEmpty { work.append(.lobby(.heard(message, by: .many(ours)))) }
    case .close(let id, let error): work.append(.lobby(.refused(id, error)))
    case .shut: break
    case .forget(let aggregate): kept[aggregate] = nil
    // Nobody comes over links here.
    case .snapshot, .warn, .push, .drain, .publish, .audience: break
    }
  }

  private mutating func keep(_ append: Append) {
    appends += 1
    guard !failing.contains(appends) else {
      return work.append(.coordinator(.appended(append, .failed)))
    }
    guard journalDelay == .zero else { return beingKept.append((now + journalDelay, append)) }
    kept[append.aggregate, default: []] += append.events
    work.append(.coordinator(.appended(append, .kept)))
  }

  private func name(of id: PeerID) -> String? { clients.first { $0.value.id == id }?.key }

  private mutating func deliver(_ line: String, to id: PeerID) {
    guard let name = name(of: id), let tree = JSONTree(ifObject: line) else { return }
    clients[name]?.unseen.append(tree)
    transcript.append("\(name) < \(line)")
    guard let answer = clients[name]?.player.answer(to: tree, at: now.stamp) else { return }
    work.append(.lobby(.received(id, decode(answer))))
  }
}
