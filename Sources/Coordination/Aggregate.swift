import DequeModule
import Playback
import Vocabulary
import Wire

/// What a lane serves: a value that judges commands, and becomes what happened.
///
/// Its events are numbered without a gap, and are all that changes it.
protocol Aggregate: Sendable {
  associatedtype Command: Sendable
  associatedtype Event: Sendable
  /// What is to be done once a command's events are kept.
  associatedtype Effect: Sendable
  /// What the moment adds to a decision, from outside the aggregate.
  associatedtype Conditions

  typealias Work = Coordination.Work<Command>

  /// The number of the last event; 0 before the first.
  var seq: Int { get }

  /// Whether it is over or blank, so that it may be forgotten: what is behind is decided after that.
  var isForgettable: Bool { get }

  /// Judges one command.
  ///
  /// - Throws: the refusal, with nothing changed.
  func decide(_ work: Work, at now: Instant, under conditions: Conditions) throws(ProtocolError)
    -> Decision<Event, Effect>

  /// Makes an event so, and counts it.
  mutating func evolve(_ event: Event, at now: Instant)

  /// Whether a decision has to begin a batch, because somebody would miss what it says: those who
  /// join in a batch get the state after it, and none of its events.
  func mustWait(_ events: [Event], behind earlier: [Event]) -> Bool

  /// Whether nothing may be decided in one go with this command behind it.
  static func endsBatch(_ command: Command) -> Bool

  /// Whether a refusal is final, and so remembered; the owner may still carry out another.
  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool

  /// Has a command wait behind the others; one that adds nothing to them is left out.
  static func enqueue(_ work: Work, behind waiting: inout WaitingCommands<Command>)

  /// The event as the journal keeps it, and back; `nil` if it is another kind's.
  static func recorded(_ event: Event) -> AggregateEvent
  static func event(in recorded: AggregateEvent) -> Event?

  /// Roughly the bytes that an event takes in a journal.
  static func weight(of event: Event) -> Int
}

extension Aggregate {
  func mustWait(_ events: [Event], behind earlier: [Event]) -> Bool { false }

  static func endsBatch(_ command: Command) -> Bool { false }

  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool { true }

  static func enqueue(_ work: Work, behind waiting: inout WaitingCommands<Command>) {
    waiting.append(work)
  }

  static func weight(of event: Event) -> Int { 256 }
}

/// What a command comes to.
struct Decision<Event: Sendable, Effect: Sendable>: Sendable {
  /// What happened, in order; empty where nothing changes.
  var events: [Event]
  var effects: [Effect] = []
  /// What whoever asked is told; `nil` if that comes from elsewhere.
  var answer: Answer?
}

/// A command for an aggregate, and who waits for what becomes of it.
struct Work<Command: Sendable>: Sendable {
  let command: Command
  var reply: Reply?
  /// Who waits without being a device.
  var bearer: Bearer?

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
  /// Which of the device's requests it is, counted from 1; 0 of a question.
  let number: Int
  /// What to say beyond that it is done.
  var wanted = Wanted.done

  /// Whether it only asks how things are: its answer is not remembered.
  var isQuestion: Bool { number == 0 }

  func wanting(_ wanted: Wanted) -> Reply {
    var reply = self
    reply.wanted = wanted
    return reply
  }

  /// What the request came to, as it is kept.
  func recorded(_ outcome: RequestOutcome) -> RecordedAnswer {
    RecordedAnswer(device: device, request: id, outcome, number: number, life: life)
  }

  enum Wanted: Equatable, Sendable {
    case done
    case activated(isNew: Bool, willDeliver: Bool)
    case joined
    case invitationAnswered
    case suspended(ParticipantID, SuspensionReason)
    case suspensionEnded(ParticipantID, isProposing: Bool)
  }
}
