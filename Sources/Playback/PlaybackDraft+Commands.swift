import Vocabulary

// MARK: Intents

extension PlaybackDraft {
  mutating func play(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, _ wanted: Rate?, _ immediately: Bool
  ) {
    let rate = wanted ?? timeline.rate
    switch timeline.phase {
    case .paused(let position):
      begin(item, from: position, rate: rate, immediately: immediately, .play, by: id)
    case .ended:
      begin(item, from: .zero, rate: rate, immediately: immediately, .play, by: id)
    case .preparing(let barrier):
      guard immediately || rate != timeline.rate else { return }
      begin(item, from: barrier.from, rate: rate, immediately: immediately, .play, by: id)
    case .playing:
      setRate(timeline, id, item, rate)
    }
  }

  mutating func pause(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, _ reported: MediaTime?
  ) {
    switch timeline.phase {
    case .paused, .ended: return
    case .preparing(let barrier):
      set(item, .paused(at: barrier.from), rate: timeline.rate, .pause, by: id)
    case .playing:
      let position = stop(timeline, reported)
      set(item, .paused(at: position), rate: timeline.rate, .pause, by: id)
    }
  }

  /// The position a pause stops at: the originator's frame, held near the server's own position.
  private func stop(_ timeline: Timeline, _ reported: MediaTime?) -> MediaTime {
    let position = timeline.position(at: now)
    guard let reported, playback.waitingPolicy.pauseSnapsToMediaTimeOfOriginator,
      conditions.believesOriginator
    else { return position }
    let tolerance = timeline.rate.media(in: conditions.pauseTolerance)
    return timeline.clamped(min(max(reported, position - tolerance), position + tolerance))
  }

  mutating func seek(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, to wanted: MediaTime,
    _ immediately: Bool
  ) {
    let position = timeline.landing(wanted, at: now)
    switch timeline.phase {
    case .paused(position), .ended(position): return
    case .paused, .ended:
      set(item, .paused(at: position), rate: timeline.rate, .seek, by: id)
    case .preparing, .playing:
      begin(item, from: position, rate: timeline.rate, immediately: immediately, .seek, by: id)
    }
  }

  mutating func setRate(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, _ rate: Rate
  ) {
    guard rate != timeline.rate else { return }
    switch timeline.phase {
    case .paused, .ended:
      set(item, timeline.phase, rate: rate, .setRate, by: id)
    case .preparing(let barrier):
      begin(item, from: barrier.from, rate: rate, immediately: false, .setRate, by: id)
    case .playing(let anchor):
      let changed = anchor.changing(to: rate, at: now + conditions.lead, now: now)
      set(item, .playing(changed), rate: rate, .setRate, by: id)
    }
  }
}

// MARK: Participation

extension PlaybackDraft {
  mutating func transition(
    _ participant: CoordinatedParticipant, _ id: ParticipantID, to item: ItemID?,
    _ proposal: ProposedTiming?, _ duration: Duration?, _ interstitials: Interstitials,
    _ window: SeekWindow?
  ) throws(PlaybackRejection) {
    if participant.item != item {
      if let item, playback.timelines[item] == nil { try makeRoom(for: item) }
      record(.itemSelected(item, by: id))
    }
    guard let item else { return settle(participant.item) }
    if let timeline = playback.timelines[item] {
      if participant.item != item, participant.isAttached, case .playing = timeline.phase,
        playback.waitingPolicy.waitsForLateJoiners
      {
        wait(item, by: id)
      }
    } else {
      propose(item, proposal, duration, interstitials, window, by: id)
    }
    learn(duration, of: item, from: id)
    learn(interstitials, of: item)
    learn(window, of: item, from: id)
    if participant.item != item { settle(participant.item) }
    settle(item)
  }

  /// Creates a timeline from the state that the first participant with the item proposes.
  ///
  /// Without a proposal the item is paused at 0, or at the live edge.
  private mutating func propose(
    _ item: ItemID, _ proposal: ProposedTiming?, _ duration: Duration?,
    _ interstitials: Interstitials, _ window: SeekWindow?, by id: ParticipantID
  ) {
    let known = duration.flatMap { $0 >= Timeline.lengthTolerance ? $0 : nil }
    var empty = Timeline(phase: .paused(at: .zero), rate: .normal, seq: 0, duration: known)
    if interstitials.fit(in: known) { empty.interstitials = interstitials }
    if known == nil { empty.seekWindow = window.map { .told($0, at: now) } }
    let edge = empty.seekWindow?.window(at: now).end
    let wanted = proposal?.mediaTime ?? edge ?? .zero
    // A running item, for example when the group moves to another server, keeps its position even
    // inside an advertisement.
    let position =
      proposal?.rate == nil ? empty.landing(wanted, at: now) : empty.reachable(wanted, at: now)
    if let rate = proposal?.rate {
      let anchor = TimelineAnchor(mediaTime: position, at: now, rate: rate)
      set(item, .playing(anchor), rate: rate, .propose, by: id)
    } else {
      set(item, .paused(at: position), rate: .normal, .propose, by: id)
    }
  }

  /// Records the seek window of live content.
  ///
  /// A window moves by itself, so a report is recorded only if it differs from the known window. A
  /// large audience keeps the first one, because each change is an event for everyone.
  private mutating func learn(_ told: SeekWindow?, of item: ItemID, from id: ParticipantID) {
    guard let told, let timeline = playback.timelines[item], timeline.duration == nil else {
      return
    }
    if let known = timeline.seekWindow?.window(at: now) {
      guard !known.isSame(as: told), !hasLargeAudience(item) else { return }
    }
    record(.seekWindowSet(item, told))
    if timeline.seekWindow == nil { goLive(timeline, item, at: told.end, by: id) }
  }

  /// Brings an item to the live edge if it began outside of its window, because the window was
  /// unknown: the queue went on to it before anybody had loaded it.
  ///
  /// Who comes later moves nobody who plays, and a large audience hears of no readiness.
  private mutating func goLive(
    _ timeline: Timeline, _ item: ItemID, at edge: MediaTime, by id: ParticipantID
  ) {
    guard !hasLargeAudience(item),
      !playback.counting(item).contains(where: { $0.0 != id && $0.1.readySeq != 0 })
    else { return }
    let position = timeline.position(at: now)
    guard playback.timelines[item]?.reachable(position, at: now) != position else { return }
    switch timeline.phase {
    case .paused: set(item, .paused(at: edge), rate: timeline.rate, .propose, by: id)
    case .preparing, .playing:
      begin(item, from: edge, rate: timeline.rate, immediately: false, .propose, by: id)
    case .ended: break
    }
  }

  /// Makes room for another timeline if the limit is reached: drops the one that changed least
  /// recently, among those that nobody has current and that are not the activity's own.
  private mutating func makeRoom(for item: ItemID) throws(PlaybackRejection) {
    let limit = conditions.limits.timelines
    guard playback.timelines.count >= limit else { return }
    let current = Set(playback.participants.values.compactMap(\.item))
    let unattended = playback.timelines.filter {
      !current.contains($0.key) && $0.key != conditions.keptItem
    }
    guard let oldest = unattended.min(by: { $0.value.seq < $1.value.seq }) else {
      throw .tooManyTimelines(limit: limit)
    }
    record(.timelineDropped(oldest.key))
  }

  mutating func advance(from old: ItemID, to new: ItemID, isPlaying: Bool)
    throws(PlaybackRejection)
  {
    if playback.timelines[new] == nil { try makeRoom(for: new) }
    let rate = playback.timelines[old]?.rate ?? .normal
    record(.itemAdvanced(from: old, to: new, firstPhase(rate, of: old, isPlaying), rate: rate))
    settle(old)
    // Everybody may have stepped out, as of an item that nobody can play.
    hold(new)
    settle(new)
  }

  /// The phase in which an item begins that everybody advances to.
  private func firstPhase(_ rate: Rate, of old: ItemID, _ isPlaying: Bool) -> Timeline.Phase {
    guard isPlaying else { return .paused(at: .zero) }
    guard !hasLargeAudience(old) else {
      let lead = max(conditions.lead, conditions.limits.audienceLead)
      return .playing(TimelineAnchor(mediaTime: .zero, at: now + lead, rate: rate))
    }
    let due = now + conditions.limits.longestPreparation  // Everyone has yet to load the item.
    let patience = max(due, now + playback.waitingPolicy.maximumWait)
    return .preparing(StartBarrier(from: .zero, rate: rate, due: due, patience: patience))
  }

  /// Records a player's report of the item's duration.
  ///
  /// The first report is believed, unless the item has a seek window, until more than half of the
  /// participants with the item report the same different duration. Reports of a large audience are
  /// ignored then, because each doubt is an event for everyone.
  private mutating func learn(_ told: Duration?, of item: ItemID, from id: ParticipantID) {
    guard let told, told >= Timeline.lengthTolerance, let timeline = playback.timelines[item] else {
      return
    }
    guard !timeline.awaitsDuration else { return record(.durationLearned(item, told)) }
    let known = timeline.doubts[id] ?? timeline.duration
    guard known?.isSameLength(as: told) != true, !hasLargeAudience(item) else { return }
    record(.durationDoubted(item, told, by: id))
    guard timeline.duration?.isSameLength(as: told) != true else { return }
    var (present, agreeing) = (0, 0)
    for (other, participant) in playback.counting(item) where participant.isConnected {
      present += 1
      if playback.timelines[item]?.doubts[other]?.isSameLength(as: told) == true { agreeing += 1 }
    }
    if agreeing * 2 > present { record(.durationLearned(item, told)) }
  }

  /// Records an item's advertisements; the first report that fits in the item is believed.
  private mutating func learn(_ interstitials: Interstitials, of item: ItemID) {
    guard !interstitials.isEmpty, let timeline = playback.timelines[item],
      timeline.interstitials.isEmpty, interstitials.fit(in: timeline.duration)
    else { return }
    record(.interstitialsDeclared(item, interstitials))
  }

  mutating func suspend(
    _ participant: CoordinatedParticipant, _ id: ParticipantID, _ reason: SuspensionReason
  ) throws(PlaybackRejection) {
    let isOpen = participant.suspensions.contains { $0.reason == reason && !$0.isImposed }
    guard !isOpen else { return }
    let limit = conditions.limits.suspensions
    guard participant.suspensions.count < limit else { throw .tooManySuspensions(limit: limit) }
    // An advertisement of the item itself is shown to everyone, so nobody gets ahead.
    let isOwnInterstitial =
      reason == .playingInterstitial && isInInterstitial(participant.item)
    // A large audience suspends as a whole; its suspensions are not recorded one by one.
    if isOwnInterstitial, let item = participant.item, hasLargeAudience(item) { return }
    let wasAttached = participant.isAttached
    record(.suspensionBegan(id, playback.nextSuspension, reason, isImposed: false))
    guard let item = participant.item else { return }
    settle(item)
    if wasAttached, !isOwnInterstitial, playback.waits(for: reason, on: item) {
      wait(item, by: id)
    }
  }

  /// Whether a running item is inside one of its own advertisements, or close to one.
  private func isInInterstitial(_ item: ItemID?) -> Bool {
    guard let item, let timeline = playback.timelines[item], case .playing = timeline.phase else {
      return false
    }
    let position = timeline.position(at: now)
    return timeline.interstitials.range(at: position, tolerance: Interstitials.tolerance) != nil
  }

  mutating func endSuspension(
    _ participant: CoordinatedParticipant, _ id: ParticipantID, _ number: SuspensionID,
    _ proposed: MediaTime?
  ) throws(PlaybackRejection) {
    guard let suspension = participant.suspensions.first(where: { $0.id == number }) else {
      throw .unknownSuspension
    }
    let wasWaitedFor = !suspension.isImposed && playback.isWaitedFor(participant, at: now)
    record(.suspensionEnded(id, number))
    guard let item = participant.item, let timeline = playback.timelines[item] else { return }
    if playback.participants[id]?.isAttached == true {
      if let proposed { seek(timeline, id, item, to: proposed, false) }
      if wasWaitedFor, participant.readySeq != timeline.seq { extendBarrier(of: item, for: id) }
    }
    settle(item)
  }

  mutating func ready(
    _ participant: CoordinatedParticipant, _ id: ParticipantID, _ item: ItemID, _ answered: Int,
    _ duration: Duration?
  ) throws(PlaybackRejection) {
    guard participant.item == item, let timeline = playback.timelines[item] else {
      throw .staleItem
    }
    learn(duration, of: item, from: id)
    for suspension in participant.suspensions where suspension.isImposed {
      record(.suspensionEnded(id, suspension.id))
    }
    if answered == timeline.seq {
      if case .preparing = timeline.phase, participant.readySeq != answered {
        record(.readied(id, seq: answered))
      }
    } else if events.isEmpty {
      throw .staleReport(seq: timeline.seq)
    }
    settle(item)
  }

  mutating func reportEnd(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, _ answered: Int
  ) throws(PlaybackRejection) {
    // A participant that reaches the end after the item was ended has nothing to report.
    if case .ended = timeline.phase, answered < timeline.seq { return }
    guard answered == timeline.seq else { throw .staleReport(seq: timeline.seq) }
    guard case .playing = timeline.phase, timeline.duration == nil,
      playback.participants[id]?.endedSeq != answered
    else { return }  // With a known duration, the server ends the item by its own clock.
    record(.finished(id, seq: answered))
    settle(item)
  }
}

extension Duration {
  /// Whether two durations of an item differ by no more than the rounding of players.
  fileprivate func isSameLength(as other: Duration) -> Bool {
    (self - other).magnitude <= Timeline.lengthTolerance
  }
}
