package import Vocabulary

extension CoordinatedPlayback {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - command: what the participant wants or reports.
  ///   - id: who.
  ///   - now: the command's instant.
  ///   - seq: the session's number of the last event.
  ///   - conditions: what the moment adds: delays and limits.
  /// - Returns: what happens, in order; empty where the command changes nothing.
  /// - Throws: why it may not be, with nothing changed.
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
    case .pause(let item, let place):
      try draft.pause(attached(participant, item), id, item, place)
    case .seek(let item, let place, let immediately):
      try draft.seek(attached(participant, item), id, item, to: place, immediately)
    case .setRate(let item, let rate):
      try draft.setRate(attached(participant, item), id, item, rate)
    case .suspend(let reason):
      try draft.suspend(participant, id, reason)
    case .endSuspension(let number, let place):
      try draft.endSuspension(participant, id, number, place)
    case .ready(let item, let answered, let duration):
      try draft.ready(participant, id, item, answered, duration)
    case .reportEnd(let item, let answered):
      try draft.reportEnd(attached(participant, item), id, item, answered)
    }
    return draft.events
  }

  /// Decides what follows from the time that passed, or from participants who came, went, were
  /// lost or are back.
  ///
  /// - Returns: what happens; empty if nothing was due.
  package func settle(at now: Instant, after seq: Int, under conditions: PlaybackConditions)
    -> [PlaybackEvent]
  {
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    draft.settle()
    return draft.events
  }

  /// Decides on another waiting policy.
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

  /// Decides that everybody attached to one item goes on to another, which starts from its
  /// beginning, or stays paused there; so do those who were late or whose connection is lost.
  ///
  /// - Returns: what happens, in order: a timeline nobody needs may have to make room.
  /// - Throws: that there is no room for the new item's timeline.
  package func advance(
    from old: ItemID, to new: ItemID, isPlaying: Bool, at now: Instant, after seq: Int,
    under conditions: PlaybackConditions
  ) throws(PlaybackRejection) -> [PlaybackEvent] {
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    try draft.advance(from: old, to: new, isPlaying: isPlaying)
    return draft.events
  }

  /// Decides what follows from what the activity says of its item, which is not to be doubted.
  ///
  /// - Returns: what happens; empty for an item without a timeline, and where all is known.
  package func declare(
    _ item: ItemID, duration: Duration?, interstitials: Interstitials, at now: Instant,
    after seq: Int, under conditions: PlaybackConditions
  ) -> [PlaybackEvent] {
    guard let timeline = timelines[item] else { return [] }
    var draft = PlaybackDraft(self, at: now, after: seq, conditions)
    if let duration, duration > .zero, duration != timeline.duration {
      draft.record(.durationLearned(item, duration))
    }
    if !interstitials.isEmpty, interstitials != timeline.interstitials {
      draft.record(.interstitialsDeclared(item, interstitials))
    }
    if !draft.events.isEmpty { draft.settle(item) }
    return draft.events
  }

  /// The timeline a participant's command is about, if the command may reach the group.
  private func attached(_ participant: CoordinatedParticipant, _ item: ItemID)
    throws(PlaybackRejection) -> Timeline
  {
    guard participant.item == item, let timeline = timelines[item] else { throw .staleItem }
    guard participant.isAttached else { throw .suspendedLocalOnly }
    return timeline
  }
}
