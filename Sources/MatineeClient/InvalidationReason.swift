import GroupSessions
import Participation
public import Vocabulary

/// Why a session is over for this device.
public struct InvalidationReason: Hashable, Sendable, CustomStringConvertible {
  /// The reason's stable name, such as `left`, `endedBy` or `serverRestarted`.
  public let description: String
  /// Who brought it about, where a participant did.
  public let by: ParticipantID?

  private init(_ description: String, by: ParticipantID? = nil) {
    self.description = description
    self.by = by
  }

  init(_ reason: Participation.Participant.InvalidationReason) {
    switch reason {
    case .left: self.init("left")
    case .declined: self.init("declined")
    case .ended(.endedBy(let who)): self.init("endedBy", by: who)
    case .ended(let end): self.init(end.name)
    case .removed(let who, _): self.init("removed", by: who)
    case .handedOff(let who): self.init("handedOff", by: who)
    case .notEligible: self.init("notEligible")
    case .joinFailed: self.init("joinFailed")
    case .connectionLost: self.init("connectionLost")
    case .serverRestarted: self.init("serverRestarted")
    case .closed: self.init("closed")
    }
  }
}
