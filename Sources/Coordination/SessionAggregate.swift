import DequeModule
import GroupSessions
import Playback
import Vocabulary
import Wire

/// One session in the coordinator: its value, what waits for its journal, and who follows it.
struct SessionAggregate: Sendable {
  /// The session; `nil` until its beginning is kept.
  var session: GroupSession?
  /// What is being kept: an aggregate has one append in flight, commands behind it wait.
  var inFlight = Rare<SessionWork>.absent
  var waiting: Deque<SessionWork> = []
  /// The connections that follow the session.
  var audience: [PeerID] = []
  var tail = EventTail()
  var delays = Delays()
  /// What the players last said of their places.
  var offsets: SortedMap<ParticipantID, Duration> = [:]

  /// What those who follow its parts by notifications were told last.
  var told = Rare<ToldObjects>.absent

  /// Whether writing failed, and is tried again when the session is woken.
  var isResting = false

  /// Takes the first command that waits; the room for those that did goes with the last of them.
  mutating func takeWaiting() -> SessionWork? {
    defer { if waiting.isEmpty { waiting = [] } }
    return waiting.popFirst()
  }

  mutating func addToAudience(_ peer: PeerID) {
    audience.makeRoom()
    audience.append(peer)
  }

  /// What it is about, or will be once its beginning is kept.
  var activity: GroupActivity? {
    if case .begin(let beginning)? = inFlight.value?.task { return beginning.activity }
    return session?.activity
  }
}

/// A command for a session, and who waits for what becomes of it.
struct SessionWork: Sendable {
  enum Task: Sendable {
    indirect case begin(SessionBeginning)
    case command(SessionCommand)
    /// Changes nothing; answered once what was asked before it is done.
    case look
  }

  let task: Task
  let reply: Reply?
  /// Who waits without being a device.
  var bearer: Bearer?

  /// Who joins by it, if it comes to that.
  var joiner: Joiner? {
    switch task {
    case .command(.join(let joiner)), .command(.answerInvitation(.accept(let joiner), _)): joiner
    default: nil
    }
  }

  /// Whether somebody waits, who may be told to come again later.
  var isAwaited: Bool { reply != nil || bearer != nil }
}

/// A connection that answers an invitation by its token, without having said hello.
struct Bearer: Equatable, Sendable {
  let peer: PeerID
  let request: RequestID
}

/// A request that waits for its answer.
struct Reply: Equatable, Sendable {
  let device: DeviceID
  /// Which of the device's lives asked: one that starts anew is not sent what the old one asked.
  let life: UInt32
  let id: RequestID
  /// What to say beyond that it is done.
  var wanted = Wanted.done

  init(to device: Device, _ id: RequestID) {
    self.device = device.id
    life = device.life
    self.id = id
  }

  func wanting(_ wanted: Wanted) -> Reply {
    var reply = self
    reply.wanted = wanted
    return reply
  }

  enum Wanted: Equatable, Sendable {
    case done
    case activated(isNew: Bool)
    case joined
    case invitationAnswered
    case suspended(ParticipantID, SuspensionReason)
    case suspensionEnded(ParticipantID, isProposing: Bool)
  }
}

/// The one-way delays of a session's participants, and the slowest of them.
struct Delays: Equatable, Sendable {
  private var delays: SortedMap<ParticipantID, Duration> = [:]
  private(set) var slowest = Duration.zero

  /// Notes what a peer says of itself.
  mutating func note(_ delay: Duration, of id: ParticipantID) {
    let old = delays[id]
    delays[id] = delay
    if delay >= slowest {
      slowest = delay
    } else if old == slowest {
      slowest = delays.values.max() ?? .zero
    }
  }

  mutating func forget(_ id: ParticipantID) {
    guard let old = delays.removeValue(forKey: id), old == slowest else { return }
    slowest = delays.values.max() ?? .zero
  }

  subscript(id: ParticipantID) -> Duration? { delays[id] }

  func roundTrip(of id: ParticipantID) -> Duration? { delays[id].map { $0 * 2 } }
}
