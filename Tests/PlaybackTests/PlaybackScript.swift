import Playback
import Vocabulary

/// One thing that may happen to a session, drawn at random.
enum PlaybackStep {
  case command(PlaybackCommand, by: ParticipantID)
  case join(ParticipantID)
  case leave(ParticipantID)
  case lose(ParticipantID)
  case comeBack(ParticipantID)
  case policy(WaitingPolicy)
  case advance(from: ItemID, to: ItemID, isPlaying: Bool)
  case delay(Duration)
  /// Time passes and every deadline is kept.
  case pass(Duration)
  /// Time passes and playback is woken once, late.
  case oversleep(Duration)
  /// Time passes and nobody wakes playback before the next command.
  case sleep(Duration)
}

/// Draws steps that are likely enough to matter in the state a stage is in.
struct PlaybackScript {
  static let people: [ParticipantID] = [ann, ben, eve, sue, .init("tom")]
  static let items = [film, trailer, ItemID("short")]
  static let reasons: [SuspensionReason] = [.stallRecovery, .playingInterstitial, .init("knock")]
  static let policies: [WaitingPolicy] = [
    .keepGoing, .together,
    WaitingPolicy(
      reasons: [.playingInterstitial], maximumWait: .seconds(5), waitsForLateJoiners: true),
    WaitingPolicy(
      reasons: [.stallRecovery, .playingInterstitial],
      participantLimits: [.playingInterstitial: 3], pauseSnapsToMediaTimeOfOriginator: false),
  ]

  private(set) var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func policy() -> WaitingPolicy { random.pick(Self.policies) }

  mutating func next(_ stage: PlaybackStage) -> PlaybackStep {
    let id = random.pick(Self.people)
    switch random.next() % 40 {
    case 0: return .join(id)
    case 1: return .leave(id)
    case 2: return .lose(id)
    case 3, 4: return .comeBack(id)
    case 5: return random.chance(oneIn: 4) ? .policy(policy()) : .delay(time(0...1500))
    case 6:
      return .advance(
        from: random.pick(Self.items), to: random.pick(Self.items),
        isPlaying: random.chance(oneIn: 2))
    case 7...10: return .pass(time(0...300))
    case 11, 12: return .pass(time(0...70_000))
    case 13: return .oversleep(time(0...20_000))
    case 14, 15: return .sleep(time(0...3_000))
    default: return .command(command(of: id, stage), by: id)
    }
  }

  private mutating func command(of id: ParticipantID, _ stage: PlaybackStage) -> PlaybackCommand {
    let participant = stage.playback.participants[id]
    let isStrange = random.chance(oneIn: 12)
    guard let current = participant?.item, !random.chance(oneIn: 10) else { return transition() }
    let item = isStrange ? random.pick(Self.items) : current
    let seq = (stage.playback.timelines[item]?.seq ?? 0) - (isStrange ? 1 : 0)
    switch random.next() % 20 {
    case 0...2:
      return .play(
        item, rate: random.chance(oneIn: 4) ? rate() : nil,
        immediately: random.chance(oneIn: 5))
    case 3: return .pause(item, at: random.chance(oneIn: 2) ? place() : nil)
    case 4, 5: return .seek(item, to: place(), immediately: random.chance(oneIn: 3))
    case 6, 7: return .setRate(item, rate())
    case 8, 9: return .suspend(random.pick(Self.reasons))
    case 10...12:
      let number = participant?.suspensions.first?.id ?? 99
      return .endSuspension(number, proposing: random.chance(oneIn: 3) ? place() : nil)
    case 13: return .reportEnd(item, seq: seq)
    case 14: return transition()
    default: return .ready(item, seq: seq, duration: random.chance(oneIn: 9) ? length() : nil)
    }
  }

  /// Breaks that cover a third of the places that are drawn; sometimes none.
  private mutating func interstitials() -> Interstitials {
    let breaks = [(5.0, 15.0), (20, 21), (40, 55)].map { start, end in
      InterstitialRange(start: .seconds(start), end: .seconds(end))
    }
    guard random.chance(oneIn: 3) else { return Interstitials() }
    return Interstitials(Array(breaks.prefix(Int(random.next() % 4)))) ?? Interstitials()
  }

  private mutating func transition() -> PlaybackCommand {
    guard !random.chance(oneIn: 8) else { return .transition(to: nil) }
    let timing = ProposedTiming(
      mediaTime: place(), rate: random.chance(oneIn: 2) ? rate() : nil)
    return .transition(
      to: random.pick(Self.items), proposing: random.chance(oneIn: 2) ? timing : nil,
      duration: random.chance(oneIn: 3) ? length() : nil, interstitials: interstitials(),
      seekWindow: random.chance(oneIn: 4) ? seekWindow() : nil)
  }

  private mutating func seekWindow() -> SeekWindow? {
    SeekWindow(start: max(place(), .zero), end: place(), slides: random.chance(oneIn: 2))
  }

  private mutating func time(_ milliseconds: ClosedRange<Int>) -> Duration {
    .microseconds(Int64.random(in: 0...Int64(milliseconds.upperBound) * 1000, using: &random))
  }

  private mutating func place() -> MediaTime {
    MediaTime(microseconds: .random(in: -5_000_000...100_000_000, using: &random))
  }

  private mutating func length() -> Duration { .seconds(random.pick([30, 90])) }

  private mutating func rate() -> Rate {
    random.pick([.normal, Rate(1.25) ?? .normal, Rate(2) ?? .normal, .slowest])
  }
}
