import Playback
import Vocabulary

/// A decision in progress: each event is applied at once, so that the following steps see it.
struct SessionDraft {
  private(set) var session: GroupSession
  private(set) var events: [SessionEvent] = []
  /// The bytes of the participant whom the last event adds without being applied.
  private var concludedBytes = 0
  /// The number of the last event before this decision.
  private let base: Int
  let now: Instant
  let conditions: PlaybackConditions

  init(_ session: GroupSession, at now: Instant, under conditions: PlaybackConditions) {
    self.session = session
    base = session.seq
    self.now = now
    self.conditions = conditions
  }

  var limits: Limits { conditions.limits }

  mutating func record(_ event: SessionEvent) {
    session.evolve(event, at: now)
    events.append(event)
  }

  mutating func record(_ playbackEvents: [PlaybackEvent]) {
    for event in playbackEvents { record(.playback(event)) }
  }

  /// Records the last event of a decision without applying it.
  ///
  /// Nothing reads the session afterwards, and skipping it saves a copy of the participants.
  mutating func conclude(_ event: SessionEvent) {
    if case .joined(let participant) = event { concludedBytes += participant.byteBound }
    events.append(event)
  }

  /// How large the session is after the events.
  var size: SessionSize {
    var size = session.size
    size.participants += concludedBytes
    return size
  }
}

// MARK: Coming and going

extension SessionDraft {
  mutating func activate(by initiator: Initiator) {
    guard session.state == .staged else { return }
    record(.activated(by: initiator, joinBy: now + limits.offerDeadline))
  }

  mutating func join(_ joiner: Joiner) throws(SessionRejection) {
    guard session.state == .open else { throw .notActivated }
    if let known = session.participant(on: joiner.device) { return resume(known.id) }
    guard !session.banned.contains(joiner.identity) else { throw .banned }
    acceptInvitation(of: joiner)
    var arrival = Participant(
      id: joiner.id, identity: joiner.identity, role: session.roleAtJoining(of: joiner.user),
      joinedAt: now)
    let handoff = joiner.handoffFrom ?? olderDevice(of: joiner.user)
    if let old = handoff {
      guard let previous = session.participants[old] else { throw .unknownParticipant }
      guard previous.user == joiner.user else { throw .notYourParticipant }
      arrival = previous.handedOff(to: joiner, at: now)
    } else {
      try session.checkRoom(for: joiner.identity, at: now, limits)
    }
    let isArriving = joiner.user == session.initiator.user && !session.initiatorHasJoined
    let joined = SessionEvent.joined(arrival)
    guard isArriving || handoff != nil || !hasHost else { return conclude(joined) }
    record(joined)
    if isArriving { relieveHosts(for: joiner.id) }
    appointHost()
    if let old = handoff { leave(old, .handedOff(to: joiner.id)) }
  }

  /// The person's other participant, which the joiner replaces if each person has one device only.
  private func olderDevice(of user: UserID) -> ParticipantID? {
    guard session.oneDevicePerUser else { return nil }
    return session.participants.firstValue { $0.user == user }?.id
  }

  /// Makes guests of the hosts who stood in for the initiator until it arrived.
  private mutating func relieveHosts(for initiator: ParticipantID) {
    for id in session.participants.keys
    where id != initiator && session.participants[id]?.role == .host
      && session.participants[id]?.user != session.stagingHost
    {
      record(.roleSet(id, .guest, by: nil))
    }
  }

  mutating func leave(_ id: ParticipantID, _ reason: LeaveReason) {
    let isInitiators = session.participants[id]?.user == session.initiator.user
    let item = session.playback.participants[id]?.item
    record(.left(id, reason))
    if session.participants.isEmpty { return record(.ended(.empty)) }
    if isInitiators, initiatorIsGone { return record(.ended(.initiatorLeft)) }
    appointHost()
    if case .handedOff = reason, let item {
      record(session.playback.hold(item, at: now, after: session.seq, under: conditions))
    }
    settle()
  }

  /// Applies the dismissal policy to a person who dismissed the hosting message.
  ///
  /// The initiator counts as a person, with any role and device; nobody inherits its rights after
  /// it left.
  mutating func dismiss(_ id: ParticipantID) {
    guard let user = session.participants[id]?.user else { return }
    let endsForAll =
      switch session.dismissalPolicy {
      case .endsWithInitiator: user == session.initiator.user
      case .endsForEveryone: true
      case .leavesOnly: false
      }
    if endsForAll { record(.ended(.dismissedBy(id))) } else { leave(id, .dismissed) }
  }

  /// Whether the initiator has left on every device, in a session that ends then; lost devices do
  /// not count as left until their grace ends.
  ///
  /// The activity's lifetime may have changed after the initiator left; then nobody's leaving ends
  /// the session.
  private var initiatorIsGone: Bool {
    session.activity.metadata.lifetimePolicy == .endsWhenInitiatorLeaves
      && !session.participants.values.contains { $0.user == session.initiator.user }
  }

  /// Makes a participant a host if there is none, so that someone can always control the session:
  /// a co-host before a guest, a guest before a listener, of these the longest-present.
  private mutating func appointHost() {
    guard !hasHost else { return }
    let all = session.participants.values
    let next = all.min {
      ($0.role.succession, $0.joinedAt, $0.id) < ($1.role.succession, $1.joinedAt, $1.id)
    }
    guard let next else { return }
    record(.roleSet(next.id, .host, by: nil))
  }

  private var hasHost: Bool { session.participants.firstValue { $0.role == .host } != nil }

  mutating func lose(_ id: ParticipantID) {
    guard session.lost[id] == nil else { return }
    record(.lost(id, until: now + limits.resumeGrace))
    settle()
  }

  mutating func resume(_ id: ParticipantID) {
    guard session.lost[id] != nil else { return }
    record(.resumed(id))
    follow(
      session.playback.settle(returnOf: id, at: now, after: session.seq, under: conditions))
  }

  /// Marks everyone as lost; playback is not settled, because the players never stopped and people
  /// come back.
  mutating func interrupt() {
    guard session.lost.count < session.participants.count else { return }
    conclude(.interrupted(until: now + limits.resumeGrace))
  }

  mutating func remove(_ id: ParticipantID, isBanned: Bool, by host: ParticipantID)
    throws(SessionRejection)
  {
    guard session.participants[id] != nil else { throw .unknownParticipant }
    for removed in session.participantsToRemove(with: id, isBanned: isBanned) {
      // The session may have ended with the one before.
      guard session.participants[removed.id] != nil else { return }
      let hasRoom = session.banned.count < limits.rememberedDevices
      leave(removed.id, .removed(by: host, isBanned: isBanned && hasRoom))
    }
  }

  mutating func decline(_ device: DeviceID) {
    guard !session.declined.contains(device), session.participant(on: device) == nil,
      session.declined.count < limits.rememberedDevices
    else { return }
    record(.declined(device))
  }
}

// MARK: Activity, roles, queue

extension SessionDraft {
  mutating func setActivity(
    _ activity: GroupActivity, ifRevision expected: Int?, by id: ParticipantID
  ) throws(SessionRejection) {
    if let expected, expected != session.revision {
      throw .conflict(currentRevision: session.revision)
    }
    guard activity != session.activity else { return }
    if let media = activity.media, session.queue.entries.count >= limits.queueEntries,
      !session.queue.entries.contains(where: { $0.media.item == media.item })
    {
      throw .queueFull(limit: limits.queueEntries)
    }
    record(.activitySet(activity, revision: session.revision + 1, by: id))
    declareMedia()
    advanceIfEnded()
  }

  /// Applies the activity's own facts about its item, which take precedence over players' reports.
  private mutating func declareMedia() {
    guard let media = session.activity.media else { return }
    record(
      session.playback.declare(
        media.item, duration: media.duration, interstitials: media.interstitials, at: now,
        after: session.seq, under: conditions))
  }

  mutating func setRole(_ id: ParticipantID, _ role: Role, by host: ParticipantID)
    throws(SessionRejection)
  {
    guard let participant = session.participants[id] else { throw .unknownParticipant }
    guard participant.role != role else { return }
    if role == .listener, session.listeners.count >= limits.rememberedDevices {
      throw .full(limit: limits.rememberedDevices)
    }
    record(.roleSet(id, role, by: host))
    if role == .listener { silenceOtherDevices(of: participant, by: host) }
    appointHost()
  }

  /// Makes listeners of a person's other participants, because a listener is one on every device.
  private mutating func silenceOtherDevices(of listener: Participant, by host: ParticipantID) {
    for other in session.participants(of: listener.user) where other.role != .listener {
      record(.roleSet(other.id, .listener, by: host))
    }
  }

  mutating func setReadyToStart(_ isReady: Bool, of id: ParticipantID, by source: ParticipantID)
    throws(SessionRejection)
  {
    guard let participant = session.participants[id] else { throw .unknownParticipant }
    guard participant.isReadyToStart != isReady else { return }
    conclude(.readinessSet(id, isReady, by: source))
  }

  mutating func queue(_ command: QueueCommand, by id: ParticipantID) throws(SessionRejection) {
    let selected = try session.queue.selection(of: command)
    let changes = try session.queue.decide(command, by: id, limit: limits.queueEntries)
    if let selected { try advance(to: selected, isPlaying: isRunningOrEnded, by: id) }
    for event in changes { record(.queue(event, by: id)) }
  }

  /// Whether the current item plays, prepares to play, or has ended.
  private var isRunningOrEnded: Bool {
    guard let item = session.activity.media?.item else { return false }
    return switch session.playback.timelines[item]?.phase {
    case .playing, .preparing, .ended: true
    case .paused, nil: false
    }
  }

  private mutating func advance(to entry: QueueEntry, isPlaying: Bool, by id: ParticipantID?)
    throws(SessionRejection)
  {
    let steps = try playbackSteps(to: entry, isPlaying)
    record(.queue(.selected(entry.id), by: id))
    record(steps)
    declareMedia()
  }

  /// The playback events of an advance, numbered as if the entry were already selected.
  private func playbackSteps(to entry: QueueEntry, _ isPlaying: Bool) throws(SessionRejection)
    -> [PlaybackEvent]
  {
    guard let old = session.activity.media?.item, session.playback.timelines[old] != nil else {
      return []
    }
    do {
      return try session.playback.advance(
        from: old, to: entry.media.item, isPlaying: isPlaying, at: now, after: session.seq + 1,
        under: conditions)
    } catch { throw .playback(error) }
  }
}

// MARK: Playback

extension SessionDraft {
  /// Records playback events and their consequences for the queue.
  mutating func follow(_ playbackEvents: [PlaybackEvent]) {
    record(playbackEvents)
    advanceIfEnded()
  }

  mutating func setWaitingPolicy(_ policy: WaitingPolicy, by id: ParticipantID) {
    follow(
      session.playback.setWaitingPolicy(
        policy, by: id, at: now, after: session.seq, under: conditions))
  }

  /// Decides the consequences for playback of elapsed time or changed participants.
  mutating func settle() {
    follow(session.playback.settle(at: now, after: session.seq, under: conditions))
  }

  /// Drops expired unattended timelines, except that of the activity's own item.
  mutating func dropUnattended() {
    for (item, timeline) in session.playback.timelines.sorted(by: { $0.key < $1.key })
    where item != session.activity.media?.item && timeline.keptUntil.map({ $0 <= now }) == true {
      record(.playback(.timelineDropped(item)))
    }
  }

  /// Advances the queue in the same decision in which the item ended, so that it advances exactly
  /// once.
  private mutating func advanceIfEnded() {
    guard session.queue.isAutoAdvancing, let item = session.activity.media?.item,
      let timeline = session.playback.timelines[item], timeline.seq > base,
      case .ended = timeline.phase, let next = session.queue.upNext
    else { return }
    var advanced = self
    do throws(SessionRejection) {
      try advanced.advance(to: next, isPlaying: true, by: nil)
      try session.checkParticipants(advanced.size, conditions.limits)
    } catch {
      // There is no room for its timeline, or for its name as everyone's item: the item stays ended
      // until there is.
      return
    }
    self = advanced
  }
}

extension Role {
  /// The place in the order in which participants become hosts.
  fileprivate var succession: Int {
    switch self {
    case .host: 0
    case .coHost: 1
    case .guest: 2
    case .listener: 3
    }
  }
}
