package import Playback
package import Vocabulary

/// One group doing one activity together: its participants, activity, queue and playback.
///
/// A pure value: ``decide`` checks a command and returns events, ``evolve`` applies them and cannot
/// fail, and nothing else changes state. The same value lives on the server and on every client,
/// where the same numbered events evolve it. Feed `.clockAdvanced` once ``nextDeadline`` has
/// passed.
package struct GroupSession: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Prepared in the group; a member has to activate it.
    case staged
    case open
    /// Ended, for good.
    case ended(EndReason)
  }

  package let id: SessionID
  package let group: GroupID
  /// The person who activated the session, or staged it if nobody has activated it yet.
  package internal(set) var initiator: Initiator
  /// Who staged the session for hosts only, if somebody else activated it.
  package internal(set) var stagedBy: UserID?
  package internal(set) var state: State
  /// The number of the last event; events are numbered 1, 2, 3 … without a gap.
  package internal(set) var seq: Int
  package internal(set) var activity: GroupActivity
  /// The number of the activity's current revision, from 1.
  package internal(set) var revision: Int
  package internal(set) var control: ControlPolicy
  /// What happens when a person dismisses the message that hosts the session.
  package internal(set) var dismissalPolicy: DismissalPolicy
  /// Whether each person takes part with one device only: a second device replaces the first.
  package let oneDevicePerUser: Bool
  /// Whether those who find no named place watch as its audience.
  package let hasAudience: Bool
  /// The proposed timing of the activity's first item; its first participant uses it up.
  package internal(set) var initialTiming: ProposedTiming?
  package internal(set) var participants = Roster<Participant>()
  /// The participant on each device.
  var devices = DeviceIndex()
  /// How many bytes the participants take as JSON at most, without their items and suspensions.
  var identityBytes = 0
  /// Disconnected participants, and until when each may resume.
  package internal(set) var lost: SortedMap<ParticipantID, Instant> = [:]
  package internal(set) var playback: CoordinatedPlayback
  package internal(set) var queue = Queue()
  /// Devices that declined the offer.
  package internal(set) var declined: Set<DeviceID> = []
  /// The people who were made listeners.
  package internal(set) var listeners: Set<UserID> = []
  /// Who was removed and may not join again.
  package internal(set) var banned = Bans()
  package internal(set) var invitations = Invitations()
  package internal(set) var chat = Chat()
  package internal(set) var attachments = Attachments()
  /// When the session ends unless somebody joins; `nil` once somebody has.
  package internal(set) var joinBy: Instant?
  /// Whether the initiator has ever joined.
  package internal(set) var initiatorHasJoined = false

  /// Creates the session that its first event describes.
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
    hasAudience = beginning.hasAudience
    initialTiming = beginning.initialTiming
    playback = CoordinatedPlayback(waitingPolicy: beginning.waitingPolicy)
    joinBy = beginning.isStaged ? nil : beginning.joinBy
    queue.play(beginning.activity.media, addedBy: nil)
  }

  /// Restores a session from a snapshot.
  package init(
    id: SessionID, group: GroupID, initiator: Initiator, stagedBy: UserID? = nil, state: State,
    seq: Int,
    activity: GroupActivity, revision: Int, control: ControlPolicy,
    dismissalPolicy: DismissalPolicy, oneDevicePerUser: Bool, hasAudience: Bool = false,
    initialTiming: ProposedTiming?,
    participants: Roster<Participant>, lost: SortedMap<ParticipantID, Instant>,
    playback: CoordinatedPlayback, queue: Queue, declined: Set<DeviceID>,
    listeners: Set<UserID> = [], banned: Bans,
    invitations: Invitations, chat: Chat = Chat(), attachments: Attachments = Attachments(),
    joinBy: Instant?, initiatorHasJoined: Bool
  ) {
    self.id = id
    self.group = group
    self.initiator = initiator
    self.stagedBy = stagedBy
    self.state = state
    self.seq = seq
    self.activity = activity
    self.revision = revision
    self.control = control
    self.dismissalPolicy = dismissalPolicy
    self.oneDevicePerUser = oneDevicePerUser
    self.hasAudience = hasAudience
    self.initialTiming = initialTiming
    self.participants = participants
    devices = DeviceIndex(of: participants)
    identityBytes = participants.values.reduce(0) { $0 + $1.byteBound }
    self.lost = lost
    self.playback = playback
    self.queue = queue
    self.declined = declined
    self.listeners = listeners
    self.banned = banned
    self.invitations = invitations
    self.chat = chat
    self.attachments = attachments
    self.joinBy = joinBy
    self.initiatorHasJoined = initiatorHasJoined
  }

  /// When `.clockAdvanced` is due; `nil` while only a command can change anything.
  package var nextDeadline: Instant? {
    guard case .open = state else { return nil }
    return Instant.earlier(
      Instant.earlier(
        Instant.earlier(joinBy, lost.values.min()), invitations.nextExpiry),
      Instant.earlier(playback.nextDeadline, timelinesKeptUntil))
  }

  /// When the first unattended timeline may be dropped, except that of the activity's own item.
  private var timelinesKeptUntil: Instant? {
    let own = activity.media?.item
    return playback.timelines.least { $0 == own ? nil : $1.keptUntil }
  }

  /// The participants without keepers, which are not listed or counted as people.
  package var people: [Participant] { participants.values.filter { !$0.isKeeper } }

  /// The session without what only participants read.
  package var withoutContributions: GroupSession {
    var session = self
    session.chat = Chat()
    session.attachments = Attachments()
    return session
  }

  /// Whether all participants are disconnected, so that the session ends unless one resumes in
  /// time.
  package var isDraining: Bool {
    !participants.isEmpty && lost.count == participants.count
  }

  package func participant(on device: DeviceID) -> Participant? {
    devices.participant(on: device, among: participants)
  }

  /// A person's participants, one for each of their devices.
  func participants(of user: UserID) -> [Participant] {
    participants.values.filter { $0.user == user }
  }

  /// Whom the removal of a participant puts out: a ban is for a person with all their devices.
  func participantsToRemove(with id: ParticipantID, isBanned: Bool) -> [Participant] {
    guard let named = participants[id] else { return [] }
    guard isBanned else { return [named] }
    return [named] + participants(of: named.user).filter { $0.id != id }
  }

  /// Whether to withhold the session's offer: the device declined it, or the person declined the
  /// invitation and has never joined.
  package func isDeclined(by identity: Identity) -> Bool {
    guard !declined.contains(identity.device) else { return true }
    guard let invitation = invitations[identity.user] else { return false }
    return invitation.state == .declined && !invitation.hasJoined
  }

  /// Whether a participant has a permission.
  package func permits(_ id: ParticipantID, _ permission: Permission) -> Bool {
    guard let participant = participants[id] else { return false }
    let asker = Asker(role: participant.role, isKeeper: participant.isKeeper)
    return may(permission, asker, under: control)
  }

  /// Whether a person may end the session, and so replace it with another: a participant with the
  /// permission, or somebody who would have it after joining.
  package func mayBeEnded(by identity: Identity) -> Bool {
    let own = participants(of: identity.user)
    guard own.isEmpty else { return own.contains { permits($0.id, .endSession) } }
    guard !banned.contains(identity) else { return false }
    return may(.endSession, Asker(role: roleAtJoining(of: identity.user)), under: control)
  }

  /// The participants for whom a start of the item waits, sorted by their identifiers; empty unless
  /// the item is preparing.
  package func awaited(_ item: ItemID, at now: Instant) -> [AwaitedParticipant] {
    playback.waitingFor(item, at: now).map { id in
      let suspensions = playback.participants[id]?.suspensions ?? []
      return AwaitedParticipant(
        id: id, name: participants[id]?.name ?? id.text,
        suspensionReasons: Set(suspensions.map(\.reason)))
    }
  }

  /// The role that a person has when they join.
  func roleAtJoining(of user: UserID) -> Role {
    // Whoever was made a listener stays one, the initiator too.
    if listeners.contains(user) { return .listener }
    return user == initiator.user || user == stagingHost ? .host : .guest
  }

  /// Who staged the session for hosts only, and so is one of them, whoever activated it.
  var stagingHost: UserID? { control == .hostsOnly ? stagedBy : nil }
}
