package import Coordination
import DequeModule
package import EventLoops
package import InAppMessaging
package import Journals
package import Logging
package import TLS
import Transports
package import UserNotifications
package import Vocabulary
import Wire

/// The server's shell: it decodes bytes to inputs of the coordinator, and encodes the coordinator's
/// outputs.
///
/// Confined to its loop's thread. It is the only code that both reads the clock and changes the
/// coordinator. Each input is handled, with all its outputs, before the next one.
package final class MatineeServer {
  package let edge: Edge
  var decoder: ClientLineDecoder
  private let clock: GroupClock
  private let journal: any Journal
  /// What the server counts about itself.
  private(set) var counted = ServerMetrics()
  private var health: JournalHealth {
    didSet { if health.obstacle != oldValue.obstacle { take(.obstacle(health.obstacle)) } }
  }
  private let pushDesk: PushDesk?
  private(set) var coordinator: Coordinator
  private var encoder = ServerLineEncoder()
  /// The dialects beside the native protocol; a peer's slot stores the number of its dialect.
  private var dialects: [any Dialect] = []
  private var waiting: Deque<WaitingInput> = []
  private var isHandling = false
  private var timer: LoopTimer?
  /// Whether an input was handled since the timer was armed; a turn can end more than once.
  private var hasHandled = true
  private(set) var hasStopped = false
  private var departure: PeerDrain?
  /// How people prove who they are.
  let accessMode: AccessMode

  /// An input that arose while another one was being handled.
  private enum WaitingInput {
    case coordinator(Input)
    /// The first waiting input of that dialect.
    case dialect(any Dialect)
  }

  /// Starts listening on all addresses of the configuration.
  ///
  /// - Parameters:
  ///   - notifications: how notifications are stored and sent.
  ///   - pushDesk: sends pushes, and is stopped with the server; `nil` sends none.
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  package init(
    _ configuration: ServerConfiguration, on loop: EventLoop,
    journal: any Journal = MemoryJournal(), recovering contents: JournalContents? = nil,
    clock: GroupClock? = nil, notifications: NotificationSettings = NotificationSettings(),
    pushDesk: PushDesk? = nil, log: Logger
  ) throws(EndpointError) {
    self.journal = journal
    self.pushDesk = pushDesk
    let limits = configuration.limits
    edge = Edge(limits, on: loop, log: log)
    health = JournalHealth(limits)
    accessMode = configuration.access.mode
    self.clock = clock ?? GroupClock(showing: WallClock.read(), at: loop.now)
    coordinator = Coordinator(
      limits: limits, server: MatineeVersion.text, access: configuration.access,
      dismissalPolicy: configuration.dismissalPolicy, messaging: configuration.messaging,
      notifications: notifications, mediaSigner: configuration.mediaSigner)
    decoder = ClientLineDecoder(limits: limits)
    timer = LoopTimer(on: loop) { [weak self] in self?.advanceClock() }
    journal.delegate = self
    pushDesk?.delegate = self
    if let contents { recover(contents) }
    journalDidMeasure(journal)
    try edge.listen(on: configuration.endpoints, configuration.encryption, for: self)
    loop.atTurnEnd(.settle) { [weak self] in self?.armTimer() }
  }

  /// Continues from a journal, in the group's time of the server that wrote it.
  ///
  /// - Parameters:
  ///   - notifications: how notifications are stored and sent.
  ///   - pushDesk: makes the desk; it takes the group's clock.
  /// - Throws: `EndpointError`, a `JournalError` if the journal cannot be written, or the error of
  ///   `pushDesk`.
  package convenience init(
    _ configuration: ServerConfiguration, on loop: EventLoop, goingOnFrom opened: any OpenedJournal,
    notifications: NotificationSettings = NotificationSettings(),
    pushDesk: (GroupClock) throws -> PushDesk? = { _ in nil }, log: Logger
  ) throws {
    let clock = try GroupClock(goingOnFrom: opened, at: loop.now, log)
    try self.init(
      configuration, on: loop, journal: try opened.journal(on: loop),
      recovering: opened.contents, clock: clock, notifications: notifications,
      pushDesk: try pushDesk(clock), log: log)
  }

  /// Why people cannot come in and do what they want; `nil` if they can.
  package var obstacle: String? { edge.isListening ? health.obstacle : "This server stops." }

  /// Called when another server has the journal, or it has lost what this one has written.
  package var onReplacement: ((_ reason: String) -> Void)?

  /// Called when a drain has sent everybody away; says whether another server can go on.
  package var onDeparture: ((_ isFollowed: Bool) -> Void)?

  /// How many bytes the journal has.
  var journalBytes: Int { journal.size }

  /// Uses these campaigns from now on; before the first call there are no in-app messages.
  package func use(_ campaigns: CampaignSet) { take(.campaigns(campaigns)) }

  /// Lets people prove who they are in this way; closes connections whose credentials are void then.
  package func use(_ access: Access) { take(.access(access)) }

  /// Proves itself by this certificate from now on; open connections stay.
  package func use(_ identity: TLSIdentity) { edge.use(identity) }

  /// Stops: notifies all peers, and accepts no more connections.
  ///
  /// Queued bytes are written within the drain deadline. The loop ends once everything is closed;
  /// it waits for no disk with media. A second call does nothing.
  package func stop() {
    guard !hasStopped else { return }
    hasStopped = true
    onReplacement = nil
    onDeparture = nil
    departure?.close()
    edge.stopListening()
    take(.stop(isResumable: journal.isDurable))
    timer?.close()
    edge.close()
    journal.close()
    pushDesk?.stop()
  }

  /// Sends everybody who came in here to the other servers, for which this one decides until then; a
  /// second call does nothing.
  func drain() {
    guard departure == nil, !hasStopped else { return }
    log.info("sending everybody to the other servers", metadata: ["peers": "\(ownPeers.count)"])
    edge.closeToPeople()
    departure = PeerDrain(
      within: limits.departureTime, on: loop, of: { [unowned self] in ownPeers },
      { [unowned self] in take(.sendBack($0)) },
      then: { [unowned self] in onDeparture?(edge.links?.isFollowed == true) })
    edge.links?.tellServers()
  }

  package var isDraining: Bool { departure != nil }

  /// The peers that came in here, and not at a server in front.
  var ownPeers: [PeerID] { edge.peers.filter { edge.links?.isLink($0) != true } }

  /// The group's time; each access reads the clock.
  package var now: Instant { clock.instant(at: loop.now) }

  private func armTimer() {
    guard hasHandled, !hasStopped else { return }
    hasHandled = false
    let next = dialects.reduce(coordinator.nextDeadline) { Instant.earlier($0, $1.nextDeadline) }
    timer?.fire(at: next.map { clock.hostTime(of: $0) })
  }

  private func advanceClock() {
    take(.clockAdvanced)
    for dialect in dialects { dialect.advanceClock() }
  }
}

@available(*, unavailable)
extension MatineeServer: Sendable {}

// MARK: Inputs and outputs

extension MatineeServer: JournalDelegate, PushDeskDelegate {
  /// Hands an input to the coordinator, and performs its outputs in order.
  ///
  /// Inputs that the outputs cause, such as the answer of a fast journal, wait until all outputs
  /// are performed, so that the coordinator is never entered twice.
  func take(_ input: Input) {
    if !enter({ now in handle(input, at: now) }) { waiting.append(.coordinator(input)) }
  }

  /// Handles an input, and then all inputs that it caused.
  ///
  /// - Returns: false if another input is being handled; then nothing was done, and the input has
  ///   to wait.
  func enter(_ first: (Instant) -> Void) -> Bool {
    guard !isHandling else { return false }
    isHandling = true
    let now = now
    first(now)
    while let next = waiting.popFirst() {
      switch next {
      case .coordinator(let input): handle(input, at: now)
      case .dialect(let dialect): dialect.handleNextInput(at: now)
      }
    }
    isHandling = false
    hasHandled = true
    return true
  }

  private func handle(_ input: Input, at now: Instant) {
    topUpEntropy()
    for output in coordinator.handle(input, at: now) { perform(output) }
  }

  /// Continues from a journal's contents; a stream that cannot be recovered stays in the journal.
  private func recover(_ contents: JournalContents) {
    var recovery = Recovery()
    recovery.reserve(contents.streams.count)
    recovery.take(contents.endings)
    for stream in contents.streams {
      do throws(BrokenStream) {
        try recovery.take(stream)
      } catch {
        log.error(
          "a stream of the journal has no beginning", metadata: ["stream": "\(error.aggregate)"])
      }
    }
    take(.recovered(recovery))
  }

  private func topUpEntropy() {
    let wanted = coordinator.wantedEntropy
    guard wanted > 0 else { return }
    var system = SystemRandomNumberGenerator()
    coordinator.refill(with: (0..<wanted).map { _ in system.next() })
  }

  private func perform(_ output: Output) {
    switch output {
    case .send(let message, let audience):
      if case .error(_, let error) = message { counted.countRefusal(error.code) }
      send(message, to: audience)
    case .publish(let message, let peers, let relay): send(message, to: .many(peers), and: relay)
    case .audience(let order): edge.links?.carryOut(order)
    case .close(let peer, let error):
      counted.countRefusal(error.code)
      close(peer, error)
    case .shut(let peer):
      // The dialect knows the peer already, because the coordinator could have refused it in words.
      let dialect = dialect(of: peer)
      edge.shut(peer, because: "too many connections come from an address")
      dialect?.lose(peer)
    case .append(let append):
      counted.beginAppend()
      journal.append(append)
    case .snapshot(let state): journal.snapshot(state)
    case .forget(let aggregate):
      if case .group(let group) = aggregate { encoder.forget(group) }
      journal.forget(aggregate)
    case .drain(let server): edge.links?.drain(server)
    case .warn(let warning, let user): log.tell(of: warning, about: user)
    case .push(let order, let attempt): push(order, attempt)
    }
  }

  private func push(_ order: PushOrder, _ attempt: PushAttempt) {
    guard let pushDesk else { return take(.pushEnded(attempt, .refused)) }
    pushDesk.send(order, attempt)
  }

  func encode(_ message: ServerMessage) -> EncodedMessage {
    EncodedMessage(message, with: &encoder)
  }

  private func send(_ message: ServerMessage, to peers: Peers, and relay: AudienceRelay? = nil) {
    switch peers {
    case .one(let peer):
      if let dialect = dialect(of: peer) { return dialect.receive(message, for: peers) }
      var encoded = encode(message)
      edge.send(&encoded, to: peers, droppable: message.isDroppable)
    case .many(let peers):
      let others = dialects.isEmpty ? peers : sendByDialects(message, to: peers)
      guard !others.isEmpty || relay != nil else { return }
      var encoded = encode(message)
      edge.send(&encoded, to: others, and: relay, droppable: message.isDroppable)
    }
  }

  /// Passes a message to the dialects of those peers that have one.
  ///
  /// - Returns: the native peers.
  private func sendByDialects(_ message: ServerMessage, to peers: [PeerID]) -> [PeerID] {
    // Usually all peers belong to one dialect or to none; then no array is made.
    let first = peers.first.flatMap { edge.dialect(of: $0) }
    if peers.allSatisfy({ edge.dialect(of: $0) == first }) {
      guard let first else { return peers }
      dialects[first].receive(message, for: .many(peers))
      return []
    }
    for (number, dialect) in dialects.enumerated() {
      let own = peers.filter { edge.dialect(of: $0) == number }
      if !own.isEmpty { dialect.receive(message, for: .many(own)) }
    }
    return peers.filter { edge.dialect(of: $0) == nil }
  }

  private func close(_ peer: PeerID, _ error: ProtocolError) {
    guard let dialect = dialect(of: peer) else { return edge.hangUp(on: peer, error) }
    // A peer without a connection reports no close, so its slot is freed here.
    if !edge.reaches(peer) { edge.remove(peer) }
    dialect.refuse(peer, error)
  }

  /// Handles the journal's answer to an append.
  package func journal(
    _ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome,
    after time: Duration
  ) {
    if outcome != .unknown { counted.endAppend(outcome, after: time) }
    take(.appended(append, outcome))
  }

  /// Logs when the journal begins to fail, and when it works again.
  package func journal(_ journal: any Journal, isFailingWith reason: String?) {
    health.isFailing = reason != nil
    log.tell(ofJournalFailingWith: reason)
  }

  /// Logs when the journal's database stops to answer, and when it answers again.
  package func journal(_ journal: any Journal, isUnreachableBecause reason: String?) {
    health.isUnreachable = reason != nil
    log.tell(ofJournalUnreachableBecause: reason)
  }

  /// Logs when the database's clock and this machine's begin to differ, and when they agree again.
  package func journal(_ journal: any Journal, clockIsAheadBy difference: Duration?) {
    log.tell(ofClockDifference: difference)
  }

  /// Tells whoever runs the server.
  package func journalIsReplaced(_ journal: any Journal, because reason: String) {
    onReplacement?(reason)
  }

  /// Says how full the journal is, once per change; while it is full, it is measured again.
  package func journalDidMeasure(_ journal: any Journal) {
    let before = health.fill.level
    defer { if health.fill.level == .full { journal.measure(after: Limits.journalMeasuring) } }
    guard let level = health.fill.note(journal.size) else { return }
    log.tell(ofJournal: level, after: before, bytes: journal.size, of: limits.journalSize)
    if (before == .full) != (level == .full) { take(.journalFilled(level == .full)) }
  }

  /// Handles the result of a push attempt.
  package func desk(_ desk: PushDesk, didEnd attempt: PushAttempt, _ result: PushResult) {
    take(.pushEnded(attempt, result))
  }
}

// MARK: Dialects

extension MatineeServer {
  /// Adds a dialect.
  func add(_ dialect: any Dialect) {
    dialects.append(dialect)
    edge.add(dialect)
    coordinator.manageGroups(where: dialect.isManaged)
  }

  /// Makes a dialect handle its next input after all inputs that are waiting already.
  func wait(for dialect: any Dialect) { waiting.append(.dialect(dialect)) }

  /// The number of a dialect in the table of connections.
  func number(of dialect: any Dialect) -> Int? { dialects.firstIndex { $0 === dialect } }

  func dialect(of peer: PeerID) -> (any Dialect)? { edge.dialect(of: peer).map { dialects[$0] } }

  /// The dialect that servers in front call by a name; `nil` if nobody speaks it here.
  func dialect(named name: String) -> (any Dialect)? { dialects.first { $0.name == name } }

  /// Reserves a peer without a connection, for a dialect.
  func reservePeer(for dialect: (any Dialect)?) -> PeerID {
    edge.reserve(for: dialect.flatMap { number(of: $0) })
  }

  /// Tells the coordinator that a dialect's peer is gone.
  func release(_ peer: PeerID) {
    // A peer without a connection reports no close, so its slot is freed here.
    edge.remove(peer)
    take(.disconnected(peer))
  }

  /// Makes a peer for a dialect's connection; `nil` if the connection failed at once.
  func admit(
    _ stream: ByteStream, to list: FlushList, for dialect: any Dialect,
    delegate: any LineConnectionDelegate
  ) -> PeerID? {
    edge.admit(stream, to: list, for: number(of: dialect), delegate: delegate)
  }
}
