import GroupSessions
import Playback
import Vocabulary
import Wire

// The player does what the group does.

extension Client {
  /// Brings player and follower in line with what the mirror says now.
  mutating func refollow() {
    guard let session = seat?.session, seat?.isJoined == true else { return }
    guard settings.hasPlayer else { return attend(session) }
    adopt(session.activity.media)
    takePlace()
    feed(.suspended(isDetachedByChoice))
    let timeline = currentTimeline
    if timeline != media.followed, let clock {
      media.followed = timeline
      feed(.timeline(timeline, clock: clock))
    }
    answerImposed()
    publishPlayback()
  }

  /// Takes part without a picture: nothing is to be opened, and ready is said at once.
  private mutating func attend(_ session: GroupSession) {
    guard settings.attendsWithoutPlayer else { return }
    if media.transitioned != seat?.participant { media.answered = nil }
    if media.wanted != session.activity.media {
      if media.wanted?.item != session.activity.media?.item { media.transitioned = nil }
      media.wanted = session.activity.media
      media.isLoaded = media.wanted != nil
      if !media.isLoaded { askOwn(.playback(seat?.id, .transition(to: nil)), .nobody) }
    }
    takePlace()
    if let timeline = currentTimeline, case .preparing = timeline.phase {
      report(ready: timeline.seq)
    }
    publishPlayback()
  }

  /// The timeline of what the player has open, once the server knows that it is current here.
  private var currentTimeline: Timeline? {
    guard media.isLoaded, let item = media.wanted?.item, seat?.me?.item == item else { return nil }
    return seat?.session?.playback.timelines[item]
  }

  /// Opens what everyone watches.
  private mutating func adopt(_ wanted: MediaItem?) {
    guard wanted?.item != media.wanted?.item || wanted?.url != media.wanted?.url else { return }
    letGo()
    media.wanted = wanted
    media.isLoaded = false
    media.isUnplayable = false
    media.duration = nil
    (media.seekWindow, media.toldWindow) = (nil, nil)
    media.place = nil
    media.transitioned = nil
    if let wanted {
      emit(.player(.load(wanted)))
    } else {
      emit(.player(.unload))
      askOwn(.playback(seat?.id, .transition(to: nil)), .nobody)
    }
  }

  /// Tells the server, once, that the item is open here.
  private mutating func takePlace() {
    guard media.isLoaded, let item = media.wanted?.item, let me = seat?.participant,
      media.transitioned != me
    else { return }
    let command = PlaybackCommand.transition(
      to: item, proposing: nil, duration: media.duration, seekWindow: windowToTell())
    askOwn(.playback(seat?.id, command), .transition(item))
    // Only behind it goes what waited for it.
    media.transitioned = me
    sendPending()
  }

  /// Takes the player off any timeline, where it stays as it is.
  private mutating func letGo() {
    media.followed = nil
    media.answered = nil
    if let clock { feed(.timeline(nil, clock: clock)) }
  }

  mutating func detachPlayer() {
    guard settings.hasPlayer else { return }
    letGo()
    media.ownSuspension = nil
    media.endingSuspensions = []
    media.isAstray = false
    media.transitioned = nil
    feed(.suspended(false))
    if settings.pausesAfterSession, media.isLoaded { emit(.player(.carryOut(.pause))) }
  }

  /// Puts the player back where the group is, after an intent came to nothing.
  mutating func followAgain() {
    guard let clock, let timeline = media.followed else { return }
    feed(.timeline(timeline, clock: clock))
  }

  // MARK: The player tells

  mutating func hear(_ event: PlayerEvent, of item: ItemID) {
    guard settings.hasPlayer, item == media.wanted?.item else { return }
    switch event {
    case .loaded(let duration, _, _):
      media.isLoaded = true
      media.duration = duration
      (media.isStalled, media.isSeeking, media.isRunning) = (false, false, false)
    case .failed:
      media.isLoaded = false
      media.isUnplayable = true
      sendPending()
    default: guard media.isLoaded else { return }
    }
    switch event {
    case .position(let place, let moment): note(place, at: moment)
    case .paused: media.isRunning = false
    case .unpaused: media.isRunning = true
    case .stalled: media.isStalled = true
    case .recovered: media.isStalled = false
    case .seekFinished: media.isSeeking = false
    case .seekWindow(let window): return note(window, of: item)
    case .loaded, .seeked, .rateChanged, .ended, .failed: break
    }
    feed(.player(event))
    if case .position = event { return answerImposed() }
    media.reportDue = now
    if case .seekFinished(let place) = event { note(place, at: now) }
    refollow()
  }

  /// Tells the server what of live content can be gone to, if it came otherwise than it was told.
  private mutating func note(_ window: SeekWindow, of item: ItemID) {
    guard let clock else { return }
    let instant = clock.instant(at: now)
    media.seekWindow = .told(window, at: instant)
    guard media.transitioned == seat?.participant, media.transitioned != nil else { return }
    if let told = media.toldWindow, told.window(at: instant).isSame(as: window) { return }
    askPlayback(.transition(to: item, seekWindow: windowToTell()), .nobody)
  }

  private mutating func windowToTell() -> SeekWindow? {
    guard let window = media.seekWindow, let clock else { return nil }
    media.toldWindow = window
    return window.window(at: clock.instant(at: now))
  }

  /// Reports the place now and then, and soon after a change.
  private mutating func note(_ place: MediaTime, at moment: HostTime) {
    media.place = place
    guard moment >= media.reportDue, link.isOnline, let clock, let item = media.wanted?.item,
      seat?.me?.item == item
    else { return }
    media.reportDue = moment + Media.reportInterval
    emit(
      .send(
        .report(
          PositionReport(
            item: item, mediaTime: place, at: clock.instant(at: moment),
            isPlaying: media.isRunning))))
  }

  // MARK: The follower wants

  mutating func feed(_ input: Follower.Input) {
    for output in media.follower.handle(input, at: now) { carryOut(output) }
  }

  private mutating func carryOut(_ output: Follower.Output) {
    switch output {
    case .player(let command): order(command)
    case .report(.ready(let seq)): report(ready: seq)
    case .report(.ended(let seq)):
      guard let item = media.wanted?.item else { return }
      askPlayback(.reportEnd(item, seq: seq), .nobody)
    case .intent(let intent): carryOut(intent)
    case .suspend(let reason):
      guard seat?.isJoined == true else { return }
      media.ownSuspension = Media.OwnSuspension(reason: reason)
      askPlayback(.suspend(reason), .suspension)
    case .endSuspension: endOwnSuspension()
    case .correction(let correction, let error):
      if let id = seat?.id { publish(.corrected(correction, error: error), of: id) }
    case .status(let error):
      if let id = seat?.id { publish(.drift(error), of: id) }
    }
  }

  private mutating func order(_ command: PlayerCommand) {
    if case .seek = command { media.isSeeking = true }
    emit(.player(.carryOut(command)))
  }

  private mutating func askPlayback(_ command: PlaybackCommand, _ asker: Asker) {
    guard let id = seat?.id, seat?.isJoined == true else { return }
    askOwn(.playback(id, command), asker)
  }

  /// A ready answers a barrier, or ends a suspension that the server imposed; else nobody asked.
  private mutating func report(ready seq: Int) {
    guard let item = media.wanted?.item, let timeline = currentTimeline else { return }
    let imposed = seat?.me?.suspensions.last { $0.isImposed }?.id
    if case .preparing = timeline.phase {} else if imposed == nil { return }
    let answer = Media.Answered(item: item, seq: seq, imposed: imposed)
    guard media.answered != answer else { return }
    media.answered = answer
    askPlayback(.ready(item, seq: seq, duration: media.duration), .nobody)
  }

  /// Who was taken for stalled and is able to go along says so; behind a barrier the follower does.
  private mutating func answerImposed() {
    guard seat?.me?.suspensions.contains(where: \.isImposed) == true, media.isSettled,
      let timeline = currentTimeline
    else { return }
    switch timeline.phase {
    case .preparing: return
    case .playing: guard media.isRunning else { return }
    case .paused, .ended: break
    }
    report(ready: timeline.seq)
  }

  private mutating func carryOut(_ intent: Follower.Intent) {
    guard let item = media.wanted?.item else { return }
    guard link.isOnline else { return goAstray(nil) }
    switch intent {
    case .play: askPlayback(.play(item), .intent)
    case .pause(let place): askPlayback(.pause(item, at: place), .intent)
    case .seek(let place): askPlayback(.seek(item, to: place), .intent)
    case .setRate(let rate): askPlayback(.setRate(item, rate), .intent)
    }
  }
}

// MARK: Suspensions

extension Client {
  /// Whether a person or the app stepped out, as opposed to the follower or the server's barrier.
  private var isDetachedByChoice: Bool {
    media.isAstray
      || seat?.me?.suspensions.contains { !$0.isImposed && !media.isOwn($0) } == true
  }

  mutating func nameOwnSuspension(_ number: SuspensionID) {
    guard media.ownSuspension != nil else { return }
    media.ownSuspension?.id = number
    if media.ownSuspension?.isOver == true { endOwnSuspension() }
  }

  private mutating func endOwnSuspension() {
    guard let own = media.ownSuspension else { return }
    guard let id = own.id else {
      media.ownSuspension?.isOver = true
      return
    }
    media.ownSuspension = nil
    let open = Set(seat?.me?.suspensions.map(\.id) ?? [])
    media.endingSuspensions = media.endingSuspensions.intersection(open).union([id])
    askPlayback(.endSuspension(id), .endOfSuspension)
  }

  /// While the connection is away a person's wishes move only this player, until it is back.
  mutating func goAstray(_ command: PlayerCommand?) {
    media.isAstray = true
    feed(.suspended(true))
    if let command { order(command) }
  }

  /// Whether a command moves only this device's player: detached ones never reach the group.
  func isLocal(_ command: PlaybackCommand) -> Bool {
    guard settings.hasPlayer, media.isLoaded, seat?.isJoined == true else { return false }
    switch command {
    case .play, .pause, .seek, .setRate: return isDetachedByChoice || !link.isOnline
    case .transition, .suspend, .endSuspension, .ready, .reportEnd: return false
    }
  }

  mutating func carryOutLocally(_ command: PlaybackCommand) {
    if !link.isOnline { goAstray(nil) }
    switch command {
    case .play(_, let rate, _): order(.play(rate: (rate ?? .normal).factor))
    case .pause: order(.pause)
    case .seek(_, let place, _): order(.seek(to: place))
    case .setRate(_, let rate): order(.setRate(rate.factor))
    case .transition, .suspend, .endSuspension, .ready, .reportEnd: break
    }
  }

  /// Tells the app how playback stands, if that changed.
  private mutating func publishPlayback() {
    guard let session = seat?.session, let item = media.wanted?.item,
      let timeline = session.playback.timelines[item], let moment = instant(at: now)
    else { return }
    let waitingFor = session.playback.waitingFor(item, at: moment).map {
      session.participants[$0]?.name ?? $0.text
    }
    let status = PlaybackStatus(
      item: item, timeline: timeline, waitingFor: waitingFor,
      suspensions: seat?.me?.suspensions ?? [], isLoaded: media.isLoaded)
    guard status != seat?.published else { return }
    seat?.published = status
    publish(.playback(status), of: session.id)
  }
}
