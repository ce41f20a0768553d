import Participation
import Vocabulary

/// The conversation with one mpv as a value: what is wanted of it and what it says go in, what to
/// send it and what happened come out.
///
/// Own changes of pause are told when mpv has confirmed them, since it merges quick changes into
/// one message or none; any other change of it is told as it comes. Seeks of ours are told from a
/// person's by counting: each of ours begins once.
struct MpvDialogue: Equatable, Sendable {
  /// What is to be done.
  enum Output: Equatable, Sendable {
    /// Send mpv a command under that number.
    case send(id: Int64, MpvCommand)
    /// Tell the delegate.
    case tell(PlayerEvent)
  }

  /// What the answer to a command is wanted for.
  enum Question: Equatable, Sendable {
    case nothing
    case refusal
    case opening
    case duration
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
    /// The item it is about; answers about earlier ones are dropped.
    let item: Int
    let at: HostTime
  }

  /// How far the item is.
  enum Stage: Equatable, Sendable {
    case empty
    /// Wanted; mpv has given it that number in its playlist, or has yet to.
    case requested(entry: Int64?)
    case opening(entry: Int64)
    case open(entry: Int64)
  }

  struct OwnSeek: Equatable, Sendable {
    let at: HostTime
    var hasBegun = false
  }

  /// Where the player was, as last told.
  struct KnownPlace: Equatable, Sendable {
    let place: MediaTime
    let at: HostTime
  }

  /// The longest useful round trip: a position is known to half of it (measured: 0.1 to 0.4 ms).
  static let usefulRoundTrip = Duration.milliseconds(10)
  /// Drift control trims by at most five per cent: a seventh of a tone, slowly.
  private static let largestTrim = 0.055
  /// Sound tells its place within milliseconds of a start; a track that does not has no device.
  static let soundPatience = Duration.seconds(1)
  /// On a machine too busy for that, a poor position is better than none for longer than this.
  static let longestSilence = Duration.seconds(1)
  /// A seek that takes longer was lost; a further one is sent anyway.
  static let seekTimeout = Duration.seconds(9)
  /// A seek nearer than this was no person's: mpv's keys jump a second at least.
  static let shortestPersonsSeek = Duration.milliseconds(250)
  /// mpv's core may stand still while a stream on a slow network closes; longer, and it hangs.
  static let patience = Duration.seconds(30)
  /// What may be unanswered: far more than half a minute's polling.
  static let unansweredMaximum = 1_024
  /// What positions by sound scatter: measured 0.01 to 0.4 ms.
  static let soundNoise = Duration.microseconds(200)
  /// What positions by frames scatter as they arrive: measured 0.1 to 1.7 ms, seldom 10.
  static let frameNoise = Duration.milliseconds(2)

  var outputs: [Output] = []
  var asked: [Asked] = []
  private var lastID: Int64 = 0
  var item = 0
  var stage = Stage.empty
  var url = ""
  var duration: Duration?
  var hasSound = false
  var watchesFrames = false
  var frameDelay = FrameDelay()
  var isPaused = true
  var rate = 1.0
  private var correctsPitch = false
  /// The number under which mpv was told its speed last.
  private var speedID: Int64 = 0
  var isStalled = false
  var hasEnded = false
  /// Whether the end was told since it ran last.
  var hasToldEnd = false
  var seek: OwnSeek?
  var nextSeek: MediaTime?
  var isPersonSeeking = false
  /// Whether the seek under way is mpv's own, back to where it was.
  var isRefreshing = false
  /// Whether the player ran until the last seek that was not ours.
  var movedUntilSeek = false
  var lastPlace: KnownPlace?
  var movesSince: HostTime?
  var nextPoll: HostTime?
  var toldPositionAt: HostTime?

  /// When ``advance(to:)`` has something to do; `nil` while only mpv can move it.
  var nextDeadline: HostTime? {
    [nextPoll, asked.first.map { $0.at + Self.patience }].compactMap { $0 }.min()
  }

  /// Whether mpv answers no more.
  func isHung(at now: HostTime) -> Bool {
    guard let oldest = asked.first else { return false }
    return now - oldest.at >= Self.patience || asked.count > Self.unansweredMaximum
  }

  /// Asks for what is to be known whatever plays.
  mutating func begin(at now: HostTime) -> [Output] {
    // In this order, so that an end is told before the pause it makes.
    for property in [MpvProperty.endReached, .pause, .speed, .pausedForCache] {
      ask(.observe(property), for: .nothing, at: now)
    }
    return takeOutputs(at: now)
  }

  /// See ``Player/load(_:startingAt:)``.
  mutating func load(_ url: String, startingAt place: MediaTime?, at now: HostTime) -> [Output] {
    close()
    self.url = url
    guard Self.isPlayable(url) else {
      // Told with the answer: never from within the call.
      ask(.stop, for: .refusal, at: now)
      return takeOutputs(at: now)
    }
    stage = .requested(entry: nil)
    (isPaused, rate) = (true, 1)
    correctPitch(false, at: now)
    ask(.setFlag(.pause, true), for: .nothing, at: now)
    sendSpeed(at: now)
    ask(.load(url: url, startingAt: place), for: .opening, at: now)
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
    case .seek(let place):
      if let seek, now - seek.at < Self.seekTimeout {
        nextSeek = place
      } else {
        begin(seekTo: place, at: now)
      }
    case .setRate(let rate): set(rate: rate, at: now)
    }
    return takeOutputs(at: now)
  }

  /// Polls if it is time to.
  mutating func advance(to now: HostTime) -> [Output] {
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

  /// Whether the place of the player runs on.
  var isMoving: Bool {
    guard case .open = stage else { return false }
    return !isPaused && !isStalled && !hasEnded && seek == nil && !isPersonSeeking
  }

  /// Whether mpv is about to pause itself; told to play at an end, it does so without a word.
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

  /// Forgets the item, and all answers that are still to come about it.
  mutating func close() {
    item += 1
    stage = .empty
    (duration, hasSound, isStalled, hasEnded, hasToldEnd) = (nil, false, false, false, false)
    (seek, nextSeek, isPersonSeeking, isRefreshing) = (nil, nil, false, false)
    (lastPlace, toldPositionAt, frameDelay) = (nil, nil, FrameDelay())
  }

  mutating func begin(seekTo place: MediaTime, at now: HostTime) {
    seek = OwnSeek(at: now)
    nextSeek = nil
    ask(.seek(to: max(place, .zero)), for: .seeking, at: now)
  }

  /// Everything to be done since the last call, with the polling set to how things are now.
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

  /// Takes a person's speed over, for which mpv was asked under that number.
  ///
  /// It had told of a speed that is not ours; what comes of an own change on its way is no person's.
  mutating func hear(personsSpeed speed: Double, asked id: Int64, at now: HostTime) {
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

  /// Whether a speed is the one that mpv was told last; it tells six digits.
  func isOwn(speed: Double) -> Bool { abs(speed - rate) <= 0.000_01 }

  private static let speeds = "\(Rate.slowest.factor) to \(Rate.fastest.factor) times the speed"

  /// Keeps the pitch at speeds that a person chose, not at trims, which nobody hears.
  ///
  /// Pitch correction is a filter that mpv puts in when the speed leaves 1 and takes out when it is
  /// back; each time the sound jumps by some 10 ms (measured), more than a trim is for.
  private mutating func correctPitch(_ isWanted: Bool, at now: HostTime) {
    guard isWanted != correctsPitch else { return }
    correctsPitch = isWanted
    ask(.setFlag(.pitchCorrection, isWanted), for: .nothing, at: now)
  }

  private mutating func set(paused: Bool, at now: HostTime) {
    ask(.setFlag(.pause, paused), for: .nothing, at: now)
    ask(.get(.pause), for: .pauseState(wanted: paused), at: now)
  }

  /// Only what any player could play: not mpv's own schemes, which read its connection, make up
  /// media, or start programs, nor `-`, which is its standard input.
  static func isPlayable(_ url: String) -> Bool {
    guard !url.isEmpty, url != "-" else { return false }
    let bytes = Array(url.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return true }
    guard bytes.dropFirst(colon).starts(with: "://".utf8) else { return true }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    return ["http", "https", "file"].contains(scheme)
  }
}
