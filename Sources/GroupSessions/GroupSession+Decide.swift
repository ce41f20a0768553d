package import Playback
package import Vocabulary

extension GroupSession {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - command: what someone wants, or what happened to someone.
  ///   - now: the command's instant.
  ///   - conditions: what the moment adds: delays and limits.
  /// - Returns: what happened, in order, to be numbered from `seq + 1`; empty where the command
  ///   changes nothing, as a repeated one does.
  /// - Throws: why it may not be, with nothing changed.
  package func decide(
    _ command: SessionCommand, at now: Instant, under conditions: PlaybackConditions
  ) throws(SessionRejection) -> [SessionEvent] {
    if case .ended(let reason) = state {
      // What hosted the watching may go away on several devices at the same moment.
      if case .dismiss = command { return [] }
      throw .ended(reason)
    }
    try checkPermission(command)
    if case .playback(let command, let id) = command {
      return try decide(command, by: id, at: now, under: conditions)
    }
    var draft = SessionDraft(self, at: now, under: conditions)
    switch command {
    case .activate(let initiator): draft.activate(by: initiator)
    case .withdraw(let user):
      guard state == .staged, user == initiator.user else { throw .forbidden(.endSession) }
      draft.record(.ended(.withdrawn))
    case .join(let joiner): try draft.join(joiner)
    case .leave(let id): draft.leave(id, .left)
    case .dismiss(let id): draft.dismiss(id)
    case .decline(let device): draft.decline(device)
    case .invite(let users, let lifetime, let id):
      try draft.invite(users, lifetime: lifetime, by: id)
    case .answerInvitation(let reply, let seq): try draft.answer(reply, seq: seq)
    case .revokeInvitations(let users, let id): try draft.revokeInvitations(of: users, by: id)
    case .end(let id): draft.record(.ended(.endedBy(id)))
    case .setActivity(let activity, let expected, let id):
      try draft.setActivity(activity, ifRevision: expected, by: id)
    case .remove(let id, let isBanned, let host):
      try draft.remove(id, isBanned: isBanned, by: host)
    case .setRole(let id, let role, let host): try draft.setRole(id, role, by: host)
    case .setReadyToStart(let isReady, let target, let id):
      try draft.setReadyToStart(isReady, of: target ?? id, by: id)
    case .setControl(let policy, let id):
      if policy != control { draft.record(.controlSet(policy, by: id)) }
    case .setWaitingPolicy(let policy, let id): draft.setWaitingPolicy(policy, by: id)
    case .setDismissalPolicy(let policy, let id):
      if policy != dismissalPolicy { draft.record(.dismissalPolicySet(policy, by: id)) }
    case .send(let message, let recipients, let id):
      draft.record(.messageSent(message, to: recipients, by: id))
    case .queue(let command, let id): try draft.queue(command, by: id)
    // Decided above, without a draft.
    case .playback: break
    case .lose(let id): draft.lose(id)
    case .resume(let id): draft.resume(id)
    case .interrupt: draft.interrupt()
    case .initiatorGone:
      if joinBy != nil { draft.record(.ended(.neverJoined)) }
    case .terminate(let reason):
      draft.record(.ended(state == .staged && reason == .groupClosed ? .withdrawn : reason))
    case .clockAdvanced: draft.clockAdvanced()
    }
    return draft.events
  }

  /// Judges a command for playback without a draft, which would be a copy of the session: only
  /// where an item ends does anything follow for the session.
  private func decide(
    _ command: PlaybackCommand, by id: ParticipantID, at now: Instant,
    under conditions: PlaybackConditions
  ) throws(SessionRejection) -> [SessionEvent] {
    let events: [PlaybackEvent]
    do {
      events = try playback.decide(
        completed(command), by: id, at: now, after: seq, under: conditions)
    } catch { throw .playback(error) }
    guard events.contains(where: \.isEnd) else { return events.map { .playback($0) } }
    var draft = SessionDraft(self, at: now, under: conditions)
    draft.follow(events)
    return draft.events
  }

  /// The command with what the activity says of its item: the timing it was activated with comes
  /// with whoever brings the item first, its length and its advertisements instead of a player's.
  private func completed(_ command: PlaybackCommand) -> PlaybackCommand {
    guard let media = activity.media else { return command }
    switch command {
    case .transition(media.item, let timing, let duration, let interstitials, let window):
      return .transition(
        to: media.item, proposing: timing ?? initialTiming,
        duration: media.duration ?? duration,
        interstitials: media.interstitials.isEmpty ? interstitials : media.interstitials,
        seekWindow: window)
    case .ready(media.item, let seq, let duration):
      return .ready(media.item, seq: seq, duration: media.duration ?? duration)
    default: return command
    }
  }

  /// Who has to take part for a command, and what a role must allow: asked here and nowhere else.
  private func checkPermission(_ command: SessionCommand) throws(SessionRejection) {
    guard let (actor, permission) = command.demand else { return }
    guard participants[actor] != nil else { throw .notJoined }
    if let permission, !permits(actor, permission) { throw .forbidden(permission) }
  }
}

extension SessionCommand {
  /// Who must take part, and with which permission; `nil` for what comes from outside, and for what
  /// changes nothing where nobody takes part.
  fileprivate var demand: (actor: ParticipantID, permission: Permission?)? {
    switch self {
    case .activate, .withdraw, .join, .dismiss, .decline, .answerInvitation, .initiatorGone,
      .interrupt, .terminate, .clockAdvanced:
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
    case .queue(_, let id): (id, .editQueue)
    case .playback(let command, let id): (id, command.steersGroup ? .controlPlayback : nil)
    }
  }
}

extension PlaybackCommand {
  /// Whether the command moves others, as opposed to reporting or stepping out.
  fileprivate var steersGroup: Bool {
    switch self {
    case .play, .pause, .seek, .setRate: true
    case .endSuspension(_, let place): place != nil
    case .transition, .suspend, .ready, .reportEnd: false
    }
  }
}

extension PlaybackEvent {
  /// Whether an item ran to its end: what the queue goes on by.
  fileprivate var isEnd: Bool {
    if case .timelineSet(_, .ended, _, _, _) = self { true } else { false }
  }
}

extension SessionDraft {
  mutating func clockAdvanced() {
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
