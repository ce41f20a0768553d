public import GroupSessions
import Participation
public import Playback
public import Vocabulary

/// What someone did in a session, for people to read: GroupActivities' `GroupSessionEvent`.
public struct GroupSessionNotice: Hashable, Sendable, CustomStringConvertible {
  /// What was done.
  public enum Action: Hashable, Sendable {
    /// Came.
    case joined
    /// Went.
    case left
    /// Dismissed the message that hosts the watching, and went with it.
    case dismissed
    /// Was removed by a host.
    case removed
    /// Goes on with another device.
    case handedOff
    /// Lost the connection, and may come back.
    case lostConnection
    /// Is back in time.
    case cameBack
    /// Did not come back in time.
    case neverCameBack
    /// Pressed play.
    case played
    /// Pressed pause.
    case paused
    /// Went elsewhere.
    case sought(to: MediaTime)
    /// Set the speed.
    case changedRate(Double)
    /// Needs a moment, and the group waits.
    case heldUp
    /// Stepped out of coordinated playback.
    case steppedOut(SuspensionReason)
    /// Plays along again.
    case steppedIn
    /// Changed what everyone does.
    case changedActivity(title: String)
    /// Changed the queue.
    case changedQueue
    /// Gave someone a role.
    case gaveRole(Role, to: String)
    /// Is ready to watch, or is not; see ``Participant/isReadyToStart``.
    case saidReady(Bool)
    /// Said for someone else that they are ready to watch, or are not.
    case setReadiness(Bool, of: String)
    /// Changed who steers, for whom the group waits, or what a dismissal does.
    case changedPolicies
    /// Opened another item than those who watch what the session is about.
    case openedAnother(ItemID)
    /// Has a copy of the item that is longer by this, or shorter where it is negative.
    case hasAnotherLength(by: Duration)
    /// The others have that item open, and this device another one; nobody in particular did it.
    case itemMismatch(others: ItemID)
    /// Something of the app's own; see ``GroupSession/showNotice(_:isBroadcast:)``.
    case custom(String)
    /// So many notices went missing here, since this reader was too slow.
    case missed(Int)
  }

  /// Who did it; `nil` where it happened by itself.
  public let originator: ParticipantID?
  /// What others call the originator; empty where it happened by itself.
  public let name: String
  /// What was done.
  public let action: Action
  /// Whether this device did it.
  public let isLocal: Bool
  /// The notice in English, such as "Ann paused".
  public let description: String

  init(_ notice: Client.SessionNotice, isLocal: Bool) {
    originator = notice.who
    name = notice.name
    action = Action(notice.action)
    self.isLocal = isLocal
    description = notice.description
  }

  init(custom text: String, from originator: Participant?, isLocal: Bool) {
    self.originator = originator?.id
    name = originator?.name ?? ""
    action = .custom(text)
    self.isLocal = isLocal
    description = text
  }

  init(item: ItemID, ofOthers others: ItemID) {
    originator = nil
    name = ""
    action = .itemMismatch(others: others)
    isLocal = true
    description = "you have “\(item)”, and the others watch “\(others)”"
  }

  init(missed count: Int) {
    originator = nil
    name = ""
    action = .missed(count)
    isLocal = true
    description = "\(count) notices went missing"
  }
}

extension GroupSessionNotice.Action {
  init(_ action: Client.SessionNotice.Action) {
    self =
      switch action {
      case .joined: .joined
      case .left(.left): .left
      case .left(.dismissed): .dismissed
      case .left(.removed): .removed
      case .left(.connectionLost): .neverCameBack
      case .left(.handedOff): .handedOff
      case .lostConnection: .lostConnection
      case .cameBack: .cameBack
      case .played: .played
      case .paused: .paused
      case .sought(let place): .sought(to: place)
      case .changedRate(let rate): .changedRate(rate.factor)
      case .heldUp: .heldUp
      case .steppedOut(let reason): .steppedOut(reason)
      case .steppedIn: .steppedIn
      case .changedActivity(let title): .changedActivity(title: title)
      case .changedQueue: .changedQueue
      case .gaveRole(let role, let name): .gaveRole(role, to: name)
      case .saidReady(let isReady): .saidReady(isReady)
      case .setReadiness(let isReady, let name): .setReadiness(isReady, of: name)
      case .changedPolicies: .changedPolicies
      case .openedAnother(let item): .openedAnother(item)
      case .hasAnotherLength(let excess): .hasAnotherLength(by: excess)
      }
  }
}
