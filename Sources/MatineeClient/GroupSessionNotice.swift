public import GroupSessions
import Participation
public import Playback
public import Vocabulary

/// What someone did in a session, for people to read; see GroupActivities' `GroupSessionEvent`.
public struct GroupSessionNotice: Hashable, Sendable, CustomStringConvertible {
  /// What was done.
  public enum Action: Hashable, Sendable {
    /// The participant joined.
    case joined
    /// The participant left.
    case left
    /// The participant dismissed the message that hosts the session, and left with that.
    case dismissed
    /// A host removed the participant.
    case removed
    /// The participant continues on another device.
    case handedOff
    /// The participant lost the connection, and may come back.
    case lostConnection
    /// The participant reconnected within the grace period.
    case cameBack
    /// The participant did not reconnect within the grace period.
    case neverCameBack
    /// The participant pressed play.
    case played
    /// The participant pressed pause.
    case paused
    /// The participant sought to another position.
    case sought(to: MediaTime)
    /// The participant set the speed.
    case changedRate(Double)
    /// The participant is not ready, and the group waits.
    case heldUp
    /// The participant began a suspension.
    case steppedOut(SuspensionReason)
    /// The participant ended their suspension and follows the group again.
    case steppedIn
    /// The participant changed the activity.
    case changedActivity(title: String)
    /// The participant changed the queue.
    case changedQueue
    /// The participant added an attachment; see ``GroupSessionJournal``.
    case addedAttachment
    /// The participant removed an attachment.
    case removedAttachment
    /// The participant gave someone a role.
    case gaveRole(Role, to: String)
    /// The participant said whether they are ready; see ``Participant/isReadyToStart``.
    case saidReady(Bool)
    /// The participant said for someone else whether that person is ready.
    case setReadiness(Bool, of: String)
    /// The participant changed who controls playback, when the group waits, or what a dismissal
    /// does.
    case changedPolicies
    /// The participant opened an item other than the session's.
    case openedAnother(ItemID)
    /// The participant's copy of the item is longer by this; shorter if negative.
    case hasAnotherLength(by: Duration)
    /// The others have that item open, and this device a different one; no originator.
    case itemMismatch(others: ItemID)
    /// This device cannot play the session's item, for this reason; no originator.
    ///
    /// ``LocalPlayer/setOwnCopy(of:at:)`` opens a copy instead, and ending the suspension tries again.
    case unplayable(ItemID, reason: String)
    /// An app's own notice; see ``GroupSession/showNotice(_:isBroadcast:)``.
    case custom(String)
    /// This many notices were dropped at this point because the reader was too slow.
    case missed(Int)
  }

  /// Who did it; `nil` if nobody did, because it happened automatically.
  public let originator: ParticipantID?
  /// The originator's display name; empty if there is no originator.
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

  init(unplayable media: MediaItem, _ reason: String) {
    originator = nil
    name = ""
    action = .unplayable(media.item, reason: reason)
    isLocal = true
    description = "“\(media.title ?? media.url)” does not play here: \(reason)"
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
      case .sought(let position): .sought(to: position)
      case .changedRate(let rate): .changedRate(rate.factor)
      case .heldUp: .heldUp
      case .steppedOut(let reason): .steppedOut(reason)
      case .steppedIn: .steppedIn
      case .changedActivity(let title): .changedActivity(title: title)
      case .changedQueue: .changedQueue
      case .addedAttachment: .addedAttachment
      case .removedAttachment: .removedAttachment
      case .gaveRole(let role, let name): .gaveRole(role, to: name)
      case .saidReady(let isReady): .saidReady(isReady)
      case .setReadiness(let isReady, let name): .setReadiness(isReady, of: name)
      case .changedPolicies: .changedPolicies
      case .openedAnother(let item): .openedAnother(item)
      case .hasAnotherLength(let excess): .hasAnotherLength(by: excess)
      }
  }
}
