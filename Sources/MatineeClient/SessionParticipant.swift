public import GroupSessions
import Participation
public import Playback
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
  public let role: Role
  /// Whether it keeps the session for others and watches nothing: nobody to be shown among people.
  ///
  /// A server that also speaks the protocol of another program has one in each room of that program.
  public let isKeeper: Bool
  /// Whether the person is ready to watch, as they said or somebody who steers said for them; `nil`
  /// as long as nobody has.
  ///
  /// It is a word among people and starts nothing; that a player has loaded is another matter, which
  /// players settle among themselves. A rejoin begins with `nil`.
  public let isReadyToStart: Bool?
  /// Whether its connection stands; one that does not may come back.
  public let isConnected: Bool
  /// What its player has open; `nil` for nothing.
  public let item: ItemID?
  /// How much longer its copy of the item is than the group believes, or shorter where it is
  /// negative; `nil` where they are the same, to a second.
  public let excessLength: Duration?
  /// Why it is out of step with the group; empty while it plays along.
  public let suspensions: Set<SuspensionReason>
  /// Since when it is out of step; `nil` while it plays along.
  public let suspendedSince: Instant?

  /// Whether its person has been out of step for so long, ten minutes, that they are to be shown as away.
  public func isAway(at now: Instant) -> Bool {
    suspendedSince.map { now >= $0 + Suspension.longestAbsence } ?? false
  }

  /// Whether it may do everything, whoever steers the session.
  public var isHost: Bool { role == .host }

  init(_ participant: GroupSessions.Participant, in session: GroupSessions.GroupSession?) {
    id = participant.id
    user = participant.user
    device = participant.device
    name = participant.name
    role = participant.role
    isKeeper = participant.isKeeper
    isReadyToStart = participant.isReadyToStart
    isConnected = session?.lost[participant.id] == nil
    let place = session?.playback.participants[participant.id]
    item = place?.item
    excessLength = session?.excessLength(of: participant.id)
    suspensions = Set(place?.suspensions.map(\.reason) ?? [])
    suspendedSince = place?.suspensions.first?.since
  }
}

extension Collection<Participant> {
  /// How many people they are: one on two devices is one, a keeper is none.
  var peopleCount: Int { Set(lazy.filter { !$0.isKeeper }.map(\.user)).count }
}

/// Who came or went.
public enum ParticipantChange: Hashable, Sendable {
  /// Someone joined.
  case joined(Participant)
  /// Someone left, or was removed, or did not come back.
  case left(Participant)
  /// Someone's role, connection, suspensions or current item changed; see
  /// ``GroupSession/activeParticipants``.
  case changed(ParticipantID)
  /// So many changes went missing here, since this reader was too slow: look at
  /// ``GroupSession/activeParticipants`` again.
  case missed(Int)
}
