import GroupSessions
import Participation
import Playback
public import Vocabulary

/// One device's stay in one session; a person on two devices is two participants.
public struct Participant: Hashable, Identifiable, Sendable {
  /// Names the stay; a rejoin has another one.
  public let id: ParticipantID
  /// The person.
  public let user: UserID
  /// The device.
  public let device: DeviceID
  /// What others see.
  public let name: String
  /// What it may do.
  public let role: SessionRole
  /// Whether its connection stands; one that does not may come back.
  public let isConnected: Bool
  /// What its player has open; `nil` for nothing.
  public let item: ItemID?
  /// How much longer its copy of the item is than the group believes, or shorter where it is
  /// negative; `nil` where they are the same, to a second.
  public let excessLength: Duration?
  /// Why it is out of step with the group; empty while it plays along.
  public let suspensions: Set<SuspensionReason>

  /// Whether it may do everything, whoever steers the session.
  public var isHost: Bool { role == .host }

  init(_ participant: GroupSessions.Participant, in session: GroupSessions.GroupSession?) {
    id = participant.id
    user = participant.user
    device = participant.device
    name = participant.name
    role = SessionRole(participant.role)
    isConnected = session?.lost[participant.id] == nil
    let place = session?.playback.participants[participant.id]
    item = place?.item
    excessLength = session?.excessLength(of: participant.id)
    suspensions = Set(place?.suspensions.map { SuspensionReason($0.reason) } ?? [])
  }
}
