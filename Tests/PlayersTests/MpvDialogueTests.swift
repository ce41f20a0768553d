import Participation
import Testing
import Vocabulary

@testable import Players

/// Cases that a real mpv cannot be made to produce: late, merged or missing answers.
@Suite struct MpvDialogueTests {
  /// A dialogue with an open item, and its unanswered commands.
  private struct Conversation {
    var dialogue = MpvDialogue()
    var now = HostTime(microseconds: 1_000_000)
    var told: [PlayerEvent] = []
    /// Commands that were sent and not answered yet.
    var open: [(id: Int64, command: MpvCommand)] = []

    mutating func take(_ outputs: [MpvDialogue.Output]) {
      for output in outputs {
        switch output {
        case .send(let id, let command): open.append((id, command))
        case .tell(let event): told.append(event)
        }
      }
    }

    mutating func perform(_ command: PlayerCommand) {
      take(dialogue.perform(command, at: now))
    }

    mutating func hear(_ message: MpvMessage) {
      take(dialogue.handle(message, at: now))
    }

    mutating func pass(_ duration: Duration) {
      now = now + duration
      take(dialogue.advance(to: now))
    }

    /// Answers all open commands, with the given values of properties.
    mutating func answer(
      _ values: [MpvProperty: Double] = [:], cache: MpvCache? = nil, seekable: Bool = true,
      paused: Bool = true, entry: Int64 = 1
    ) {
      let asked = open
      open = []
      for (id, command) in asked {
        switch command {
        case .load: hear(.reply(id: id, .done(.entry(entry))))
        case .get(.pause): hear(.reply(id: id, .done(.flag(paused))))
        case .get(.seekable): hear(.reply(id: id, .done(.flag(seekable))))
        case .get(.cache): hear(.reply(id: id, .done(cache.map { .cache($0) } ?? .none)))
        case .get(let property):
          let value = values[property].map { MpvReply.done(.number($0)) }
          hear(.reply(id: id, value ?? .refused("property unavailable")))
        default: hear(.reply(id: id, .done(.none)))
        }
      }
    }

    /// Opens an item and returns the duration that is told.
    @discardableResult
    mutating func load(
      entry: Int64 = 1, hasSound: Bool = true, cache: MpvCache? = nil, seekable: Bool = true
    ) -> Duration? {
      take(dialogue.load("a.mp4", startingAt: nil, at: now))
      answer(entry: entry)
      hear(.startedFile(entry: entry))
      hear(.playbackRestart)
      answer(
        hasSound ? [.duration: 10, .soundTrack: 1, .framePosition: 0] : [.framePosition: 0],
        cache: cache, seekable: seekable)
      answer()
      defer { told = [] }
      guard case .loaded(let duration, _, _)? = told.first else { return nil }
      return duration
    }
  }

  @Test func `a restart of the item before does not count as the opening of the next`() {
    var mpv = Conversation()
    mpv.load(entry: 1)
    mpv.take(mpv.dialogue.load("b.mp4", startingAt: nil, at: mpv.now))
    mpv.answer(entry: 2)
    mpv.hear(.playbackRestart)
    mpv.hear(.endedFile(entry: 1, .displaced))
    #expect(mpv.open.isEmpty)
    mpv.hear(.startedFile(entry: 2))
    mpv.hear(.playbackRestart)
    mpv.answer([.soundTrack: 1, .framePosition: 0])
    #expect(
      mpv.told == [
        .loaded(duration: nil, rates: .slowest ... .fastest, measurementNoise: .microseconds(200)),
        .position(.zero, at: mpv.now),
      ])
  }

  @Test func `answers about an item that is gone are dropped`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.play(rate: 1))
    mpv.perform(.seek(to: .seconds(3)))
    mpv.hear(.seek)
    mpv.hear(.playbackRestart)
    let late = mpv.open
    mpv.open = []
    mpv.take(mpv.dialogue.load("b.mp4", startingAt: nil, at: mpv.now))
    for (id, command) in late {
      let value = command == .get(.pause) ? MpvValue.flag(false) : .number(3)
      mpv.hear(.reply(id: id, .done(value)))
    }
    mpv.hear(.reply(id: 999, .done(.none)))
    #expect(mpv.told == [])
    #expect(mpv.dialogue.isPaused)
  }

  @Test func `an own change is told once, with or without mpv's own word of it`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.play(rate: 1))
    mpv.hear(.changed(.pause, .flag(false)))
    mpv.answer(paused: false)
    mpv.hear(.changed(.pause, .flag(false)))
    #expect(mpv.told == [.unpaused])
    mpv.hear(.changed(.pause, .flag(true)))
    #expect(mpv.told == [.unpaused, .paused])
  }

  @Test func `told to play at an end, it says what mpv does not`() {
    for isQuick in [true, false] {
      var mpv = Conversation()
      mpv.load()
      mpv.hear(.changed(.endReached, .flag(true)))
      #expect(mpv.told == [.ended])
      mpv.perform(.play(rate: 1))
      mpv.answer(paused: isQuick)
      mpv.pass(.milliseconds(100))
      mpv.answer(paused: true)
      #expect(mpv.told == [.ended, .unpaused, .ended, .paused])
      mpv.answer()
      #expect(mpv.dialogue.nextDeadline == nil)
    }
  }

  @Test func `a person's seek is told with its target, mpv's own is not`() {
    var mpv = Conversation()
    mpv.load()
    mpv.hear(.seek)
    mpv.answer([.framePosition: 5])
    mpv.hear(.playbackRestart)
    mpv.answer([.soundTrack: 1, .framePosition: 5.04])
    #expect(mpv.told == [.seeked(to: .seconds(5)), .seekFinished(at: .seconds(5.04))])
    mpv.told = []
    mpv.hear(.seek)
    mpv.answer([.framePosition: 5.04])
    mpv.hear(.playbackRestart)
    mpv.answer([.soundTrack: 1, .framePosition: 5.04])
    #expect(mpv.told == [.position(.seconds(5.04), at: mpv.now)])
  }

  @Test func `a seek that is refused ends where the player is`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.seek(to: .seconds(5)))
    mpv.hear(.reply(id: mpv.open.removeFirst().id, .refused("error running command")))
    mpv.answer([.framePosition: 1])
    #expect(mpv.told == [.seekFinished(at: .seconds(1))])
  }

  @Test func `a lost seek does not keep the next one back for ever`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.seek(to: .seconds(5)))
    mpv.answer()
    mpv.perform(.seek(to: .seconds(6)))
    #expect(mpv.open.isEmpty)
    mpv.pass(.seconds(9))
    mpv.perform(.seek(to: .seconds(7)))
    #expect(mpv.open.map(\.command) == [.seek(to: .seconds(7))])
  }

  @Test func `how much of a live stream mpv has read is not its length`() {
    let caches: [(MpvCache?, Duration?)] = [
      (MpvCache(end: 10, isWhole: false), nil), (MpvCache(end: 12, isWhole: false), nil),
      // A film, one that was read to its end, and one of which mpv says nothing.
      (MpvCache(end: 9.9, isWhole: false), .seconds(10)),
      (MpvCache(end: 10, isWhole: true), .seconds(10)),
      (MpvCache(end: nil, isWhole: false), .seconds(10)), (nil, .seconds(10)),
    ]
    for (cache, duration) in caches {
      var mpv = Conversation()
      #expect(mpv.load(cache: cache) == duration)
    }
  }

  @Test func `a seek that mpv ignores ends where the player is`() {
    var mpv = Conversation()
    mpv.load(seekable: false)
    mpv.perform(.seek(to: .seconds(500)))
    mpv.answer()
    #expect(mpv.dialogue.nextDeadline == mpv.now + .seconds(1))
    mpv.pass(.seconds(1))
    mpv.answer([.soundTrack: 1, .framePosition: 4])
    #expect(mpv.told == [.seekFinished(at: .seconds(4))])
    #expect(mpv.dialogue.nextDeadline == nil)
    // Within what it has read, it seeks.
    mpv.told = []
    mpv.perform(.seek(to: .seconds(2)))
    mpv.answer()
    mpv.hear(.seek)
    mpv.pass(.seconds(1))
    #expect(mpv.told == [])
    mpv.hear(.playbackRestart)
    mpv.answer([.soundTrack: 1, .framePosition: 2])
    #expect(mpv.told == [.seekFinished(at: .seconds(2))])
  }

  @Test func `a position from a long round trip is dropped, unless there is no better one`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.play(rate: 1))
    mpv.answer(paused: false)
    for (trip, expected) in [(1, 1), (40, 1), (40, 1), (1, 2), (40, 2), (1200, 3)] {
      mpv.pass(.milliseconds(200))
      #expect(mpv.open.map(\.command) == [.get(.soundPosition)])
      mpv.pass(.milliseconds(trip))
      mpv.answer([.soundPosition: 1])
      #expect(mpv.told.count == 1 + expected)
    }
  }

  @Test func `sound that has yet to begin is no reason to follow frames; a dead device is`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.play(rate: 1))
    mpv.answer(paused: false)
    mpv.pass(.milliseconds(100))
    mpv.answer()
    #expect(mpv.dialogue.hasSound)
    for _ in 0..<10 {
      mpv.pass(.milliseconds(200))
      mpv.answer()
    }
    #expect(!mpv.dialogue.hasSound)
    #expect(mpv.dialogue.watchesFrames)
  }

  @Test func `an own speed that is told late is nobody's wish`() {
    var mpv = Conversation()
    mpv.load()
    mpv.perform(.setRate(1.02))
    mpv.perform(.setRate(1))
    mpv.hear(.changed(.speed, .number(1.02)))
    mpv.answer([.speed: 1])
    mpv.hear(.changed(.speed, .number(1)))
    mpv.answer([.speed: 1])
    #expect(mpv.told.isEmpty)
  }

  @Test func `a speed of ours on its way overrules a person's`() {
    var mpv = Conversation()
    mpv.load()
    mpv.hear(.changed(.speed, .number(1.1)))
    mpv.perform(.setRate(1.5))
    mpv.answer([.speed: 1.1])
    #expect(mpv.told.isEmpty)
    mpv.hear(.changed(.speed, .number(1.1)))
    mpv.answer([.speed: 1.1])
    #expect(mpv.told == [.rateChanged(1.1)])
  }

  @Test func `frames are told as seen, one later than mpv tells them`() {
    var mpv = Conversation()
    mpv.load(hasSound: false)
    mpv.perform(.play(rate: 1))
    mpv.answer(paused: false)
    for frame in 1...3 {
      mpv.pass(.milliseconds(100))
      mpv.hear(.changed(.framePosition, .number(Double(frame) * 0.1)))
    }
    let positions = mpv.told.compactMap { event -> MediaTime? in
      if case .position(let position, _) = event { position } else { nil }
    }
    // Without a frame rate, the distance to the previous frame determines the position; the first
    // frame has none.
    #expect(positions == [.seconds(0.1), .seconds(0.1), .seconds(0.2)])
  }

  @Test func `an mpv that answers no more is hung`() {
    var mpv = Conversation()
    mpv.take(mpv.dialogue.begin(at: mpv.now))
    #expect(mpv.dialogue.nextDeadline == mpv.now + .seconds(30))
    #expect(!mpv.dialogue.isHung(at: mpv.now + .seconds(29)))
    #expect(mpv.dialogue.isHung(at: mpv.now + .seconds(30)))
    mpv.answer()
    #expect(mpv.dialogue.nextDeadline == nil)
  }

  @Test(arguments: [
    ("/a/b.mp4", true), ("a:b.mp4", true), ("http://a/b", true), ("HTTPS://a", true),
    ("file:///a", true), ("", false), ("-", false), ("fd://0", false), ("edl://x", false),
    ("ytdl://x", false), ("://x", false),
  ])
  func `mpv's own schemes are not opened`(url: String, isPlayable: Bool) {
    #expect(MpvDialogue.isPlayable(url) == isPlayable)
  }
}
