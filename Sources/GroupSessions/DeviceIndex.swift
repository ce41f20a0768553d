import Vocabulary

/// Which participant each device is, of a session in which many take part.
///
/// Few are looked through where they lie, and take nothing here. Whoever joins is looked for twice,
/// which among 450 others was a seventh of all that a join takes.
struct DeviceIndex: Equatable, Sendable {
  /// As many are looked through: what that costs is soon over, and five need no index.
  static let few = 32

  /// Empty unless there are more than ``few``.
  private var participants: SortedMap<DeviceID, ParticipantID> = [:]

  /// An index of these.
  init(of roster: Roster<Participant> = Roster()) {
    guard roster.count > Self.few else { return }
    for participant in roster.values { participants[participant.device] = participant.id }
  }

  /// The one of these that a device is.
  func participant(on device: DeviceID, among roster: Roster<Participant>) -> Participant? {
    guard roster.count > Self.few else { return roster.firstValue { $0.device == device } }
    return participants[device].flatMap { roster[$0] }
  }

  /// Notes someone who has just been entered among these.
  mutating func enter(_ participant: Participant, among roster: Roster<Participant>) {
    if participants.isEmpty {
      self = DeviceIndex(of: roster)
    } else {
      participants[participant.device] = participant.id
    }
  }

  /// Forgets someone who has just been taken out from among these.
  mutating func remove(_ participant: Participant, from roster: Roster<Participant>) {
    if roster.count > Self.few {
      participants.removeValue(forKey: participant.device)
    } else {
      self = DeviceIndex()
    }
  }
}
