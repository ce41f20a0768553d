import Coordination
import GroupSessions
import Participation
import Playback
import Signatures
import Vocabulary
import Wire

/// The real coordinator and whole clients with simulated players, in one process and true time.
///
/// Connections keep their order and lose nothing until they are cut, as TCP does.
struct ParticipantStage {
  struct Member {
    var participant: Client {
      didSet { wakesAt = participant.nextDeadline }
    }
    /// Asked far more often than the participant is told something.
    private(set) var wakesAt: HostTime?
    var player: SimulatedPlayer?
    var item: ItemID?
    var traits: PlayerTraits
    /// One way, at least.
    var delay: Duration
    /// What chance adds to it, at most.
    var jitter: Duration
    var clockStart: Duration
    /// The process clock's gain on true time, in parts per million.
    var skew: Double
    /// Whether connections can be made and carry anything.
    var isReachable = true
    /// Counts connections; mail of an older one is lost.
    var connection = 0
    var peer: PeerID?
    /// Events on their way to this member that get lost, against all rules.
    var lostEvents = 0
    var lastUp = Duration.zero
    var lastDown = Duration.zero
    var nextPoll = Duration.zero
    /// Whether there is an app that answers, and views that draw.
    var draws = true
    /// The app's backend, which gives each credential that is wanted.
    var backend: Backend?
    var updates: [(at: Duration, update: Client.Update)] = []
    var sent: [ClientMessage] = []
    var orders: [(at: Duration, order: Client.PlayerOrder)] = []
    var updatesBeforeOrders: [Int] = []

    func host(_ now: Duration) -> HostTime {
      HostTime(microseconds: 0) + clockStart + now * (1 + skew / 1_000_000)
    }

    func trueTime(_ host: HostTime) -> Duration {
      (host - HostTime(microseconds: 0) - clockStart) * (1 / (1 + skew / 1_000_000))
    }
  }

  enum Mail {
    case arrive(member: Int, connection: Int)
    case toServer(PeerID, ClientMessage)
    case goneAtServer(PeerID)
    case opened(member: Int, connection: Int)
    case toClient(member: Int, connection: Int, ServerMessage)
    case goneAtClient(member: Int, connection: Int, String)
    case credential(member: Int, String?)
  }

  var members: [Member] = []
  /// Whether the server can store nothing.
  var isJournalFailing = false
  /// Answers for campaigns, where there are some.
  var campaigns: CampaignStandIn?
  var coordinator: Coordinator
  var now = Duration.zero
  let limits: Limits
  private let access: Access
  private let mediaSigner: MediaSigner?
  private var owners: [PeerID: (member: Int, connection: Int)] = [:]
  private var mail: [(at: Duration, order: Int, mail: Mail)] = []
  private var mailed = 0
  private var nextSlot: UInt32 = 0
  private var noise: SplitMix64
  static let epoch = Instant(microseconds: 1_700_000_000_000_000)

  init(
    seed: UInt64 = 1, limits: Limits = Limits(), access: Access = .open,
    mediaSigner: MediaSigner? = nil
  ) {
    self.mediaSigner = mediaSigner
    noise = SplitMix64(seed: seed)
    self.limits = limits
    self.access = access
    coordinator = Coordinator(limits: limits, access: access, mediaSigner: mediaSigner)
  }

  var instant: Instant { Self.epoch + now }
  /// The time of day, by which credentials live.
  var wallTime: WallTime { WallTime(seconds: instant.microseconds / 1_000_000) }

  @discardableResult mutating func add(
    _ name: String, delay: Duration = .milliseconds(10), jitter: Duration = .zero,
    skew: Double = 0, traits: PlayerTraits = PlayerTraits(),
    backend: Backend? = nil, adjust: (inout ClientSettings) -> Void = { _ in }
  ) -> Int {
    var settings = ClientSettings(
      user: UserID("u-" + name), device: DeviceID("d-" + name), name: name)
    settings.givesCredentials = backend != nil
    adjust(&settings)
    let member = Member(
      participant: Client(settings, seed: noise.next()), traits: traits,
      delay: delay, jitter: jitter, clockStart: .seconds(1000 * (members.count + 1)), skew: skew,
      backend: backend)
    members.append(member)
    feed(.start, to: members.count - 1)
    return members.count - 1
  }

  // MARK: Disturbances

  /// Cuts a member's connection; both ends hear of it, unless `silently`.
  mutating func cut(_ member: Int, silently: Bool = false) {
    guard let peer = members[member].peer else { return }
    members[member].connection += 1
    members[member].peer = nil
    owners[peer] = nil
    guard !silently else { return }
    post(after: .zero, .goneAtServer(peer))
    feed(.connectionClosed("cut"), to: member)
  }

  /// Replaces the server by one that knows nothing.
  mutating func restartServer() {
    coordinator = Coordinator(limits: limits, access: access, mediaSigner: mediaSigner)
    mail.removeAll {
      switch $0.mail {
      case .toServer, .goneAtServer, .arrive: true
      default: false
      }
    }
    for member in members.indices where members[member].peer != nil {
      members[member].peer = nil
      members[member].connection += 1
      feed(.connectionClosed("the server is gone"), to: member)
    }
    owners = [:]
  }

  /// Has the server say goodbye, and replaces it by one that knows nothing.
  mutating func restartServerGently() throws {
    serve(.stop(isResumable: false))
    try wait { stage in stage.members.allSatisfy { !$0.participant.isOnline } }
    restartServer()
  }

  mutating func ask(_ request: Request, by member: Int, tag: Int = 0) {
    feed(.ask(request, tag), to: member)
  }

  // MARK: Time

  mutating func run(
    for duration: Duration, every step: Duration = .milliseconds(20),
    observe: (ParticipantStage) -> Void = { _ in }
  ) {
    let end = now + duration
    var nextLook = now + step
    while now < end {
      now = max(now, min(nextEvent(), nextLook, end))
      turn()
      if nextLook <= now {
        observe(self)
        nextLook = now + step
      }
    }
  }

  struct Late: Error {}

  /// Runs until something holds.
  ///
  /// - Throws: ``Late`` if it did not come to hold in time.
  mutating func wait(
    atMost limit: Duration = .seconds(30), until isTrue: (ParticipantStage) -> Bool
  ) throws(Late) {
    let end = now + limit
    while !isTrue(self) {
      guard now < end else { throw Late() }
      now = max(now, min(nextEvent(), end))
      turn()
    }
  }

  private func nextEvent() -> Duration {
    var next = mail.map(\.at).min() ?? .seconds(1_000_000)
    if let due = coordinator.nextDeadline { next = min(next, due - Self.epoch) }
    for member in members.indices {
      for case let deadline? in [members[member].wakesAt, members[member].player?.nextDeadline] {
        // A process clock ticks in microseconds: look a tick later, as a timer would.
        next = min(next, members[member].trueTime(deadline) + .microseconds(2))
      }
      if members[member].player != nil { next = min(next, members[member].nextPoll) }
    }
    return next
  }

  private mutating func turn() {
    while let index = mail.indices.filter({ mail[$0].at <= now }).min(by: {
      (mail[$0].at, mail[$0].order) < (mail[$1].at, mail[$1].order)
    }) {
      deliver(mail.remove(at: index).mail)
    }
    if let due = coordinator.nextDeadline, due <= instant { serve(.clockAdvanced) }
    for member in members.indices {
      let host = members[member].host(now)
      drainPlayer(of: member, at: host)
      if let due = members[member].wakesAt, due <= host { feed(.clockAdvanced, to: member) }
      if members[member].nextPoll <= now, let item = members[member].item {
        members[member].nextPoll = now + .milliseconds(100)
        if let reading = members[member].player?.reading(at: host) {
          feed(.player(reading, of: item), to: member)
        }
      }
    }
  }

  private mutating func deliver(_ item: Mail) {
    switch item {
    case .arrive(let member, let connection):
      guard members[member].connection == connection else { return }
      let peer = PeerID(slot: nextSlot, generation: 0)
      nextSlot += 1
      members[member].peer = peer
      owners[peer] = (member, connection)
      serve(.connected(peer))
    case .toServer(let peer, .request(let id, .messaging(let request))) where campaigns != nil:
      guard let owner = owners[peer] else { return }
      let now = instant
      let answers = campaigns?.answers(to: request, id, of: owner.member, at: now)
      for answer in answers ?? [] { send(answer, to: peer) }
    case .toServer(let peer, let message):
      serve(.wallTime(wallTime))
      serve(.received(peer, message))
    case .goneAtServer(let peer): serve(.disconnected(peer))
    case .opened(let member, let connection):
      guard members[member].connection == connection else { return }
      feed(.connectionOpened, to: member)
    case .toClient(let member, let connection, let message):
      guard members[member].connection == connection else { return }
      if case .event = message, members[member].lostEvents > 0 {
        members[member].lostEvents -= 1
        return
      }
      feed(.received(message), to: member)
    case .goneAtClient(let member, let connection, let why):
      guard members[member].connection == connection else { return }
      members[member].connection += 1
      feed(.connectionClosed(why), to: member)
    case .credential(let member, let text):
      feed(text.map { .credential($0) } ?? .credentialFailed("the backend is away"), to: member)
    }
  }

  private mutating func post(after delay: Duration, _ item: Mail) {
    post(at: now + delay, item)
  }

  private mutating func post(at moment: Duration, _ item: Mail) {
    mail.append((moment, mailed, item))
    mailed += 1
  }

  // MARK: The server

  mutating func serve(_ input: Coordination.Input) {
    coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in noise.next() })
    var appends: [Append] = []
    for output in coordinator.handle(input, at: instant) {
      switch output {
      case .send(let message, let peers):
        for peer in peers { send(message, to: peer) }
      case .close(let peer, let error): hangUp(peer, error)
      case .append(let append): appends.append(append)
      default: break
      }
    }
    for append in appends { serve(.appended(append, isJournalFailing ? .failed : .kept)) }
  }

  mutating func send(_ message: ServerMessage, to peer: PeerID) {
    guard let (member, connection) = owners[peer] else { return }
    post(at: downArrival(member), .toClient(member: member, connection: connection, message))
  }

  private mutating func hangUp(_ peer: PeerID, _ error: ProtocolError) {
    guard let (member, connection) = owners[peer] else { return }
    send(.closing(error), to: peer)
    owners[peer] = nil
    if members[member].peer == peer { members[member].peer = nil }
    post(
      at: downArrival(member),
      .goneAtClient(member: member, connection: connection, "closed by the server"))
    serve(.disconnected(peer))
  }

  private mutating func downArrival(_ member: Int) -> Duration {
    let arrival = now + oneWay(member)
    members[member].lastDown = max(arrival, members[member].lastDown)
    return members[member].lastDown
  }

  private mutating func upArrival(_ member: Int) -> Duration {
    let arrival = now + oneWay(member)
    members[member].lastUp = max(arrival, members[member].lastUp)
    return members[member].lastUp
  }

  private mutating func oneWay(_ member: Int) -> Duration {
    members[member].delay + noise.uniform(below: members[member].jitter)
  }

  // MARK: The clients

  mutating func feed(_ input: Client.Input, to member: Int) {
    let host = members[member].host(now)
    for output in members[member].participant.handle(input, at: host) {
      switch output {
      case .connect: connect(member)
      case .disconnect: disconnect(member)
      case .send(let message):
        members[member].sent.append(message)
        if let peer = members[member].peer { post(at: upArrival(member), .toServer(peer, message)) }
      case .player(let order):
        members[member].orders.append((now, order))
        members[member].updatesBeforeOrders.append(members[member].updates.count)
        carryOut(order, member, at: host)
      case .publish(let update):
        members[member].updates.append((now, update))
        if case .presenter(let output) = update { follow(output, member) }
        if case .credential(.wanted) = update, let backend = members[member].backend {
          let token = backend.token(wallTime, credentials(of: member).count)
          post(after: .milliseconds(50), .credential(member: member, token))
        }
      }
    }
  }

  private mutating func connect(_ member: Int) {
    members[member].connection += 1
    let connection = members[member].connection
    (members[member].lastUp, members[member].lastDown) = (now, now)
    guard members[member].isReachable else {
      return post(
        after: .milliseconds(5),
        .goneAtClient(member: member, connection: connection, "refused"))
    }
    post(at: upArrival(member), .arrive(member: member, connection: connection))
    post(
      at: members[member].lastUp + oneWay(member),
      .opened(member: member, connection: connection))
  }

  private mutating func disconnect(_ member: Int) {
    members[member].connection += 1
    guard let peer = members[member].peer else { return }
    members[member].peer = nil
    owners[peer] = nil
    post(at: upArrival(member), .goneAtServer(peer))
  }

  private mutating func carryOut(
    _ order: Client.PlayerOrder, _ member: Int, at host: HostTime
  ) {
    switch order {
    case .load(let media, _):
      members[member].item = media.item
      members[member].player = SimulatedPlayer(
        members[member].traits, seed: noise.next(), at: host)
    case .unload:
      members[member].item = nil
      members[member].player = nil
    case .carryOut(let command):
      members[member].player?.handle(command, at: host)
      drainPlayer(of: member, at: host)
    }
  }

  mutating func press(_ key: SimulatedPlayer.Key, by member: Int) {
    let host = members[member].host(now)
    members[member].player?.press(key, at: host)
    drainPlayer(of: member, at: host)
  }

  private mutating func drainPlayer(of member: Int, at host: HostTime) {
    guard let item = members[member].item else { return }
    for event in members[member].player?.advance(to: host) ?? [] {
      feed(.player(event, of: item), to: member)
    }
  }
}
