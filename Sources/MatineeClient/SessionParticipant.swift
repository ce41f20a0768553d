public import GroupSessions
import Participation
public import Playback
public import Vocabulary

/// One device's participation in one session; a person with two devices is two participants.
public struct Participant: Hashable, Identifiable, Sendable {
  /// The participant's identifier; a rejoin gets another one.
  public let id: ParticipantID
  /// The person's identifier.
  public let user: UserID
  /// The device's identifier.
  public let device: DeviceID
  /// The name that others see.
  public let name: String
  /// The participant's role, which determines its rights.
  public let role: Role
  /// Whether it keeps the session open for others and does not watch; leave it out of lists for
  /// people.
  ///
  /// A server that bridges to another program's protocol has one keeper in each room of that
  /// program.
  public let isKeeper: Bool
  /// Whether the person is ready to watch; `nil` until somebody has said so.
  ///
  /// The person says it, or somebody who may control playback says it for them. It informs the
  /// others and does not start playback. It is independent of whether the player has loaded, which
  /// the clients coordinate themselves. A rejoin resets it to `nil`.
  public let isReadyToStart: Bool?
  /// Whether it is connected; a participant without a connection may come back.
  public let isConnected: Bool
  /// The item that its player has open; `nil` for none.
  public let item: ItemID?
  /// How much longer its copy of the item is than the group's length; negative if shorter.
  ///
  /// It is `nil` if the lengths differ by no more than a second, or are unknown.
  public let excessLength: Duration?
  /// Its suspensions from coordinated playback, the oldest first; empty while it follows the group.
  public let suspensions: [Suspension]
  /// Whether its player has an item open, follows the group, and no start waits for it.
  public let isReadyToPlay: Bool

  /// Why it is suspended; empty while it follows the group.
  public var suspensionReasons: Set<SuspensionReason> { Set(suspensions.map(\.reason)) }

  /// Since when it is suspended; `nil` while it follows the group.
  public var suspendedSince: Instant? { suspensions.first?.since }

  /// Whether it has been suspended for ten minutes, so that it should be shown as away.
  public func isAway(at now: Instant) -> Bool { suspensions.first?.isAway(at: now) ?? false }

  /// Whether it is a host, which may do everything under any ``ControlPolicy``.
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
    suspensions = place?.suspensions ?? []
    isReadyToPlay = session?.playback.isReadyToPlay(participant.id) ?? false
  }
}

extension Collection<Participant> {
  /// How many people they are: a person on two devices counts once, a keeper does not count.
  var peopleCount: Int { Set(lazy.filter { !$0.isKeeper }.map(\.user)).count }
}

/// A change of a session's participants.
public enum ParticipantChange: Hashable, Sendable {
  /// Someone joined.
  case joined(Participant)
  /// Someone left, was removed, or did not reconnect.
  case left(Participant)
  /// Someone's role, connection, suspensions, readiness or current item changed; see
  /// ``GroupSession/activeParticipants``.
  case changed(ParticipantID)
  /// This many changes were dropped at this point because the reader was too slow.
  ///
  /// Read ``GroupSession/activeParticipants`` again.
  case missed(Int)
}
