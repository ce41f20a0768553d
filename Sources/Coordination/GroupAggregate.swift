import DequeModule
import GroupSessions
import Vocabulary

/// One group in the coordinator: its value, what waits for its journal, and who follows it.
struct GroupAggregate: Sendable {
  /// The group; `nil` until its opening is kept.
  var group: Group?
  /// What is being kept; commands behind it wait.
  var inFlight = Rare<GroupWork>.absent
  var waiting: Deque<GroupWork> = []
  var audience: [PeerID] = []

  /// Whether writing failed, and is tried again when the group is woken.
  var isResting = false

  /// Takes the first command that waits; the room for those that did goes with the last of them.
  mutating func takeWaiting() -> GroupWork? {
    defer { if waiting.isEmpty { waiting = [] } }
    return waiting.popFirst()
  }

  mutating func addToAudience(_ peer: PeerID) {
    audience.makeRoom()
    audience.append(peer)
  }
}

/// A command for a group, and who waits for what becomes of it.
struct GroupWork: Sendable {
  enum Task: Sendable {
    case open(by: UserID)
    case command(GroupCommand)
    /// A session to begin, once the group has taken it as its live one.
    indirect case start(SessionID, SessionBeginning, replacing: Bool)
  }

  let task: Task
  var reply: Reply?

  /// Whether it changes if a device is a member, or connected.
  func concerns(_ device: DeviceID) -> Bool {
    switch task {
    case .command(.join(let member)): member.device == device
    case .command(.leave(device)), .command(.lose(device)), .command(.resume(device)): true
    default: false
    }
  }
}
