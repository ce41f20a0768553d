package import Vocabulary

extension CoordinatedPlayback {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - seq: the number of the session's last event.
  ///   - conditions: the delays and limits that apply now.
  /// - Returns: the events in order; empty if the command changes nothing.
  /// - Throws: why the command is refused; nothing has changed then.
  package func decide(
    _ command: PlaybackCommand, by id: ParticipantID, at now: Instant, after seq: Int,
    under conditions: PlaybackConditions
  ) throws(PlaybackRejection) -> [PlaybackEvent] {
    guard let participant = participants[id] else { throw .unknownParticipant }
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    switch command {
    case .transition(let item, let proposal, let duration, let interstitials, let window):
      try draft.transition(participant, id, to: item, proposal, duration, interstitials, window)
    case .play(let item, let rate, let immediately):
      try draft.play(attached(participant, item), id, item, rate, immediately)
    case .pause(let item, let position):
      try draft.pause(attached(participant, item), id, item, position)
    case .seek(let item, let position, let immediately):
      try draft.seek(attached(participant, item), id, item, to: position, immediately)
    case .setRate(let item, let rate):
      try draft.setRate(attached(participant, item), id, item, rate)
    case .suspend(let reason):
      try draft.suspend(participant, id, reason)
    case .endSuspension(let number, let position):
      try draft.endSuspension(participant, id, number, position)
    case .ready(let item, let answered, let duration):
      try draft.ready(participant, id, item, answered, duration)
    case .reportEnd(let item, let answered):
      try draft.reportEnd(attached(participant, item), id, item, answered)
    }
    return draft.events
  }

  /// Decides the consequences of elapsed time and of participants who joined, left or
  /// (dis)connected.
  ///
  /// - Returns: the events; empty if nothing was due.
  package func settle(at now: Instant, after seq: Int, under conditions: PlaybackConditions)
    -> [PlaybackEvent]
  {
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    draft.settle()
    return draft.events
  }

  /// Decides the consequences of a participant's return for its item.
  ///
  /// A return stops no item: after a restart of the server the players of those who have yet to
  /// come back run on.
  ///
  /// - Returns: the events; empty unless the participant is attached.
  package func settle(
    returnOf id: ParticipantID, at now: Instant, after seq: Int,
    under conditions: PlaybackConditions
  ) -> [PlaybackEvent] {
    guard let participant = participants[id], participant.isAttached else { return [] }
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    draft.settle(participant.item)
    return draft.events
  }

  /// Decides to hold an item for the device to which its last participant handed off, instead of
  /// pausing it.
  ///
  /// - Returns: the events; empty if somebody has the item current, or if it does not run.
  package func hold(
    _ item: ItemID, at now: Instant, after seq: Int, under conditions: PlaybackConditions
  ) -> [PlaybackEvent] {
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    draft.hold(item)
    return draft.events
  }

  /// Decides to replace the waiting policy.
  package func setWaitingPolicy(
    _ policy: WaitingPolicy, by id: ParticipantID, at now: Instant, after seq: Int,
    under conditions: PlaybackConditions
  ) -> [PlaybackEvent] {
    guard policy != waitingPolicy else { return [] }
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    draft.record(.waitingPolicySet(policy, by: id))
    draft.settle()
    return draft.events
  }

  /// Moves everybody attached to one item to another, which starts from its beginning or is paused
  /// there.
  ///
  /// Participants whom the server suspended and those who lost their connection move along.
  ///
  /// - Returns: the events in order; the first may drop an unused timeline to make room.
  /// - Throws: that there is no room for the new item's timeline.
  package func advance(
    from old: ItemID, to new: ItemID, isPlaying: Bool, at now: Instant, after seq: Int,
    under conditions: PlaybackConditions
  ) throws(PlaybackRejection) -> [PlaybackEvent] {
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    try draft.advance(from: old, to: new, isPlaying: isPlaying)
    return draft.events
  }

  /// Applies what the activity declares about its item; it takes precedence over players' reports.
  ///
  /// - Returns: the events; empty if the item has no timeline or nothing is new.
  package func declare(
    _ item: ItemID, duration: Duration?, interstitials: Interstitials, at now: Instant,
    after seq: Int, under conditions: PlaybackConditions
  ) -> [PlaybackEvent] {
    guard let timeline = timelines[item] else { return [] }
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    if let duration, duration >= Timeline.lengthTolerance, duration != timeline.duration {
      draft.record(.durationLearned(item, duration))
    }
    if !interstitials.isEmpty, interstitials != timeline.interstitials {
      draft.record(.interstitialsDeclared(item, interstitials))
    }
    if !draft.events.isEmpty { draft.settle(item) }
    return draft.events
  }

  /// The timeline that a participant's command addresses, if the participant may command the group.
  private func attached(_ participant: CoordinatedParticipant, _ item: ItemID)
    throws(PlaybackRejection) -> Timeline
  {
    guard participant.item == item, let timeline = timelines[item] else { throw .staleItem }
    guard participant.isAttached else { throw .suspendedLocalOnly }
    return timeline
  }
}
