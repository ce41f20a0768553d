import Coordination
import Journals
import Signatures
import Syncplay
import Vocabulary
import Wire

/// A server in memory and in virtual time: the coordinator, Syncplay's lobby and a journal, which
/// checks what they put out.
struct World: ~Copyable {
  private var coordinator: Coordinator
  private var lobby = SyncplayLobby(options)
  private var journal: CheckedJournal
  private var native = ClientLineDecoder(limits: limits)
  private var toldNative = ServerLineDecoder(maximumBytes: 4 * 1024 * 1024)
  private var syncplay = SyncplayLineDecoder(options)
  private var syncplayEncoder = SyncplayLineEncoder()
  private var work: [Work] = []
  private(set) var now: Instant
  private var chance = SplitMix64(seed: 7)
  private var nextSlot: UInt32 = 0
  /// The connections, and whether each speaks Syncplay.
  private var open: [PeerID: Bool] = [:]
  /// How often each native connection used a request's number and got no answer.
  private var asked: [PeerID: [RequestID: Int]] = [:]

  private static let limits = Limits()
  private static let options = SyncplayOptions(salt: "testsalt12")
  /// How often a wait may wake the server: Syncplay's clients are told something each second.
  private static let wakings = 64

  private enum Work {
    case lobby(SyncplayLobby.Input)
    case coordinator(Input)
  }

  /// A server that has not started from the journal yet; ``restart()`` does that.
  init(at now: Instant, journal: consuming CheckedJournal = CheckedJournal()) {
    self.now = now
    self.journal = journal
    coordinator = Coordinator(limits: Self.limits, server: "fuzz")
  }

  // MARK: What happens

  mutating func connect(speakingSyncplay isSyncplay: Bool) throws(BrokenClaim) -> PeerID {
    let peer = reserve()
    open[peer] = isSyncplay
    if isSyncplay { try carryOut(.lobby(.connected(peer, address: "192.0.2.1"))) }
    try handle(.connected(peer, from: PeerAddress(bits: 1, isIPv6: false, isLoopback: false)))
    return peer
  }

  func isOpen(_ peer: PeerID) -> Bool { open[peer] != nil }

  mutating func receive(_ line: [UInt8], from peer: PeerID) throws(BrokenClaim) {
    switch open[peer] {
    case true?: try carryOut(.lobby(.received(peer, syncplay.decode(line.span))))
    case false?: try receiveNative(line, from: peer)
    case nil: break
    }
  }

  private mutating func receiveNative(_ line: [UInt8], from peer: PeerID) throws(BrokenClaim) {
    let message = Result { () throws(MalformedLine) in try native.decode(line.span) }
    switch message {
    case .success(let message):
      switch message {
      case .request(let id, _), .answerInvitation(let id, _, _): note(id, from: peer)
      default: break
      }
      try handle(.received(peer, message))
    case .failure(let flaw):
      if let id = flaw.request { note(id, from: peer) }
      try handle(.malformed(peer, flaw.request, flaw.error))
    }
  }

  private mutating func note(_ id: RequestID, from peer: PeerID) {
    asked[peer, default: [:]][id, default: 0] += 1
  }

  mutating func disconnect(_ peer: PeerID) throws(BrokenClaim) {
    guard let isSyncplay = forget(peer) else { return }
    try carryOut(isSyncplay ? .lobby(.disconnected(peer)) : .coordinator(.disconnected(peer)))
  }

  @discardableResult
  private mutating func forget(_ peer: PeerID) -> Bool? {
    asked[peer] = nil
    return open.removeValue(forKey: peer)
  }

  /// Lets time pass, waking the server whenever it wants.
  mutating func pass(_ duration: Duration) throws(BrokenClaim) {
    let end = now + duration
    for _ in 0..<Self.wakings {
      guard let due = Instant.earlier(lobby.nextDeadline, coordinator.nextDeadline), due <= end
      else {
        break
      }
      now = max(now, due)
      try carryOut(.lobby(.clockAdvanced))
      try handle(.clockAdvanced)
      let next = Instant.earlier(lobby.nextDeadline, coordinator.nextDeadline)
      try require(
        next.map { $0 > now } ?? true, else: "a server that was woken wants to be woken again")
    }
    now = max(now, end)
    try carryOut(.lobby(.clockAdvanced))
    try handle(.clockAdvanced)
  }

  /// The next append fails, as on a full disk.
  mutating func failNextAppend() { journal.failures = 1 }

  /// The server is killed, and starts again from its journal.
  mutating func restart() throws(BrokenClaim) {
    (open, asked, work) = ([:], [:], [])
    coordinator = Coordinator(limits: Self.limits, server: "fuzz")
    lobby = SyncplayLobby(Self.options)
    try handle(.recovered(try journal.recovery()))
    let groups = coordinator.groups(ofSessionsBegunBy: SyncplayLobby.keeper)
    try carryOut(.lobby(.recovered(groups)))
  }

  // MARK: The shell

  private mutating func reserve() -> PeerID {
    defer { nextSlot += 1 }
    return PeerID(slot: nextSlot, generation: 1)
  }

  mutating func handle(_ input: Input) throws(BrokenClaim) { try carryOut(.coordinator(input)) }

  private mutating func carryOut(_ new: Work) throws(BrokenClaim) {
    work.append(new)
    while !work.isEmpty {
      switch work.removeFirst() {
      case .lobby(let input):
        for output in lobby.handle(input, at: now) { try perform(output) }
      case .coordinator(let input):
        coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in chance.next() })
        for output in coordinator.handle(input, at: now) { try perform(output) }
      }
    }
  }

  private mutating func perform(_ output: Output) throws(BrokenClaim) {
    switch output {
    case .append(let append):
      work.append(.coordinator(.appended(append, try journal.keep(append))))
    case .snapshot(let state): try journal.keep(state)
    case .forget(let aggregate): journal.forget(aggregate)
    case .send(let message, let peers): try tell(message, to: peers)
    case .close(let peer, let error):
      if open[peer] == false { try checkLine(.closing(error)) }
      if open[peer] == nil || open[peer] == true { work.append(.lobby(.refused(peer, error))) }
      hangUp(on: peer)
    case .shut(let peer): hangUp(on: peer)
    // Nobody comes over links here.
    case .warn, .push, .drain, .publish, .audience: break
    }
  }

  /// Closes a connection, as the shell does, which then reports it.
  private mutating func hangUp(on peer: PeerID) {
    guard let isSyncplay = forget(peer) else { return }
    work.append(isSyncplay ? .lobby(.disconnected(peer)) : .coordinator(.disconnected(peer)))
  }

  private mutating func tell(_ message: ServerMessage, to peers: Peers) throws(BrokenClaim) {
    try checkLine(message)
    let others = peers.filter { open[$0] != false }
    if !others.isEmpty { work.append(.lobby(.heard(message, by: .many(others)))) }
    for peer in peers where open[peer] == false { try noteAnswer(message, to: peer) }
  }

  /// Each request is answered once at most.
  private mutating func noteAnswer(
    _ message: ServerMessage, to peer: PeerID
  ) throws(BrokenClaim) {
    let id: RequestID
    switch message {
    case .answer(let request, _), .error(let request?, _), .status(let request, _),
      .explanation(let request, _), .objectState(let request, _, _, _):
      id = request
    default: return
    }
    let count = asked[peer]?[id] ?? 0
    try require(count > 0, else: "\(message) answers nothing")
    asked[peer]?[id] = count - 1
  }

  /// Clients read what they are told.
  private mutating func checkLine(_ message: ServerMessage) throws(BrokenClaim) {
    let line = Array(encode(message).dropLast())
    let read = Result { () throws(MalformedLine) in try toldNative.decode(line.span) }
    try require(read == .success(message), else: "\(message) is read as \(read)")
  }

  private mutating func perform(_ output: SyncplayLobby.Output) throws(BrokenClaim) {
    switch output {
    case .tell(let peer, let message): work.append(.coordinator(.received(peer, message)))
    case .connect(let peer): work.append(.coordinator(.connected(peer)))
    case .disconnect(let peer): work.append(.coordinator(.disconnected(peer)))
    case .abandon(let device): work.append(.coordinator(.abandoned(device)))
    case .state(let state, _): try check(syncplayEncoder.encode(state))
    case .send(let message, _): try check(syncplayEncoder.encode(message))
    case .post(let news, _): for piece in news { try check(syncplayEncoder.encode(.set(piece))) }
    case .close(let peer, let fault):
      if let fault { try check(syncplayEncoder.encode(.error(fault.message))) }
      hangUp(on: peer)
    case .reserve(let room, let device):
      let resumption = coordinator.resumption(of: device)
      work.append(.lobby(.reserved(reserve(), room: room, resuming: resumption)))
    case .knock(let peer, let room, let group, let password):
      let isKey = SyncplayHash.isPassword(password, of: coordinator.key(of: group))
      work.append(.lobby(.answered(peer, room: room, isKey: isKey)))
    case .startTLS, .count: break
    }
  }

  /// A line for Syncplay's clients is one, and they accept its length.
  private func check(_ line: [UInt8]) throws(BrokenClaim) {
    guard !line.isEmpty else { return }
    let content = line.dropLast(2)
    try require(
      line.suffix(2) == [13, 10] && !content.contains(10)
        && content.count <= SyncplayLimits.lineBytes,
      else: "\(String(shown: line)) is no line")
  }
}
