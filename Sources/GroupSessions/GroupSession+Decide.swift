package import Playback
package import Vocabulary

extension GroupSession {
  /// Checks a command and returns its events.
  ///
  /// - Parameter conditions: the delays and limits that apply now.
  /// - Returns: the events in order, to be numbered from `seq + 1`; empty for a command that
  ///   changes nothing, such as a repeated one.
  /// - Throws: why the command is refused; nothing has changed then.
  package func decide(
    _ command: SessionCommand, at now: Instant, under conditions: PlaybackConditions
  ) throws(SessionRejection) -> [SessionEvent] {
    if case .ended(let reason) = state {
      // Several devices may dismiss the hosting message at the same time.
      if case .dismiss = command { return [] }
      throw .ended(reason)
    }
    try checkPermission(command)
    if case .playback(let command, let id) = command {
      return try decide(command, by: id, at: now, under: conditions)
    }
    var draft = SessionDraft(self, at: now, under: conditions)
    try draft.perform(command)
    try check(draft.size, after: command, conditions.limits)
    return draft.events
  }

  /// Decides a playback command without a draft, which would copy the session.
  ///
  /// Only the end of an item has consequences outside of playback.
  private func decide(
    _ command: PlaybackCommand, by id: ParticipantID, at now: Instant,
    under conditions: PlaybackConditions
  ) throws(SessionRejection) -> [SessionEvent] {
    let events: [PlaybackEvent]
    var keeping = conditions
    keeping.keptItem = activity.media?.item
    do {
      events = try playback.decide(
        completed(command, by: id), by: id, at: now, after: seq, under: keeping)
    } catch { throw .playback(error) }
    if events.contains(where: \.mayGrow) {
      var after = playback
      for (offset, event) in events.enumerated() {
        after.evolve(event, seq: seq + offset + 1, at: now)
      }
      try check(size(with: after), after: .playback(command, by: id), conditions.limits)
    }
    guard events.contains(where: \.isEnd) else { return events.map { .playback($0) } }
    var draft = SessionDraft(self, at: now, under: conditions)
    draft.follow(events)
    return draft.events
  }

  /// Adds what the activity knows of its item to a player's command, and drops what would steer the
  /// group without permission.
  ///
  /// The initial timing goes to the first participant with the item; the activity's duration and
  /// interstitials replace the player's.
  private func completed(_ command: PlaybackCommand, by id: ParticipantID) -> PlaybackCommand {
    let media = activity.media
    let command = permits(id, .controlPlayback) ? command : withoutSteering(command)
    switch command {
    case .transition(let item, let timing, let duration, let interstitials, let window):
      guard let media, media.item == item else { return command }
      return .transition(
        to: item, proposing: timing ?? initialTiming, duration: media.duration ?? duration,
        interstitials: media.interstitials.isEmpty ? interstitials : media.interstitials,
        seekWindow: window)
    case .ready(let item, let seq, let duration) where item == media?.item:
      return .ready(item, seq: seq, duration: media?.duration ?? duration)
    default: return command
    }
  }

  /// A player's command without what steers the group: a timing, and facts about an item whose
  /// players include that of somebody who may steer.
  ///
  /// Where a duration or a seek window is known already, a duration is only a doubt.
  private func withoutSteering(_ command: PlaybackCommand) -> PlaybackCommand {
    switch command {
    case .transition(let item, _, let duration, let interstitials, let window):
      let hasFacts = duration != nil || !interstitials.isEmpty || window != nil
      guard hasFacts, let item, isSteered(item) else {
        return .transition(
          to: item, duration: duration, interstitials: interstitials, seekWindow: window)
      }
      let isBelieved = playback.timelines[item]?.awaitsDuration != false
      return .transition(to: item, duration: isBelieved ? nil : duration)
    case .ready(let item, let seq, .some)
    where playback.timelines[item]?.awaitsDuration != false && isSteered(item):
      return .ready(item, seq: seq)
    default: return command
    }
  }

  /// Whether somebody who may control playback is connected with the item.
  private func isSteered(_ item: ItemID) -> Bool {
    participants.values.contains { participant in
      let asker = Asker(role: participant.role, isKeeper: participant.isKeeper)
      guard may(.controlPlayback, asker, under: control),
        let player = playback.participants[participant.id]
      else { return false }
      return player.isConnected && player.item == item
    }
  }

  /// The only permission check: whether the actor takes part, and whether its role allows the
  /// command.
  private func checkPermission(_ command: SessionCommand) throws(SessionRejection) {
    guard let (actor, permission) = command.demand else { return }
    guard participants[actor] != nil else { throw .notJoined }
    guard let needed = self.permission(for: command) ?? permission, !permits(actor, needed)
    else { return }
    throw .forbidden(needed)
  }

  /// The permission that depends on whom the command is about.
  private func permission(for command: SessionCommand) -> Permission? {
    switch command {
    case .remove(let target, let isBanned, _):
      participantsToRemove(with: target, isBanned: isBanned).contains {
        [.host, .coHost].contains($0.role)
      } ? .manageParticipants : .removeParticipants
    // What others added is taken out by those who may take out what others queued.
    case .removeAttachment(let id, let actor): attachments[id]?.by == actor ? nil : .editQueue
    default: nil
    }
  }
}

extension SessionCommand {
  /// The participant that must take part, and the permission it needs.
  ///
  /// `nil` for commands from outside the session and for those that change nothing for
  /// non-participants.
  fileprivate var demand: (actor: ParticipantID, permission: Permission?)? {
    switch self {
    case .activate, .withdraw, .join, .dismiss, .decline, .answerInvitation, .uninvite,
      .initiatorGone, .interrupt, .terminate, .clockAdvanced:
      nil
    case .invite(_, _, let id): id.map { ($0, .invite) }
    case .leave(let id), .lose(let id), .resume(let id), .revokeInvitations(_, let id): (id, nil)
    case .end(let id): (id, .endSession)
    case .setActivity(_, _, let id): (id, .changeActivity)
    case .remove(_, _, let id), .setRole(_, _, let id), .setControl(_, let id),
      .setDismissalPolicy(_, let id):
      (id, .manageParticipants)
    case .setReadyToStart(_, let target, let id):
      (id, target == nil || target == id ? nil : .controlPlayback)
    case .setWaitingPolicy(_, let id): (id, .controlPlayback)
    case .send(_, _, let id): (id, .sendMessages)
    case .addAttachment(let attachment): (attachment.by, .sendMessages)
    case .removeAttachment(_, let id): (id, nil)
    case .queue(_, let id): (id, .editQueue)
    case .playback(let command, let id): (id, command.steersGroup ? .controlPlayback : nil)
    }
  }
}

extension PlaybackCommand {
  /// Whether the command affects others, rather than reporting or suspending.
  fileprivate var steersGroup: Bool {
    switch self {
    case .play, .pause, .seek, .setRate: true
    case .endSuspension(_, let position): position != nil
    case .transition, .suspend, .ready, .reportEnd: false
    }
  }
}

extension PlaybackEvent {
  /// Whether the event ends an item, after which the queue may advance.
  fileprivate var isEnd: Bool {
    if case .timelineSet(_, .ended, _, _, _) = self { true } else { false }
  }
}

extension SessionDraft {
  mutating func perform(_ command: SessionCommand) throws(SessionRejection) {
    switch command {
    case .activate(let initiator): activate(by: initiator)
    case .withdraw(let user): try withdraw(by: user)
    case .join(let joiner): try join(joiner)
    case .leave(let id): leave(id, .left)
    case .dismiss(let id): dismiss(id)
    case .decline(let device): decline(device)
    case .invite(let users, let lifetime, let id):
      try invite(users, lifetime: lifetime, by: id)
    case .answerInvitation(let reply, let seq): try answer(reply, seq: seq)
    case .revokeInvitations(let users, let id): try revokeInvitations(of: users, by: id)
    case .uninvite(let user): uninvite(user)
    case .end(let id): record(.ended(.endedBy(id)))
    case .setActivity(let activity, let expected, let id):
      try setActivity(activity, ifRevision: expected, by: id)
    case .remove(let id, let isBanned, let host): try remove(id, isBanned: isBanned, by: host)
    case .setRole(let id, let role, let host): try setRole(id, role, by: host)
    case .setReadyToStart(let isReady, let target, let id):
      try setReadyToStart(isReady, of: target ?? id, by: id)
    case .setControl(let policy, let id):
      if policy != session.control { record(.controlSet(policy, by: id)) }
    case .setWaitingPolicy(let policy, let id): setWaitingPolicy(policy, by: id)
    case .setDismissalPolicy(let policy, let id):
      if policy != session.dismissalPolicy { record(.dismissalPolicySet(policy, by: id)) }
    case .send(let message, let recipients, let id):
      record(.messageSent(message, to: recipients, by: id))
    case .addAttachment(let attachment): try addAttachment(attachment)
    case .removeAttachment(let attachment, let id): try removeAttachment(attachment, by: id)
    case .queue(let command, let id): try queue(command, by: id)
    case .playback: break  // `GroupSession.decide` handles it without a draft.
    case .lose(let id): lose(id)
    case .resume(let id): resume(id)
    case .interrupt: interrupt()
    case .initiatorGone: if session.joinBy != nil { record(.ended(.neverJoined)) }
    case .terminate(let reason): terminate(reason)
    case .clockAdvanced: clockAdvanced()
    }
  }

  private mutating func withdraw(by user: UserID) throws(SessionRejection) {
    guard session.state == .staged, user == session.initiator.user else {
      throw .forbidden(.endSession)
    }
    record(.ended(.withdrawn))
  }

  private mutating func terminate(_ reason: EndReason) {
    let isWithdrawn = session.state == .staged && reason == .groupClosed
    record(.ended(isWithdrawn ? .withdrawn : reason))
  }

  private mutating func clockAdvanced() {
    if let joinBy = session.joinBy, joinBy <= now, session.state == .open {
      return record(.ended(.neverJoined))
    }
    expireInvitations()
    for id in session.lost.filter({ $0.value <= now }).map(\.key) {
      leave(id, .connectionLost)
      if case .ended = session.state { return }
    }
    settle()
    dropUnattended()
  }
}
