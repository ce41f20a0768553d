package import Coordination
import DequeModule
package import EventLoops
package import InAppMessaging
import JSON
package import Journals
package import Logging
import Syncplay
import Transports
package import UserNotifications
import Vocabulary
import Wire

/// The server's shell: turns bytes into inputs of the coordinator, and its outputs into bytes.
///
/// Confined to its loop's thread; the only code that both reads the clock and changes the
/// coordinator, and the lobby before it. Every input is carried through, with all its outputs,
/// before the next one.
package final class MatineeServer {
  let loop: EventLoop
  let limits: Limits
  let log: Logger
  let connections: FlushList
  var table = ConnectionTable()
  var decoder: ClientLineDecoder
  /// What it has for Syncplay's clients; `nil` where they are not served.
  var syncplay: SyncplayService?
  /// Where versions of Syncplay's clients are counted, if they are; its owner closes it.
  package var statistics: VersionStatistics?
  var nextComplaint: HostTime?
  private let clock: GroupClock
  private let journal: any Journal
  private let pushDesk: PushDesk?
  private(set) var coordinator: Coordinator
  private var writer = JSONWriter()
  private var errands: Deque<Errand> = []
  private var isHandling = false
  private var listeners: [TCPListener] = []
  private var timer: LoopTimer?
  /// Whether anything was handled since the timer was armed; turns end twice.
  private var hasHandled = true

  /// An input that has not been carried through yet.
  ///
  /// There is one queue for both values, so that each takes in what the other says in the order in
  /// which it was said.
  enum Errand {
    case coordinator(Input)
    case lobby(SyncplayLobby.Input)
  }

  /// Begins to listen on all addresses of the configuration.
  ///
  /// - Parameters:
  ///   - notifications: how they are kept and sent.
  ///   - pushDesk: where push services are asked, and which is stopped with the server; without one,
  ///     nobody is pushed to.
  /// - Throws: an error that says which address cannot be listened on, why, and what to do.
  package init(
    _ configuration: ServerConfiguration, on loop: EventLoop,
    journal: any Journal = MemoryJournal(), recovering contents: JournalContents? = nil,
    clock: GroupClock? = nil, notifications: NotificationSettings = NotificationSettings(),
    pushDesk: PushDesk? = nil, log: Logger
  ) throws(EndpointError) {
    self.loop = loop
    self.log = log
    self.journal = journal
    self.pushDesk = pushDesk
    limits = configuration.limits
    self.clock = clock ?? GroupClock(showing: WallClock.read(), at: loop.now)
    coordinator = Coordinator(
      limits: limits, server: MatineeVersion.text,
      dismissalPolicy: configuration.dismissalPolicy, messaging: configuration.messaging,
      notifications: notifications)
    decoder = ClientLineDecoder(limits: limits)
    connections = FlushList(
      on: loop,
      limits: ConnectionLimits(limits, lineBytes: limits.lineBytes),
      lastWordToSlow: Self.encode(.closing(ProtocolError(.slowConsumer)), with: &writer))
    timer = LoopTimer(on: loop) { [weak self] in self?.advanceClock() }
    journal.delegate = self
    pushDesk?.delegate = self
    if let contents { recover(contents) }
    for endpoint in configuration.endpoints {
      listeners.append(
        try TCPListener(
          host: endpoint.host, port: endpoint.port, on: loop, delegate: self))
    }
    if let syncplay = configuration.syncplay { try serve(syncplay) }
    loop.atTurnEnd(.settle) { [weak self] in self?.armTimer() }
  }

  /// Goes on from a journal's file, in the group's time of the server that wrote it.
  ///
  /// - Parameters:
  ///   - notifications: how they are kept and sent.
  ///   - pushDesk: makes the desk, by the group's time.
  /// - Throws: `EndpointError`, or a `JournalError` if the file cannot be written, or what keeps the
  ///   desk from being made.
  package convenience init(
    _ configuration: ServerConfiguration, on loop: EventLoop, goingOnFrom file: JournalFile,
    notifications: NotificationSettings = NotificationSettings(),
    pushDesk: (GroupClock) throws -> PushDesk? = { _ in nil }, log: Logger
  ) throws {
    let boot = BootID.read()
    let clock = GroupClock(
      goingOnFrom: file.contents, boot: boot, wall: WallClock.read(), at: loop.now)
    if let boot { try file.tie(clock.tie(to: boot)) }
    try self.init(
      configuration, on: loop, journal: try SQLiteJournal(file, on: loop),
      recovering: file.contents, clock: clock, notifications: notifications,
      pushDesk: try pushDesk(clock), log: log)
  }

  /// The addresses it listens on, with the ports the system chose.
  package var endpoints: [String] { listeners.map(\.localEndpoint) }

  /// How many connections are open.
  package var peerCount: Int { table.count }

  /// Goes on with these campaigns; before the first ones, there are no in-app messages.
  package func use(_ campaigns: CampaignSet) {
    take(.campaigns(campaigns))
  }

  /// Stops: tells everyone, and takes nobody in any more.
  ///
  /// Outbound bytes leave within the drain deadline; the loop runs out once all is closed. A second
  /// call does nothing.
  package func stop() {
    guard !listeners.isEmpty else { return }
    for listener in listeners { listener.close() }
    listeners = []
    syncplay?.stopListening()
    take(.stop(isResumable: journal.isDurable))
    timer?.close()
    journal.close()
    pushDesk?.stop()
  }

  /// Stops at once: what waits for peers is lost.
  package func abandon() {
    stop()
    loop.stop()
  }

  /// The group's time, once a turn.
  var now: Instant { clock.instant(at: loop.now) }

  private func armTimer() {
    guard hasHandled, !listeners.isEmpty else { return }
    hasHandled = false
    let next = Instant.earlier(coordinator.nextDeadline, syncplay?.lobby.nextDeadline)
    timer?.fire(at: next.map { clock.hostTime(of: $0) })
  }

  private func advanceClock() {
    take(.clockAdvanced)
    if syncplay != nil { take(lobby: .clockAdvanced) }
  }
}

@available(*, unavailable)
extension MatineeServer: Sendable {}

// MARK: Inputs and outputs

extension MatineeServer: JournalDelegate, PushDeskDelegate {
  /// Hands an input to the coordinator, and does all that is asked for, in order.
  ///
  /// What the outputs themselves bring about, such as the answer of a journal that is quick, becomes
  /// an errand behind them: neither value is ever entered twice.
  func take(_ input: Input) {
    guard !isHandling else { return errands.append(.coordinator(input)) }
    enter { now in carryThrough(input, at: now) }
  }

  /// Hands an input to the lobby, likewise.
  func take(lobby input: SyncplayLobby.Input) {
    guard !isHandling else { return errands.append(.lobby(input)) }
    enter { now in carryThrough(lobby: input, at: now) }
  }

  /// Does one thing with the values, and then all that it brought about.
  private func enter(_ first: (Instant) -> Void) {
    isHandling = true
    let now = now
    first(now)
    while !errands.isEmpty {
      switch errands.removeFirst() {
      case .coordinator(let input): carryThrough(input, at: now)
      case .lobby(let input): carryThrough(lobby: input, at: now)
      }
    }
    isHandling = false
    hasHandled = true
  }

  /// Goes on from what a journal held; what cannot be gone on from is left where it is.
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

  private func carryThrough(_ input: Input, at now: Instant) {
    topUpEntropy()
    for output in coordinator.handle(input, at: now) { perform(output) }
  }

  private func carryThrough(lobby input: SyncplayLobby.Input, at now: Instant) {
    for output in syncplay?.lobby.handle(input, at: now) ?? [] { perform(output) }
  }

  private func topUpEntropy() {
    let wanted = coordinator.wantedEntropy
    guard wanted > 0 else { return }
    var system = SystemRandomNumberGenerator()
    coordinator.refill(with: (0..<wanted).map { _ in system.next() })
  }

  private func perform(_ output: Output) {
    switch output {
    case .send(let message, let audience): send(message, to: audience)
    case .close(let peer, let error): close(peer, error)
    case .append(let append): journal.append(append)
    case .snapshot(let state): journal.snapshot(state)
    case .forget(let aggregate): journal.forget(aggregate)
    case .warn(let warning, let user): warn(warning, of: user)
    case .push(let order, let attempt): push(order, attempt)
    }
  }

  private func push(_ order: PushOrder, _ attempt: PushAttempt) {
    guard let pushDesk else { return take(.pushEnded(attempt, .refused)) }
    pushDesk.send(order, attempt)
  }

  private func warn(_ warning: MessagingWarning, of user: UserID) {
    switch warning {
    case .impressionMissing(let message, let campaign):
      log.warning(
        "a message went away and was never reported as seen: it will come again",
        metadata: ["campaign": "\(campaign)", "message": "\(message)", "user": "\(user)"])
    }
  }

  private func encode(_ message: ServerMessage) -> SharedBytes {
    Self.encode(message, with: &writer)
  }

  private static func encode(
    _ message: ServerMessage, with writer: inout JSONWriter
  ) -> SharedBytes {
    writer.removeAll()
    message.write(to: &writer)
    writer.endLine()
    return SharedBytes(writer.bytes)
  }

  private func send(_ message: ServerMessage, to peers: Peers) {
    switch peers {
    case .one(let peer):
      guard !table.isInLobby(peer) else { return take(lobby: .heard(message, by: peers)) }
      table[peer]?.enqueue(encode(message), droppable: message.isDroppable)
    case .many(let peers):
      let others = syncplay == nil ? peers : tellLobby(message, among: peers)
      guard !others.isEmpty else { return }
      let bytes = encode(message)
      let isDroppable = message.isDroppable
      for peer in others { table[peer]?.enqueue(bytes, droppable: isDroppable) }
    }
  }

  private func close(_ peer: PeerID, _ error: ProtocolError) {
    guard !table.isInLobby(peer) else { return refuse(peer, error) }
    hangUp(
      on: peer, after: encode(.closing(error)),
      ["code": "\(error.code.rawValue)", "reason": "\(error.message)"])
  }

  /// Closes a connection after its last word, and logs why.
  func hangUp(on peer: PeerID, after lastWord: SharedBytes?, _ why: Logger.Metadata) {
    guard let connection = table[peer] else { return }
    log.info("closing a connection", metadata: why.merging(["peer": "\(peer)"]) { $1 })
    table.remove(peer)
    connection.close(after: lastWord)
  }

  /// The journal answered.
  package func journal(
    _ journal: any Journal, didAppend append: Append, _ outcome: AppendOutcome
  ) {
    take(.appended(append, outcome))
  }

  /// Says once that nothing can be kept, and once that all is well again.
  package func journal(_ journal: any Journal, isFailingWith reason: String?) {
    if let reason {
      log.error(
        "the journal cannot be written: what peers ask is turned away until it can",
        metadata: ["reason": "\(reason)"])
    } else {
      log.notice("the journal can be written again")
    }
  }

  /// A push service answered, or did not.
  package func desk(_ desk: PushDesk, didEnd attempt: PushAttempt, _ result: PushResult) {
    take(.pushEnded(attempt, result))
  }
}
