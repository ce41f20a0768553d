import GroupSessions
import InAppMessaging
import Naming
import Playback
import Signatures
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// A coordinator with everything around it in memory: clients, a journal, and virtual time.
struct Stage {
  var coordinator: Coordinator
  var now = Instant.start
  var clients: [PeerID: Client] = [:]
  /// The connection of each device that has one, or had it last.
  var peers: [DeviceID: PeerID] = [:]
  let journal: SharedJournal
  /// Appends wait for ``release`` instead of being answered at once, by the inputs they came of.
  var isHeld = false
  var held: [[Held]] = []

  /// What waits for the journal.
  enum Held: Equatable {
    case append(Append)
    case forget(AggregateID)
  }

  /// What was said for people to mend.
  private(set) var warnings: [(MessagingWarning, UserID)] = []
  private(set) var drained: [ServerID] = []
  private var encoder = ServerLineEncoder()
  /// What push services were asked for.
  var pushes: [(order: PushOrder, attempt: PushAttempt)] = []
  /// How often an append came too late.
  private(set) var losses = 0
  private var random: SplitMix64
  private var nextSlot: UInt32 = 0
  private var fronts: StagedFronts
  /// The connections that were closed without a word.
  private(set) var shut: [PeerID] = []
  private var nextRequest: RequestID = 1

  init(
    limits: Limits = Limits(), access: Access = .open,
    dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    messaging: MessagingPolicy = MessagingPolicy(),
    notifications: NotificationSettings = NotificationSettings(),
    mediaSigner: MediaSigner? = nil, seed: UInt64 = 1, journal: SharedJournal = SharedJournal(),
    fronts: Int = 0
  ) {
    coordinator = Coordinator(
      limits: limits, access: access, dismissalPolicy: dismissalPolicy, messaging: messaging,
      notifications: notifications, mediaSigner: mediaSigner)
    random = SplitMix64(seed: seed)
    self.journal = journal
    self.fronts = StagedFronts(count: fronts)
  }

  // MARK: Inputs

  mutating func handle(_ input: Input) {
    if case .disconnected(let peer) = input { fronts.forget(peer) }
    let wanted = coordinator.wantedEntropy
    if wanted > 0 { coordinator.refill(with: (0..<wanted).map { _ in random.next() }) }
    journal.beginBatch()
    var batch: [Held] = []
    defer { if !batch.isEmpty { held.append(batch) } }
    var waiting = coordinator.handle(input, at: now)[...]
    while let output = waiting.popFirst() {
      switch output {
      case .send(let message, let peers):
        tell(message, to: peers)
      case .publish(let message, let peers, let relay):
        tell(message, to: .many(peers + fronts.receivers(of: relay)))
      case .audience(let order): fronts.carryOut(order)
      case .shut(let peer): shut.append(peer)
      case .close(let peer, let error):
        clients[peer]?.closedWith = error
        fronts.forget(peer)
      case .append(let append):
        if isHeld || !held.isEmpty {
          batch.append(.append(append))
        } else {
          waiting += keep(append)
        }
      case .forget(let id):
        if case .group(let group) = id { encoder.forget(group) }
        if isHeld || !held.isEmpty { batch.append(.forget(id)) } else { journal.forget(id) }
      case .snapshot(let state): journal.keep(state)
      case .warn(let warning, let user): warnings.append((warning, user))
      case .drain(let server): drained.append(server)
      case .push(let order, let attempt): pushes.append((order, attempt))
      }
    }
  }

  private mutating func tell(_ message: ServerMessage, to peers: Peers) {
    checkState(in: message)
    for peer in peers { clients[peer]?.take(message) }
  }

  /// Checks that the state of a session or group is the one that was sent after the same event.
  ///
  /// Servers write it once for all who are told it, by the number of its last event.
  private mutating func checkState(in message: ServerMessage) {
    switch message {
    case .snapshot, .group:
      encoder.encode(message)
      #expect(encoder.line == encode(message))
    default: break
    }
  }

  private mutating func keep(_ append: Append) -> [Output] {
    let outcome = journal.keep(append)
    if case .preceded = outcome { losses += 1 }
    let outputs = coordinator.handle(.appended(append, outcome), at: now)
    if outputs.contains(where: \.isAppend) { journal.beginBatch() }
    return outputs
  }

  /// Answers the appends that wait, the first ones or all, and those that follow from them.
  mutating func release(_ count: Int = .max) {
    var rest = count
    while rest > 0, !held.isEmpty {
      rest -= 1
      journal.beginBatch()
      var outcomes: [(Append, AppendOutcome)] = []
      for entry in held.removeFirst() {
        switch entry {
        case .append(let append): outcomes.append((append, journal.keep(append)))
        case .forget(let id): journal.forget(id)
        }
      }
      for (append, outcome) in outcomes {
        if case .preceded = outcome { losses += 1 }
        handle(.appended(append, outcome))
      }
    }
  }

  /// Reports of the appends that wait that it is not known whether they are stored.
  mutating func doubt() {
    for case .append(let append) in held.joined() { handle(.appended(append, .unknown)) }
  }

  /// Lets time pass, waking the coordinator whenever it wants to be.
  mutating func advance(_ duration: Duration) {
    let end = now + duration
    while let deadline = coordinator.nextDeadline, deadline <= end {
      now = max(now, deadline)
      handle(.clockAdvanced)
      if let next = coordinator.nextDeadline {
        #expect(next > now, "a wake-up at \(now) asks for another one at \(next)")
        guard next > now else { break }
      }
    }
    now = end
    handle(.clockAdvanced)
  }

  // MARK: Connections

  mutating func connectSilently(from address: PeerAddress? = nil) -> PeerID {
    nextSlot += 1
    let peer = PeerID(slot: nextSlot, generation: 0)
    clients[peer] = Client(peer: peer)
    handle(.connected(peer, from: address, over: fronts.admit(peer)))
    return peer
  }

  @discardableResult
  mutating func connect(
    as device: DeviceID, user: UserID? = nil, name: String? = nil,
    features: Set<Feature> = [.sessions], from address: PeerAddress? = nil
  ) -> PeerID {
    let peer = connectSilently(from: address)
    clients[peer]?.user = user
    say(.hello(hello(device, user: user, name: name, features: features)), on: peer)
    peers[device] = peer
    return peer
  }

  /// The server dies in mid-air, and another one goes on from the journal.
  mutating func crash(access: Access? = nil, dismissalPolicy: DismissalPolicy? = nil) {
    held = []
    fronts = fronts.restarted
    let (campaigns, messaging) = (coordinator.people.campaigns, coordinator.people.messagingPolicy)
    encoder = ServerLineEncoder()
    coordinator = Coordinator(
      limits: coordinator.groups.turn.limits, access: access ?? coordinator.groups.access,
      dismissalPolicy: dismissalPolicy ?? coordinator.groups.dismissalPolicy, messaging: messaging,
      notifications: coordinator.people.notifications)
    do {
      handle(.recovered(try journal.recovery()))
    } catch {
      Issue.record(error)
    }
    if let campaigns { handle(.campaigns(campaigns)) }
  }

  func hello(
    _ device: DeviceID, user: UserID? = nil, name: String? = nil,
    features: Set<Feature> = [.sessions], resume: Resumption? = nil
  ) -> Hello {
    Hello(
      user: user ?? UserID(device.text), device: device, name: name ?? device.text,
      features: features, resume: resume)
  }

  mutating func disconnect(_ device: DeviceID) {
    guard let peer = peers[device] else { return }
    handle(.disconnected(peer))
  }

  /// Comes back on a new connection, from what the old one saw last.
  @discardableResult
  mutating func resume(
    _ device: DeviceID, seq: Int? = nil, forgetting: Bool = false,
    features: Set<Feature> = [.sessions], from address: PeerAddress? = nil
  ) -> PeerID {
    let old = self[device]
    let peer = connectSilently(from: address)
    var client = Client(peer: peer)
    client.user = old.user
    client.mirror = forgetting ? nil : old.mirror
    client.participant = old.participant
    client.isOut = old.isOut
    clients[peer] = client
    let isIn = old.mirror.map { !old.isOut.contains($0.id) } ?? false
    let resumption = Resumption(
      token: old.token ?? "none", session: isIn ? old.mirror?.id : nil,
      seq: forgetting || !isIn ? nil : seq ?? old.mirror?.seq)
    say(
      .hello(hello(device, user: old.user, features: features, resume: resumption)), on: peer)
    peers[device] = peer
    return peer
  }

  mutating func say(_ message: ClientMessage, on peer: PeerID) {
    handle(.received(peer, message))
  }

  mutating func say(_ message: ClientMessage, from device: DeviceID) {
    guard let peer = peers[device] else { return }
    say(message, on: peer)
  }

  // MARK: Requests

  /// Asks without looking for the answer; gives the request's number.
  @discardableResult
  mutating func post(_ request: Request, from device: DeviceID) -> RequestID {
    nextRequest += 1
    say(.request(nextRequest, request), from: device)
    return nextRequest
  }

  /// Asks, and gives the one answer.
  @discardableResult
  mutating func ask(
    _ device: DeviceID, _ request: Request, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Answer {
    let id = post(request, from: device)
    let answers = self[device].answers[id] ?? []
    #expect(answers.count == 1, "\(request)", sourceLocation: sourceLocation)
    return try #require(answers.first, sourceLocation: sourceLocation).get()
  }

  /// Asks for what is to be refused, and gives the error.
  mutating func refusal(
    _ device: DeviceID, _ request: Request, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ProtocolError {
    let id = post(request, from: device)
    let answers = self[device].answers[id] ?? []
    #expect(answers.count == 1, "\(request)", sourceLocation: sourceLocation)
    guard case .failure(let error)? = answers.first else {
      Issue.record("not refused: \(answers)", sourceLocation: sourceLocation)
      throw ProtocolError(.busy)
    }
    return error
  }
}

extension Output {
  fileprivate var isAppend: Bool {
    if case .append = self { true } else { false }
  }
}

// MARK: Scenes

extension Stage {
  static func movie(_ name: String = "film", kind: LifetimePolicy = .automatic) -> GroupActivity {
    GroupActivity(
      type: "watch", payload: JSONText(validated: #"{"film":"\#(name)"}"#),
      metadata: GroupActivityMetadata(
        title: "Watch \(name)", fallbackURL: "https://example.org/\(name)", lifetimePolicy: kind),
      media: media(name))
  }

  static func media(_ name: String) -> MediaItem {
    MediaItem(item: ItemID(name), url: "https://example.org/\(name).mp4")
  }

  /// Connects devices and brings them into one group.
  mutating func gather(_ devices: [DeviceID], in group: GroupID = "g") throws {
    for device in devices {
      connect(as: device)
      try ask(device, .joinGroup(group))
    }
  }

  /// Starts an activity.
  mutating func activate(_ device: DeviceID, _ activation: Activation = Activation(movie())) throws
    -> SessionID
  {
    guard case .activated(let id, _, _) = try ask(device, .activate(activation)) else {
      throw ProtocolError(.busy)
    }
    return id
  }

  @discardableResult
  mutating func join(_ device: DeviceID, _ id: SessionID, handoffFrom: ParticipantID? = nil) throws
    -> ParticipantID
  {
    guard case .joined(_, let participant) = try ask(device, .join(id, handoffFrom: handoffFrom))
    else { throw ProtocolError(.busy) }
    return participant
  }

  /// A group of these devices, all in one session that the first one started.
  static func watching(
    _ devices: [DeviceID], _ activation: Activation = Activation(movie()),
    limits: Limits = Limits()
  ) throws -> (Stage, SessionID) {
    var stage = Stage(limits: limits)
    try stage.gather(devices)
    let id = try stage.activate(devices[0], activation)
    for device in devices { try stage.join(device, id) }
    return (stage, id)
  }

  /// Everyone named makes the item current, it is started, and everyone reports ready.
  mutating func play(_ item: ItemID = "film", _ devices: [DeviceID]) throws {
    for device in devices {
      try ask(device, .playback(nil, .transition(to: item)))
    }
    try ask(devices[0], .playback(nil, .play(item)))
    for device in devices { try ready(device, item) }
  }

  mutating func ready(_ device: DeviceID, _ item: ItemID = "film") throws {
    guard let seq = self[device].mirror?.playback.timelines[item]?.seq else { return }
    try ask(device, .playback(nil, .ready(item, seq: seq)))
  }

  func timeline(_ id: SessionID, _ item: ItemID = "film") -> Timeline? {
    session(id)?.playback.timelines[item]
  }
}
