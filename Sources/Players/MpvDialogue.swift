import Participation
import Vocabulary

/// The dialogue with one mpv as a value: commands for the player and mpv's messages go in; commands
/// to mpv and player events come out.
///
/// A pause or resume of ours is reported once mpv has confirmed it, because mpv merges quick
/// changes into one message or none. Any other change of pause is reported when it arrives. Our
/// seeks are told apart from a person's by counting: each of ours begins once.
struct MpvDialogue: Equatable, Sendable {
  /// What the shell must do.
  enum Output: Equatable, Sendable {
    /// Send mpv a command under this request number.
    case send(id: Int64, MpvCommand)
    /// Pass an event to the delegate.
    case tell(PlayerEvent)
  }

  /// What the answer to a command is needed for.
  enum Question: Equatable, Sendable {
    case nothing
    case refusal
    case opening
    case duration
    case cache
    case seekable
    case firstFrame
    case sound
    case frameRate
    case pauseState(wanted: Bool)
    case personsSpeed
    case seeking
    case personsTarget
    case landing
    case refreshed
    case position
  }

  struct Asked: Equatable, Sendable {
    let id: Int64
    let question: Question
    /// The number of the item it is about; answers about earlier items are dropped.
    let item: Int
    let at: HostTime
  }

  /// How far loading the item has progressed.
  enum Stage: Equatable, Sendable {
    case empty
    /// Requested. `entry` is its number in mpv's playlist, `nil` until mpv has told it.
    case requested(entry: Int64?)
    case opening(entry: Int64)
    case open(entry: Int64)
  }

  struct OwnSeek: Equatable, Sendable {
    let at: HostTime
    var hasBegun = false
    /// When it is over if it has not begun: mpv accepted it, but cannot seek everywhere.
    var lapses: HostTime?
  }

  /// The last reported position and its time.
  struct KnownPosition: Equatable, Sendable {
    let position: MediaTime
    let at: HostTime
  }

  /// The longest useful round trip.
  ///
  /// A position is known to half of it (measured: 0.1 to 0.4 ms).
  static let usefulRoundTrip = Duration.milliseconds(10)
  /// Drift control changes the speed by at most 5 %.
  ///
  /// Speeds beyond this limit were chosen by a person.
  private static let largestTrim = 0.055
  /// How long sound may take to report its position after a start.
  ///
  /// It needs milliseconds; a track that takes longer has no output device.
  static let soundPatience = Duration.seconds(1)
  /// After this time without a reported position, an imprecise one is reported too; on a busy
  /// machine all round trips may be long.
  static let longestSilence = Duration.seconds(1)
  /// A seek that takes longer is considered lost, and the next one is sent anyway.
  static let seekTimeout = Duration.seconds(9)
  /// How long an accepted seek may take to begin in an item in which mpv can seek only within what it
  /// has read.
  ///
  /// mpv ignores a seek elsewhere without a message; another begins in milliseconds.
  static let seekPatience = Duration.seconds(1)
  /// A shorter jump is not a person's, because mpv's keys jump at least a second.
  static let shortestPersonsSeek = Duration.milliseconds(250)
  /// How long mpv may take to answer.
  ///
  /// Its core may block while a stream on a slow network closes; beyond this it hangs.
  static let patience = Duration.seconds(30)
  /// How many commands may be unanswered; far more than half a minute of polling sends.
  static let unansweredMaximum = 1_024
  /// The noise of positions by sound (measured: 0.01 to 0.4 ms).
  static let soundNoise = Duration.microseconds(200)
  /// The noise of positions by frames as they arrive (measured: 0.1 to 1.7 ms, rarely 10 ms).
  static let frameNoise = Duration.milliseconds(2)

  var outputs: [Output] = []
  var asked: [Asked] = []
  private var lastID: Int64 = 0
  var item = 0
  var stage = Stage.empty
  var url = ""
  var duration: Duration?
  /// Whether mpv can seek in the whole item.
  var isSeekable = true
  var hasSound = false
  var watchesFrames = false
  var frameDelay = FrameDelay()
  var isPaused = true
  var rate = 1.0
  private var correctsPitch = false
  /// The request number under which the speed was last set.
  private var speedID: Int64 = 0
  var isStalled = false
  var hasEnded = false
  /// Whether the end was reported since playback last ran.
  var hasToldEnd = false
  var seek: OwnSeek?
  var nextSeek: MediaTime?
  var isPersonSeeking = false
  /// Whether the current seek is mpv's own, back to the same position.
  var isRefreshing = false
  /// Whether playback was running before the last seek that was not ours.
  var movedUntilSeek = false
  var lastPosition: KnownPosition?
  var movesSince: HostTime?
  var nextPoll: HostTime?
  var toldPositionAt: HostTime?

  /// When ``advance(to:)`` has something to do; `nil` while only a message from mpv can change
  /// anything.
  var nextDeadline: HostTime? {
    [nextPoll, seekLapses, asked.first.map { $0.at + Self.patience }].compactMap { $0 }.min()
  }

  private var seekLapses: HostTime? { seek.flatMap { $0.hasBegun ? nil : $0.lapses } }

  /// Whether mpv no longer answers.
  func isHung(at now: HostTime) -> Bool {
    guard let oldest = asked.first else { return false }
    return now - oldest.at >= Self.patience || asked.count > Self.unansweredMaximum
  }

  /// Observes the properties that are needed for every item.
  mutating func begin(at now: HostTime) -> [Output] {
    // The order ensures that an end is reported before the pause that it causes.
    for property in [MpvProperty.endReached, .pause, .speed, .pausedForCache] {
      ask(.observe(property), for: .nothing, at: now)
    }
    return takeOutputs(at: now)
  }

  /// See ``Player/load(_:startingAt:)``.
  mutating func load(_ url: String, startingAt position: MediaTime?, at now: HostTime) -> [Output] {
    close()
    self.url = url
    guard Self.isPlayable(url) else {
      // Fails when the answer arrives, because the delegate is never called during this call.
      ask(.stop, for: .refusal, at: now)
      return takeOutputs(at: now)
    }
    stage = .requested(entry: nil)
    (isPaused, rate) = (true, 1)
    correctPitch(false, at: now)
    ask(.setFlag(.pause, true), for: .nothing, at: now)
    sendSpeed(at: now)
    ask(.load(url: url, startingAt: position), for: .opening, at: now)
    return takeOutputs(at: now)
  }

  /// See ``Player/unload()``.
  mutating func unload(at now: HostTime) -> [Output] {
    close()
    ask(.stop, for: .nothing, at: now)
    return takeOutputs(at: now)
  }

  /// See ``Player/perform(_:)``.
  mutating func perform(_ command: PlayerCommand, at now: HostTime) -> [Output] {
    guard case .open = stage else { return [] }
    switch command {
    case .play(let rate):
      set(rate: rate, at: now)
      set(paused: false, at: now)
    case .pause: set(paused: true, at: now)
    case .seek(let position):
      if let seek, now - seek.at < Self.seekTimeout {
        nextSeek = position
      } else {
        begin(seekTo: position, at: now)
      }
    case .setRate(let rate): set(rate: rate, at: now)
    }
    return takeOutputs(at: now)
  }

  /// Polls the position if it is due, and ends a seek that mpv has ignored.
  mutating func advance(to now: HostTime) -> [Output] {
    if let seekLapses, seekLapses <= now { land(at: now) }
    if let due = nextPoll, due <= now {
      nextPoll = nil
      if isMoving {
        ask(.get(.soundPosition), for: .position, at: now)
      } else {
        ask(.get(.pause), for: .pauseState(wanted: isPaused), at: now)
      }
    }
    return takeOutputs(at: now)
  }

  /// Whether the position advances.
  var isMoving: Bool {
    guard case .open = stage else { return false }
    return !isPaused && !isStalled && !hasEnded && seek == nil && !isPersonSeeking
  }

  /// Whether mpv is about to pause itself: told to play at the end of an item, it pauses without a
  /// message.
  private var awaitsPause: Bool {
    guard case .open = stage else { return false }
    return hasEnded && !isPaused && seek == nil && !isPersonSeeking
  }

  func interval(at now: HostTime) -> Duration {
    PositionPolling.interval(movingFor: movesSince.map { now - $0 })
  }

  mutating func ask(_ command: MpvCommand, for question: Question, at now: HostTime) {
    lastID += 1
    asked.append(Asked(id: lastID, question: question, item: item, at: now))
    outputs.append(.send(id: lastID, command))
  }

  mutating func tell(_ event: PlayerEvent) {
    outputs.append(.tell(event))
  }

  /// Closes the item; pending answers about it are ignored.
  mutating func close() {
    item += 1
    stage = .empty
    (duration, isSeekable, hasSound) = (nil, true, false)
    (isStalled, hasEnded, hasToldEnd) = (false, false, false)
    (seek, nextSeek, isPersonSeeking, isRefreshing) = (nil, nil, false, false)
    (lastPosition, toldPositionAt, frameDelay) = (nil, nil, FrameDelay())
  }

  mutating func begin(seekTo position: MediaTime, at now: HostTime) {
    seek = OwnSeek(at: now)
    nextSeek = nil
    ask(.seek(to: max(frameDelay.target(toShow: position), .zero)), for: .seeking, at: now)
  }

  /// Returns everything to do since the last call, and schedules the next poll.
  mutating func takeOutputs(at now: HostTime) -> [Output] {
    if isMoving {
      if movesSince == nil { movesSince = now }
      let isAsking = asked.contains { $0.question == .position && $0.item == item }
      if hasSound, nextPoll == nil, !isAsking { nextPoll = now + interval(at: now) }
    } else {
      movesSince = nil
      nextPoll = awaitsPause ? nextPoll ?? now + interval(at: now) : nil
    }
    defer { outputs.removeAll() }
    return outputs
  }

  private mutating func set(rate: Double, at now: HostTime) {
    guard rate != self.rate else { return }
    self.rate = rate
    correctPitch(abs(rate - 1) > Self.largestTrim, at: now)
    sendSpeed(at: now)
  }

  private mutating func sendSpeed(at now: HostTime) {
    ask(.setNumber(.speed, rate), for: .nothing, at: now)
    speedID = lastID
  }

  /// Takes over a person's speed from the answer to request `id`.
  ///
  /// Ignores an answer that a later change of ours has overtaken.
  mutating func handle(personsSpeed speed: Double, asked id: Int64, at now: HostTime) {
    guard case .open = stage, id > speedID, !isOwn(speed: speed) else { return }
    let allowed = min(max(speed, Rate.slowest.factor), Rate.fastest.factor)
    rate = allowed
    correctPitch(abs(allowed - 1) > Self.largestTrim, at: now)
    if allowed != speed {
      sendSpeed(at: now)
      ask(.showText("A group plays at \(Self.speeds)"), for: .nothing, at: now)
    }
    tell(.rateChanged(allowed))
  }

  /// Whether this is the speed that mpv was last told; mpv reports six digits.
  func isOwn(speed: Double) -> Bool { abs(speed - rate) <= 0.000_01 }

  private static let speeds = "\(Rate.slowest.factor) to \(Rate.fastest.factor) times the speed"

  /// Corrects the pitch at speeds that a person chose, but not while drift control trims the speed,
  /// because nobody hears that.
  ///
  /// mpv inserts a filter when the speed leaves 1 and removes it when the speed returns. Each time
  /// the sound jumps by about 10 ms (measured), which is more than a trim corrects.
  private mutating func correctPitch(_ isWanted: Bool, at now: HostTime) {
    guard isWanted != correctsPitch else { return }
    correctsPitch = isWanted
    ask(.setFlag(.pitchCorrection, isWanted), for: .nothing, at: now)
  }

  private mutating func set(paused: Bool, at now: HostTime) {
    ask(.setFlag(.pause, paused), for: .nothing, at: now)
    ask(.get(.pause), for: .pauseState(wanted: paused), at: now)
  }

  /// Whether the URL is one that any player could play.
  ///
  /// Rejects mpv's own schemes, which can read its connection, generate media or start programs,
  /// and `-`, which is its standard input.
  static func isPlayable(_ url: String) -> Bool {
    guard !url.isEmpty, url != "-" else { return false }
    let bytes = Array(url.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return true }
    guard bytes.dropFirst(colon).starts(with: "://".utf8) else { return true }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    return ["http", "https", "file"].contains(scheme)
  }
}
