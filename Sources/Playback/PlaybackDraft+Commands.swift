import Vocabulary

// MARK: Intents

extension PlaybackDraft {
  mutating func play(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, _ wanted: Rate?, _ immediately: Bool
  ) {
    let rate = wanted ?? timeline.rate
    switch timeline.phase {
    case .paused(let place):
      begin(item, from: place, rate: rate, immediately: immediately, .play, by: id)
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
      let place = stop(timeline, reported)
      set(item, .paused(at: place), rate: timeline.rate, .pause, by: id)
    }
  }

  /// Where a pause stops: at the originator's frame, as far as that can be believed.
  private func stop(_ timeline: Timeline, _ reported: MediaTime?) -> MediaTime {
    let place = timeline.position(at: now)
    guard let reported, playback.waitingPolicy.pauseSnapsToOriginator,
      conditions.believesOriginator
    else { return place }
    let tolerance = timeline.rate.media(in: conditions.pauseTolerance)
    return timeline.clamped(min(max(reported, place - tolerance), place + tolerance))
  }

  mutating func seek(
    _ timeline: Timeline, _ id: ParticipantID, _ item: ItemID, to wanted: MediaTime,
    _ immediately: Bool
  ) {
    let place = timeline.landing(wanted, at: now)
    switch timeline.phase {
    case .paused(place), .ended(place): return
    case .paused, .ended:
      set(item, .paused(at: place), rate: timeline.rate, .seek, by: id)
    case .preparing, .playing:
      begin(item, from: place, rate: timeline.rate, immediately: immediately, .seek, by: id)
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
    learn(window, of: item)
    if participant.item != item { settle(participant.item) }
    settle(item)
  }

  /// The first to have an item current brings its state; without an opinion it is paused at 0, or
  /// at the live edge.
  private mutating func propose(
    _ item: ItemID, _ proposal: ProposedTiming?, _ duration: Duration?,
    _ interstitials: Interstitials, _ window: SeekWindow?, by id: ParticipantID
  ) {
    let known = duration.flatMap { $0 > .zero ? $0 : nil }
    var empty = Timeline(phase: .paused(at: .zero), rate: .normal, seq: 0, duration: known)
    empty.interstitials = interstitials
    if known == nil { empty.seekWindow = window.map { .told($0, at: now) } }
    let edge = empty.seekWindow?.window(at: now).end
    let wanted = proposal?.mediaTime ?? edge ?? .zero
    // What runs already, as where the group moves to another server, is not set back.
    let place =
      proposal?.rate == nil ? empty.landing(wanted, at: now) : empty.reachable(wanted, at: now)
    if let rate = proposal?.rate {
      let anchor = TimelineAnchor(mediaTime: place, at: now, rate: rate)
      set(item, .playing(anchor), rate: rate, .propose, by: id)
    } else {
      set(item, .paused(at: place), rate: .normal, .propose, by: id)
    }
  }

  /// Takes in what of live content can be gone to.
  ///
  /// Said once, since it moves by itself, and again where it came otherwise. A large audience keeps
  /// the first, for each is an event for all.
  private mutating func learn(_ told: SeekWindow?, of item: ItemID) {
    guard let told, let timeline = playback.timelines[item], timeline.duration == nil else {
      return
    }
    if let known = timeline.seekWindow?.window(at: now) {
      guard !known.isSame(as: told), !hasLargeAudience(item) else { return }
    }
    record(.seekWindowSet(item, told))
  }

  /// Drops the timeline whose last change is longest ago, of those that nobody has current, if
  /// there are too many.
  private mutating func makeRoom(for item: ItemID) throws(PlaybackRejection) {
    let limit = conditions.limits.timelines
    guard playback.timelines.count >= limit else { return }
    let current = Set(playback.participants.values.compactMap(\.item))
    let unattended = playback.timelines.filter { !current.contains($0.key) }
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
    settle(new)
  }

  /// How an item that everybody advances to begins.
  private func firstPhase(_ rate: Rate, of old: ItemID, _ isPlaying: Bool) -> Timeline.Phase {
    guard isPlaying else { return .paused(at: .zero) }
    guard !hasLargeAudience(old) else { return .playing(anchor(.zero, rate)) }
    let due = now + conditions.limits.longestPreparation  // Everyone loads the item only now.
    let patience = max(due, now + playback.waitingPolicy.maximumWait)
    return .preparing(StartBarrier(from: .zero, rate: rate, due: due, patience: patience))
  }

  /// Takes in how long an item is, as a player says.
  ///
  /// The first one is believed, until most of those who have the item current say otherwise and
  /// agree; a large audience is not asked, for each doubt is an event for all.
  private mutating func learn(_ told: Duration?, of item: ItemID, from id: ParticipantID) {
    guard let told, told > .zero, let timeline = playback.timelines[item] else { return }
    guard let believed = timeline.duration else { return record(.durationLearned(item, told)) }
    let isKnown = (timeline.doubts[id] ?? believed).isSameLength(as: told)
    guard !isKnown, !hasLargeAudience(item) else { return }
    record(.durationDoubted(item, told, by: id))
    guard !told.isSameLength(as: believed) else { return }
    var (present, agreeing) = (0, 0)
    for (other, participant) in playback.counting(item) where participant.isConnected {
      present += 1
      if playback.timelines[item]?.doubts[other]?.isSameLength(as: told) == true { agreeing += 1 }
    }
    if agreeing * 2 > present { record(.durationLearned(item, told)) }
  }

  /// The first to know an item's advertisements is believed.
  private mutating func learn(_ interstitials: Interstitials, of item: ItemID) {
    guard !interstitials.isEmpty, playback.timelines[item]?.interstitials.isEmpty == true else {
      return
    }
    record(.interstitialsDeclared(item, interstitials))
  }

  mutating func suspend(
    _ participant: CoordinatedParticipant, _ id: ParticipantID, _ reason: SuspensionReason
  ) throws(PlaybackRejection) {
    let isOpen = participant.suspensions.contains { $0.reason == reason && !$0.isImposed }
    guard !isOpen else { return }
    let limit = conditions.limits.suspensions
    guard participant.suspensions.count < limit else { throw .tooManySuspensions(limit: limit) }
    // An advertisement that belongs to the item is one for all: nobody is ahead of it.
    let isOwnInterstitial =
      reason == .playingInterstitial && isInInterstitial(participant.item)
    // That everyone in a large audience steps out for it goes without saying.
    if isOwnInterstitial, let item = participant.item, hasLargeAudience(item) { return }
    let wasAttached = participant.isAttached
    record(.suspensionBegan(id, playback.nextSuspension, reason, isImposed: false))
    guard let item = participant.item else { return }
    settle(item)
    let groupSize = playback.participants.count
    if wasAttached, !isOwnInterstitial,
      playback.waitingPolicy.waits(for: reason, groupSize: groupSize)
    {
      wait(item, by: id)
    }
  }

  /// Whether a running item shows an advertisement of its own, or is about to.
  private func isInInterstitial(_ item: ItemID?) -> Bool {
    guard let item, let timeline = playback.timelines[item], case .playing = timeline.phase else {
      return false
    }
    let place = timeline.position(at: now)
    return timeline.interstitials.range(at: place, tolerance: Interstitials.tolerance) != nil
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
    // Whoever comes to the end after it was agreed on has nothing to correct.
    if case .ended = timeline.phase, answered < timeline.seq { return }
    guard answered == timeline.seq else { throw .staleReport(seq: timeline.seq) }
    guard case .playing = timeline.phase, timeline.duration == nil,
      playback.participants[id]?.endedSeq != answered
    else { return }  // A known length ends by the server's own time, exactly once.
    record(.finished(id, seq: answered))
    settle(item)
  }
}

extension Duration {
  /// Whether two lengths of an item differ by no more than players round.
  fileprivate func isSameLength(as other: Duration) -> Bool {
    (self - other).magnitude <= Timeline.lengthTolerance
  }
}
