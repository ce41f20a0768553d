import DequeModule
import GroupSessions
import Vocabulary
import Wire

/// A group as an aggregate.
struct GroupAggregate: Aggregate {
  enum Command: Sendable {
    /// - Parameter hasKey: whether the group has a key, and lasts.
    case open(by: UserID, hasKey: Bool)
    case command(GroupCommand)
    /// A session that begins once the group has accepted it as its live one.
    indirect case start(SessionID, SessionBeginning, replacing: Bool)
  }

  /// What a decision depends on besides the group.
  struct Conditions {
    let limits: Limits
    /// The live session, if the person who starts another may end it.
    let replaceable: SessionID?
  }

  let id: GroupID
  /// The group; `nil` until its opening is stored.
  private(set) var group: Group?

  /// A group whose opening is not stored yet.
  init(opening id: GroupID) { self.id = id }

  /// A group from a journal.
  init(_ group: Group) {
    id = group.id
    self.group = group
  }

  var seq: Int { group?.seq ?? 0 }
  var isForgettable: Bool { group?.isClosed == true }

  func decide(
    _ work: GroupWork, at now: Instant, under conditions: Conditions
  ) throws(ProtocolError) -> Decision<GroupEvent, Never> {
    let limits = conditions.limits
    do throws(GroupRejection) {
      switch work.command {
      case .open(let founder, let hasKey):
        guard group == nil else { return decision([]) }
        return decision([.opened(by: founder)] + (hasKey ? [.keyChanged(generation: 1)] : []))
      case .command(let command):
        return decision(try group?.decide(command, at: now, limits: limits) ?? [])
      case .start(let session, let beginning, let isReplacing):
        if isReplacing, let live = group?.session, live != conditions.replaceable {
          throw .mayNotReplace(live)
        }
        let command = GroupCommand.startSession(
          session, by: beginning.initiator.device,
          replacing: isReplacing ? conditions.replaceable : nil)
        // The answer is sent when the session has begun.
        return Decision(events: try group?.decide(command, at: now, limits: limits) ?? [])
      }
    } catch { throw ProtocolError(error) }
  }

  private func decision(_ events: [GroupEvent]) -> Decision<GroupEvent, Never> {
    Decision(events: events, answer: .done(seq: seq + events.count))
  }

  mutating func evolve(_ event: GroupEvent, at now: Instant) {
    if case .opened(let founder) = event {
      group = Group(id: id, founder: founder)
    } else {
      group?.evolve(event)
    }
  }

  /// A member's leaving waits for the batch after its join, so that the member receives the event.
  func mustWait(_ events: [GroupEvent], behind earlier: [GroupEvent]) -> Bool {
    func hasJoined(_ device: DeviceID) -> Bool {
      earlier.contains {
        if case .memberJoined(let member) = $0 { member.device == device } else { false }
      }
    }
    return events.contains { event in
      switch event {
      case .memberLeft(let device, _): hasJoined(device)
      case .closed, .keyChanged:
        earlier.contains { if case .memberJoined = $0 { true } else { false } }
      default: false
      }
    }
  }

  /// A started session begins before other commands are decided.
  static func endsBatch(_ command: Command) -> Bool {
    if case .start = command { true } else { false }
  }

  /// A refused start may turn out to be for the live session's own activity.
  static func isFinal(_ refusal: ProtocolError, of command: Command) -> Bool {
    if case .start = command { refusal.code != .activityInProgress } else { true }
  }

  /// The owner knows who is here and what is live.
  static func isFoundAnew(_ command: Command) -> Bool { true }

  static func enqueue(_ work: GroupWork, behind waiting: inout WaitingCommands<Command>) {
    waiting.merge(work) { command -> (of: DeviceID, isBack: Bool?)? in
      switch command {
      case .command(.lose(let device)): (device, false)
      case .command(.resume(let device)): (device, true)
      case .command(.leave(let device)): (device, nil)
      case .command(.join(let member, _)): (member.device, nil)
      default: nil
      }
    }
  }

  static func recorded(_ event: GroupEvent) -> AggregateEvent { .group(event) }

  static func event(in recorded: AggregateEvent) -> GroupEvent? {
    if case .group(let event) = recorded { event } else { nil }
  }

  static func weight(of event: GroupEvent) -> Int {
    guard case .objectUpdated(_, let changes, _) = event else { return 256 }
    return 256 + PayloadValue.dictionary(changes).jsonByteCount
  }
}

typealias GroupWork = Work<GroupAggregate.Command>

extension GroupWork {
  /// Whether the command changes a device's membership or connection.
  func concerns(_ device: DeviceID) -> Bool {
    switch command {
    case .command(.join(let member, _)): member.device == device
    case .command(.leave(device)), .command(.lose(device)), .command(.resume(device)): true
    default: false
    }
  }

  /// The device that joins with the command.
  var joiner: DeviceID? {
    if case .command(.join(let member, _)) = command { member.device } else { nil }
  }
}
