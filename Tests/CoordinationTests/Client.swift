import Coordination
import GroupSessions
import Naming
import Playback
import Vocabulary
import Wire

/// What one connection was sent, and the session as its client makes it out of that.
struct Client {
  let peer: PeerID
  /// The person whom its hello names; `nil` for one who is called like the device.
  var user: UserID?
  var received: [ServerMessage] = []
  var closedWith: ProtocolError?
  /// The session, from its snapshot and the events since.
  var mirror: GroupSession?
  /// Whether the session said its last word to this client.
  var isOut: Set<SessionID> = []
  var participant: ParticipantID?
  var token: String?
  /// What was wrong with what it was sent.
  var faults: [String] = []
  var answers: [RequestID: [Result<Answer, ProtocolError>]] = [:]
  /// Whether a session was ever known: one that resumes keeps its mirror.
  init(peer: PeerID) { self.peer = peer }

  mutating func take(_ message: ServerMessage) {
    if closedWith != nil { faults.append("sent after closing: \(message)") }
    received.append(message)
    switch message {
    case .welcome(let welcome): token = welcome.token
    case .answer(let id, let answer): answers[id, default: []].append(.success(answer))
    case .error(let id?, let error): answers[id, default: []].append(.failure(error))
    case .status(let id, _), .objectState(let id, _, _, _):
      answers[id, default: []].append(.success(.done(seq: nil)))
    case .snapshot(let snapshot):
      mirror = snapshot.session
      participant = snapshot.participant
      isOut.remove(snapshot.session.id)  // A new stay.
      if !snapshot.session.hasAudience,
        snapshot.session.participants[snapshot.participant] == nil
      {
        faults.append("a snapshot without its receiver")
      }
    case .event(let id, let seq, let at, let event): evolve(id, seq, at, event)
    case .withheld(let id, let seq): count(id, seq) { $0.skip() }
    case .sessionOver(let id, let reason):
      if mirror?.id == id { mirror?.evolve(.ended(reason), at: Instant(microseconds: 0)) }
      isOut.insert(id)
    case .sessionLeft(let id, _): isOut.insert(id)
    default: break
    }
  }

  private mutating func evolve(_ id: SessionID, _ seq: Int, _ at: Instant, _ event: SessionEvent) {
    count(id, seq) { $0.evolve(event, at: at) }
    switch event {
    case .ended: isOut.insert(id)
    case .left(let left, _) where left == participant: isOut.insert(id)
    default: break
    }
  }

  private mutating func count(_ id: SessionID, _ seq: Int, _ body: (inout GroupSession) -> Void) {
    guard mirror?.id == id else { return faults.append("an event of \(id) before its snapshot") }
    if isOut.contains(id) { faults.append("an event of \(id) after its last one") }
    if mirror?.seq != seq - 1 { faults.append("seq \(seq) after \(mirror?.seq ?? 0)") }
    if var session = mirror {
      mirror = nil
      body(&session)
      mirror = session
    }
  }
}

extension GroupSession {
  /// Counts an event that was meant for others.
  fileprivate mutating func skip() {
    evolve(.messageSent(JSONText(validated: "0"), to: .only([]), by: "nobody"), at: .start)
  }
}

extension Instant {
  /// When every test begins.
  static let start = Instant(microseconds: 1_000_000_000_000)
}
