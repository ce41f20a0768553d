package import Playback
package import Vocabulary

/// One group doing one activity together: who is here, what is on, where playback stands.
///
/// Pure: ``decide`` judges a command and says what happened, ``evolve`` makes it so and cannot
/// fail; nothing else changes state. The same value lives on the server and, evolved by the same
/// numbered events, on every client. Feed `.clockAdvanced` once ``nextDeadline`` has passed.
package struct GroupSession: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Attached to the group; a member has to activate it.
    case staged
    case open
    /// Over, for this reason; it never becomes anything else.
    case ended(EndReason)
  }

  package let id: SessionID
  package let group: GroupID
  /// Who started it; of a staged one, who staged it until somebody activates it.
  package internal(set) var initiator: Initiator
  package internal(set) var state: State
  /// The number of the last event; events are numbered 1, 2, 3 … without a gap.
  package internal(set) var seq: Int
  package internal(set) var activity: GroupActivity
  /// Counts the activity's changes, from 1.
  package internal(set) var revision: Int
  package internal(set) var control: ControlPolicy
  /// What it does when a person dismisses the message that hosts the watching.
  package internal(set) var dismissalPolicy: DismissalPolicy
  /// Whether a person takes part with one device only: a second one takes the first one's place.
  package let oneDevicePerUser: Bool
  /// Where the activity's item stands at first; used up by the first who has it current.
  package internal(set) var initialTiming: ProposedTiming?
  package internal(set) var participants = Roster<Participant>()
  /// Which of them each device is.
  var devices = DeviceIndex()
  /// Those without a connection, and until when they may resume.
  package internal(set) var lost: SortedMap<ParticipantID, Instant> = [:]
  package internal(set) var playback: CoordinatedPlayback
  package internal(set) var queue = Queue()
  /// Devices that do not want the offer.
  package internal(set) var declined: Set<DeviceID> = []
  /// Devices that were removed for good.
  package internal(set) var banned: Set<DeviceID> = []
  /// Who is asked to come, and what they said.
  package internal(set) var invitations = Invitations()
  /// When it ends if nobody has joined; `nil` once somebody has.
  package internal(set) var joinBy: Instant?
  /// Whether the initiator took part at some time.
  package internal(set) var initiatorHasJoined = false

  /// The session that an event stream's first event begins.
  package init(id: SessionID, _ beginning: SessionBeginning) {
    self.id = id
    group = beginning.group
    initiator = beginning.initiator
    state = beginning.isStaged ? .staged : .open
    seq = 1
    activity = beginning.activity
    revision = 1
    control = beginning.control
    dismissalPolicy = beginning.dismissalPolicy
    oneDevicePerUser = beginning.oneDevicePerUser
    initialTiming = beginning.initialTiming
    playback = CoordinatedPlayback(waitingPolicy: beginning.waitingPolicy)
    joinBy = beginning.isStaged ? nil : beginning.joinBy
    queue.play(beginning.activity.media, addedBy: nil)
  }

  /// Puts a session together from a snapshot.
  package init(
    id: SessionID,
    group: GroupID,
    initiator: Initiator,
    state: State,
    seq: Int,
    activity: GroupActivity,
    revision: Int,
    control: ControlPolicy,
    dismissalPolicy: DismissalPolicy,
    oneDevicePerUser: Bool,
    initialTiming: ProposedTiming?,
    participants: Roster<Participant>,
    lost: SortedMap<ParticipantID, Instant>,
    playback: CoordinatedPlayback,
    queue: Queue,
    declined: Set<DeviceID>,
    banned: Set<DeviceID>,
    invitations: Invitations,
    joinBy: Instant?,
    initiatorHasJoined: Bool
  ) {
    self.id = id
    self.group = group
    self.initiator = initiator
    self.state = state
    self.seq = seq
    self.activity = activity
    self.revision = revision
    self.control = control
    self.dismissalPolicy = dismissalPolicy
    self.oneDevicePerUser = oneDevicePerUser
    self.initialTiming = initialTiming
    self.participants = participants
    devices = DeviceIndex(of: participants)
    self.lost = lost
    self.playback = playback
    self.queue = queue
    self.declined = declined
    self.banned = banned
    self.invitations = invitations
    self.joinBy = joinBy
    self.initiatorHasJoined = initiatorHasJoined
  }

  /// When `.clockAdvanced` is due; `nil` while only somebody's command can change anything.
  package var nextDeadline: Instant? {
    guard case .open = state else { return nil }
    return Instant.earlier(
      Instant.earlier(
        Instant.earlier(joinBy, lost.values.min()), invitations.nextExpiry),
      Instant.earlier(playback.nextDeadline, timelinesKeptUntil))
  }

  /// When the first of the items that nobody has current, other than the activity's, is forgotten.
  private var timelinesKeptUntil: Instant? {
    let own = activity.media?.item
    return playback.timelines.least { $0 == own ? nil : $1.keptUntil }
  }

  /// Its participants but for keepers, who are nobody to be listed or counted.
  package var people: [Participant] { participants.values.filter { !$0.isKeeper } }

  /// Whether everybody is gone and only the grace of the lost keeps the session.
  package var isDraining: Bool {
    !participants.isEmpty && lost.count == participants.count
  }

  /// The participant that a device is, if it takes part.
  package func participant(on device: DeviceID) -> Participant? {
    devices.participant(on: device, among: participants)
  }

  /// Whether a device is not to be offered the session: it declined the offer, or its person the
  /// invitation and never came after all.
  package func isDeclined(by identity: Identity) -> Bool {
    guard !declined.contains(identity.device) else { return true }
    guard let invitation = invitations[identity.user] else { return false }
    return invitation.state == .declined && !invitation.hasJoined
  }

  /// The one permission gate: whether a participant may do what a verb of this kind does.
  package func permits(_ id: ParticipantID, _ permission: Permission) -> Bool {
    guard let participant = participants[id] else { return false }
    return switch (participant.role, control, permission) {
    case (.host, _, _): true
    // A keeper is the server's own: it makes hosts of whoever shows it that they are.
    case (.guest, _, .manageParticipants): participant.isKeeper
    case (.guest, .everyone, _): true
    case (.guest, .hostsOnly, .sendMessages): true
    case (.guest, .hostsOnly, _): false
    }
  }
}
