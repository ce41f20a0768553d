import DequeModule
import Playback
import Vocabulary
import Wire

/// A value that a lane serves: it decides commands and applies their events.
///
/// Only its events change it; they are numbered without a gap.
protocol Aggregate: Sendable {
  associatedtype Command: Sendable
  associatedtype Event: Sendable
  /// What has to be done once a command's events are stored.
  associatedtype Effect: Sendable
  /// The facts from outside the aggregate that a decision depends on.
  associatedtype Conditions

  typealias Work = Coordination.Work<Command>

  /// The number of the last event; 0 before the first.
  var seq: Int { get }

  /// Whether the aggregate has ended or is empty, so that it may be forgotten; commands that wait
  /// are decided after that.
  var isForgettable: Bool { get }

  /// Decides one command.
  ///
  /// - Throws: the refusal; nothing has changed then.
  func decide(_ work: Work, at now: Instant, under conditions: Conditions) throws(ProtocolError)
    -> Decision<Event, Effect>

  /// Applies an event and counts it.
  mutating func evolve(_ event: Event, at now: Instant)

  /// Whether a decision has to begin a new batch.
  ///
  /// Devices that join in a batch get the state after the batch and none of its events. So an event
  /// that such a device has to receive waits for the next batch.
  func mustWait(_ events: [Event], behind earlier: [Event]) -> Bool

  /// Whether a command ends its batch: later commands are decided after its consequences.
  static func endsBatch(_ command: Command) -> Bool

  /// Whether a refusal is final and therefore remembered; otherwise the aggregate's owner may still
  /// grant the request.
  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool

  /// Whether the owner finds a fact out anew after a pause, so that it need not wait for its end; see
  /// ``LaneKind/reconcile(_:in:)``.
  static func isFoundAnew(_ command: Command) -> Bool

  /// Adds a command to the waiting ones, unless they already cover it.
  static func enqueue(_ work: Work, behind waiting: inout WaitingCommands<Command>)

  /// Converts an event to the journal's form and back; `nil` if it belongs to another kind of
  /// aggregate.
  static func recorded(_ event: Event) -> AggregateEvent
  static func event(in recorded: AggregateEvent) -> Event?

  /// The approximate size of an event in a journal, in bytes.
  static func weight(of event: Event) -> Int
}

extension Aggregate {
  func mustWait(_ events: [Event], behind earlier: [Event]) -> Bool { false }

  static func endsBatch(_ command: Command) -> Bool { false }

  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool { true }

  static func isFoundAnew(_ command: Command) -> Bool { false }

  static func enqueue(_ work: Work, behind waiting: inout WaitingCommands<Command>) {
    waiting.append(work)
  }

  static func weight(of event: Event) -> Int { 256 }
}

/// The outcome of an accepted command.
struct Decision<Event: Sendable, Effect: Sendable>: Sendable {
  /// The events in order; empty if nothing changes.
  var events: [Event]
  var effects: [Effect] = []
  /// The answer to the sender; `nil` if it comes from elsewhere.
  var answer: Answer?
}

/// A command for an aggregate, and who waits for its outcome.
struct Work<Command: Sendable>: Sendable {
  let command: Command
  var reply: Reply?
  /// A connection without a device that waits for the outcome.
  var bearer: Bearer?
  /// What was taken from allowances for it.
  var cost: Cost?
  /// Whether an answer is appended in the same turn, so that both are stored or neither; one that has
  /// to wait is stored later in any case.
  var isWithAnswer = false

  /// Whether somebody waits who can be told to retry later.
  var isAwaited: Bool { reply != nil || bearer != nil }
}

extension Deque {
  private static var mergedCommands: Int { 256 }

  /// Adds a command to the waiting ones, unless it says again that somebody is lost or back.
  ///
  /// Of losses and returns that come in turns, and between which nobody asks for anything, two are
  /// enough. So a device that comes and goes cannot fill the memory while nothing can be stored. Only the
  /// last ``mergedCommands`` are looked through, because a crowd may be lost at once.
  ///
  /// - Parameters:
  ///   - work: the command.
  ///   - presence: whom a command concerns, and whether it says that they are back; `nil` if it says
  ///     that they come or go.
  mutating func merge<Command, ID: Equatable>(
    _ work: Work<Command>, by presence: (Command) -> (of: ID, isBack: Bool?)?
  ) where Element == Work<Command> {
    guard !work.isAwaited, let new = presence(work.command), new.isBack != nil else {
      return append(work)
    }
    var opposite: Index?
    for index in indices.suffix(Self.mergedCommands).reversed() {
      guard !self[index].isAwaited else { break }
      guard let earlier = presence(self[index].command), earlier.of == new.of else { continue }
      guard earlier.isBack != nil else { break }
      if earlier.isBack == new.isBack {
        if let opposite { remove(at: opposite) }
        return
      }
      opposite = index
    }
    append(work)
  }
}

/// A connection that answers an invitation with its token and without a hello.
struct Bearer: Equatable, Sendable {
  let peer: PeerID
  let request: RequestID
}

/// A request that waits for an answer.
struct Reply: Equatable, Sendable {
  let device: DeviceID
  /// The device's life that sent the request; a device that said hello again does not get answers to
  /// earlier requests.
  let life: UInt32
  let id: RequestID
  /// The request's number on this device, from 1; 0 for a question.
  let number: Int
  /// What the answer contains.
  var wanted = Wanted.done

  /// Whether the request only reads state, so that its answer is not remembered.
  var isQuestion: Bool { number == 0 }

  func wanting(_ wanted: Wanted) -> Reply {
    var reply = self
    reply.wanted = wanted
    return reply
  }

  /// The outcome in the form in which the journal stores it.
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
