import Participation
import Vocabulary

/// Handles mpv's messages.
extension MpvDialogue {
  /// Processes a message and returns what to do about it.
  mutating func handle(_ message: MpvMessage, at now: HostTime) -> [Output] {
    switch message {
    case .reply(let id, let reply): handle(reply, to: id, at: now)
    case .changed(let property, let value): handleChange(property, value, at: now)
    case .startedFile(let entry):
      // Ignores earlier entries, because a restart of the previous item may still arrive.
      if stage == .requested(entry: entry) { stage = .opening(entry: entry) }
    case .endedFile(let entry, let end): endItem(entry, end, at: now)
    case .seek: handleSeek(at: now)
    case .playbackRestart: handleRestart(at: now)
    case .other: break
    }
    return takeOutputs(at: now)
  }

  private mutating func handle(_ reply: MpvReply, to id: Int64, at now: HostTime) {
    guard let index = asked.firstIndex(where: { $0.id == id }) else { return }
    let asked = self.asked.remove(at: index)
    guard asked.item == item else { return }
    switch asked.question {
    case .nothing: break
    case .refusal: fail("it is neither an http or https URL nor a file; use one of those")
    case .opening: handleOpening(reply)
    case .duration: duration = reply.number.map { MediaTime.seconds($0) - .zero }
    case .cache:
      if case .done(.cache(let cache)) = reply, let read = duration, !cache.knows(read) {
        duration = nil
      }
    case .seekable: isSeekable = reply != .done(.flag(false))
    case .sound: updateSound(reply, at: now)
    case .frameRate: frameDelay.learn(framesPerSecond: reply.number)
    case .personsSpeed:
      if let speed = reply.number { handle(personsSpeed: speed, asked: id, at: now) }
    case .firstFrame: finishLoading(at: reply.number.map { .seconds($0) } ?? .zero, now: now)
    case .pauseState(let wanted): confirm(wanted: wanted, reply, at: now)
    case .seeking:
      // If mpv refused the seek, playback continues where it was.
      if case .refused = reply {
        land(at: now)
      } else if !isSeekable {
        seek?.lapses = now + Self.seekPatience
      }
    case .personsTarget:
      if let position = reply.number { handleTarget(.seconds(position), at: now) }
    case .landing: if let position = reply.number { finishSeek(at: .seconds(position), now: now) }
    case .refreshed: if let position = reply.number { tell(.position(.seconds(position), at: now)) }
    case .position: handlePosition(reply, asked: asked.at, at: now)
    }
  }

  // MARK: Items

  private mutating func handleOpening(_ reply: MpvReply) {
    switch reply {
    case .done(.entry(let entry)): stage = .requested(entry: entry)
    case .done: fail("mpv is too old; use mpv 0.33 or later")
    case .refused(let error): fail(error)
    }
  }

  private mutating func fail(_ reason: String) {
    close()
    tell(.failed(reason: "mpv cannot play \(url): \(reason)"))
  }

  private mutating func endItem(_ ended: Int64, _ end: MpvEnd, at now: HostTime) {
    switch stage {
    case .opening(ended), .open(ended): break
    default: return
    }
    switch end {
    case .failed(let error): fail(error)
    case .quitting: close()
    case .list:
      fail("it is a list; use a single item")
      ask(.stop, for: .nothing, at: now)
    // What the person opened instead is left to them.
    case .displaced: fail("another file was opened in its window")
    }
  }

  private mutating func finishLoading(at position: MediaTime, now: HostTime) {
    guard case .opening(let entry) = stage else { return }
    stage = .open(entry: entry)
    tell(
      .loaded(
        duration: duration, rates: .slowest ... .fastest,
        measurementNoise: hasSound ? Self.soundNoise : Self.frameNoise))
    tell(.position(position, at: now))
    lastPosition = KnownPosition(position: position, at: now)
    if !isPaused { tell(.unpaused) }
    if isStalled { tell(.stalled) }
    if hasEnded { tellEnd() }
  }

  /// Updates whether the item has sound, whose position can be read during playback; asked after
  /// each restart.
  private mutating func updateSound(_ reply: MpvReply, at now: HostTime) {
    hasSound = reply.number != nil
    guard watchesFrames == hasSound else { return }
    watchesFrames = !hasSound
    ask(
      hasSound ? .ignore(.framePosition) : .observe(.framePosition), for: .nothing, at: now)
  }

  // MARK: Properties

  private mutating func handleChange(_ property: MpvProperty, _ value: MpvValue, at now: HostTime) {
    switch (property, value) {
    case (.pause, .flag(let paused)):
      // While a change of ours is pending, its own answer tells the state.
      guard !asked.contains(where: { $0.question.isPauseState && $0.item == item }) else { return }
      change(paused: paused, at: now)
    case (.speed, .number(let speed)):
      // Either a person changed the speed, or mpv reports an earlier speed of ours late. The answer
      // tells the current speed.
      guard case .open = stage, !isOwn(speed: speed) else { return }
      ask(.get(.speed), for: .personsSpeed, at: now)
    case (.pausedForCache, .flag(let stalled)): change(stalled: stalled)
    case (.endReached, .flag(let ended)): change(ended: ended)
    case (.endReached, .none): hasEnded = false
    case (.framePosition, .number(let frame)):
      let position = frameDelay.position(at: .seconds(frame))
      guard isMoving, !hasSound else { return }
      let slack = Duration.milliseconds(10)
      if let toldPositionAt, now - toldPositionAt < interval(at: now) - slack { return }
      report(position, at: now, now: now)
    default: break
    }
  }

  private mutating func confirm(wanted: Bool, _ reply: MpvReply, at now: HostTime) {
    change(paused: wanted, at: now)
    if case .done(.flag(let paused)) = reply { change(paused: paused, at: now) }
  }

  private mutating func change(paused: Bool, at now: HostTime) {
    guard paused != isPaused else { return }
    isPaused = paused
    guard case .open = stage else { return }
    if paused, hasEnded { tellEnd() }
    if !paused { hasToldEnd = false }
    tell(paused ? .paused : .unpaused)
    if paused, hasSound { ask(.get(.soundPosition), for: .position, at: now) }
  }

  private mutating func change(stalled: Bool) {
    guard stalled != isStalled, hasStarted else { return }
    isStalled = stalled
    guard case .open = stage else { return }
    tell(stalled ? .stalled : .recovered)
  }

  private mutating func change(ended: Bool) {
    guard ended != hasEnded, hasStarted else { return }
    hasEnded = ended
    if ended, case .open = stage { tellEnd() }
  }

  private mutating func tellEnd() {
    guard !hasToldEnd else { return }
    hasToldEnd = true
    tell(.ended)
  }

  /// Whether mpv's reports are about our item.
  private var hasStarted: Bool {
    switch stage {
    case .opening, .open: true
    case .empty, .requested: false
    }
  }

  // MARK: Seeks

  private mutating func handleSeek(at now: HostTime) {
    guard case .open = stage else { return }
    if seek?.hasBegun == false {
      seek?.hasBegun = true
      return
    }
    movedUntilSeek = isMoving
    isPersonSeeking = true
    // During a seek, this property is the seek's target.
    ask(.get(.framePosition), for: .personsTarget, at: now)
  }

  private mutating func handleRestart(at now: HostTime) {
    switch stage {
    case .opening:
      ask(.get(.duration), for: .duration, at: now)
      ask(.get(.cache), for: .cache, at: now)
      ask(.get(.seekable), for: .seekable, at: now)
      ask(.get(.soundTrack), for: .sound, at: now)
      ask(.get(.frameRate), for: .frameRate, at: now)
      ask(.get(.framePosition), for: .firstFrame, at: now)
    case .open:
      // Otherwise it is the restart of an earlier seek or of a track change, and our seek has not
      // begun.
      if seek?.hasBegun != false { land(at: now) }
    case .empty, .requested: break
    }
  }

  /// Distinguishes a person's seek from one that mpv makes itself, for example to change the audio
  /// track.
  private mutating func handleTarget(_ target: MediaTime, at now: HostTime) {
    if let lastPosition {
      let elapsed = movedUntilSeek ? now - lastPosition.at : .zero
      let jump = target - (lastPosition.position + elapsed * rate)
      let limit = Self.shortestPersonsSeek
      isRefreshing = seek == nil && (.zero - limit...limit).contains(jump)
    }
    if !isRefreshing { tell(.seeked(to: target)) }
  }

  /// Ends a seek: begins the next one, or asks for the position reached.
  mutating func land(at now: HostTime) {
    guard seek != nil || isPersonSeeking else { return }
    let isRefresh = isRefreshing && seek == nil
    (seek, isPersonSeeking, isRefreshing) = (nil, false, false)
    if let nextSeek { return begin(seekTo: nextSeek, at: now) }
    ask(.get(.soundTrack), for: .sound, at: now)
    ask(.get(.framePosition), for: isRefresh ? .refreshed : .landing, at: now)
  }

  private mutating func finishSeek(at position: MediaTime, now: HostTime) {
    // Reports only the newest seek: if another has begun since, its end will be reported.
    guard seek == nil else { return }
    lastPosition = KnownPosition(position: position, at: now)
    tell(.seekFinished(at: position))
  }

  // MARK: Positions

  private mutating func handlePosition(_ reply: MpvReply, asked: HostTime, at now: HostTime) {
    guard case .open = stage, seek == nil, !isPersonSeeking else { return }
    guard let position = reply.number else {
      // Playback may not have begun yet, or the sound has no output device.
      if let movesSince, now - movesSince >= Self.soundPatience { updateSound(reply, at: now) }
      return
    }
    let roundTrip = now - asked
    nextPoll = isMoving ? max(now, asked + interval(at: now)) : nil
    if roundTrip > Self.usefulRoundTrip, let toldPositionAt,
      now - toldPositionAt < Self.longestSilence
    {
      return
    }
    report(.seconds(position), at: asked + roundTrip * 0.5, now: now)
  }

  private mutating func report(_ position: MediaTime, at moment: HostTime, now: HostTime) {
    toldPositionAt = now
    lastPosition = KnownPosition(position: position, at: moment)
    tell(.position(position, at: moment))
  }
}

extension MpvDialogue.Question {
  fileprivate var isPauseState: Bool {
    if case .pauseState = self { true } else { false }
  }
}
