import ClipTesting
import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

/// Uses a real mpv and real media; serialized, because the tests measure time.
@Suite(.serialized) struct MpvPlayerTests {
  private static let frame = Duration.milliseconds(40)

  /// Runs `body` with a player that has loaded the clip.
  private func play(
    _ url: String? = nil, startingAt position: MediaTime? = nil,
    _ body: (TestLoop, PlayerRecorder, MpvPlayer) throws -> Void
  ) throws {
    let url = try url ?? Clip.shared().withSound
    try TestLoop.run { test in
      let recorder = PlayerRecorder(test)
      let player = try MpvPlayer(on: test.loop, delegate: recorder)
      defer { player.close() }
      player.load(url, startingAt: position)
      try recorder.waitForLoaded()
      try body(test, recorder, player)
    }
  }

  @Test func `a loaded item tells its length and stands paused at its start`() throws {
    try play { test, recorder, player in
      #expect(
        recorder.words == [
          .loaded(
            duration: .seconds(20), rates: .slowest ... .fastest,
            measurementNoise: .microseconds(200))
        ])
      #expect(recorder.positions.map(\.position) == [.zero])
    }
  }

  @Test func `an item opens on the first frame from the wanted position`() throws {
    try play(startingAt: .seconds(5.013)) { test, recorder, player in
      #expect(recorder.positions.map(\.position) == [.seconds(5.04)])
      #expect(!recorder.words.contains(.seekFinished(at: .seconds(5.04))))
    }
  }

  @Test func `play and pause are echoed once, and positions run with time`() throws {
    // Reported in the first quarter of a second after the command; allows for a busy machine.
    let lags = .milliseconds(-60)...Duration.milliseconds(60)
    let figures = try measure(until: { abs($0.rate - 1) < 0.02 && lags.contains($0.lag) }) {
      () throws -> (rate: Double, lag: Duration) in
      var figures = (rate: Double.nan, lag: Duration.zero)
      try play { test, recorder, player in
        let asked = test.loop.now
        player.perform(.play(rate: 1))
        try recorder.wait { $0 == .unpaused }
        try recorder.wait(positions: 12)
        player.perform(.pause)
        try recorder.wait { $0 == .paused }
        try recorder.wait(positions: 1)
        #expect(recorder.words.dropFirst() == [.unpaused, .paused])
        let running = recorder.positions.dropFirst().dropLast()
        let first = try #require(running.first)
        figures = (slope(running), (first.at - asked) - (first.position - .zero))
        let last = try #require(recorder.positions.last)
        let believed = try #require(running.last)
        #expect(last.position >= believed.position)
      }
      return figures
    }
    #expect(abs(figures.rate - 1) < 0.02)
    #expect(lags.contains(figures.lag))
  }

  @Test func `quick changes are each echoed, although mpv merges them`() throws {
    try play { test, recorder, player in
      player.perform(.play(rate: 1))
      player.perform(.pause)
      player.perform(.play(rate: 1))
      player.perform(.pause)
      try test.run { recorder.words.count >= 5 }
      #expect(recorder.words.dropFirst() == [.unpaused, .paused, .unpaused, .paused])
    }
  }

  @Test func `seeks land on the frame of the target, as in a browser`() throws {
    try play { test, recorder, player in
      for target in [7.013, 3.2, 15.999, 9.003, 4.039] {
        player.perform(.seek(to: .seconds(target)))
        try recorder.waitForLanding()
        let landed = try #require(recorder.landings.last)
        // Half a millisecond is for the times of frames, which files round.
        let slack = Duration.microseconds(500)
        #expect((.zero - slack...Self.frame + slack).contains(.seconds(target) - landed))
      }
      player.perform(.play(rate: 1))
      try recorder.wait { $0 == .unpaused }
      let asked = test.loop.now
      player.perform(.seek(to: .seconds(10)))
      try recorder.waitForLanding()
      try recorder.wait(positions: 3)
      let last = try #require(recorder.positions.last)
      let played: Duration = last.position - .seconds(10)
      #expect(played >= .milliseconds(50) && played <= last.at - asked + Self.frame)
      #expect(!recorder.words.contains { if case .seeked = $0 { true } else { false } })
    }
  }

  @Test func `of seeks during a seek the newest wins`() throws {
    try play { test, recorder, player in
      for target in [3.0, 6, 9, 12] { player.perform(.seek(to: .seconds(target))) }
      try recorder.waitForLanding()
      player.perform(.seek(to: .seconds(4)))
      try recorder.waitForLanding()
      #expect(recorder.landings == [.seconds(12), .seconds(4)])
    }
  }

  @Test func `the rate is as told`() throws {
    let rates = try measure(until: { abs($0.played - 1.05) < 0.02 && abs($0.set - 0.95) < 0.02 }) {
      () throws -> (played: Double, set: Double) in
      var rates = (played: Double.nan, set: Double.nan)
      try play { test, recorder, player in
        player.perform(.play(rate: 1.05))
        try recorder.wait(positions: 12)
        rates.played = slope(recorder.positions.dropFirst(2))
        player.perform(.setRate(0.95))
        try recorder.wait(positions: 2)
        let start = recorder.positions.count
        try recorder.wait(positions: 8)
        rates.set = slope(recorder.positions[start...])
      }
      return rates
    }
    #expect(abs(rates.played - 1.05) < 0.02)
    #expect(abs(rates.set - 0.95) < 0.02)
  }

  @Test func `a person's pause and seek are told`() throws {
    try play { test, recorder, player in
      let person = try Person(at: player.socketPath, on: test)
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 1)
      try person.say(#"{"command":["set_property","pause",true]}"#)
      try recorder.wait { $0 == .paused }
      try recorder.wait(positions: 1)
      try person.say(#"{"command":["seek",8.01,"absolute+exact"]}"#)
      try recorder.waitForLanding()
      try person.say(#"{"command":["set_property","pause",false]}"#)
      try recorder.wait { $0 == .unpaused }
      #expect(
        recorder.words.dropFirst() == [
          .unpaused, .paused, .seeked(to: .seconds(8.01)), .seekFinished(at: .seconds(8.04)),
          .unpaused,
        ])
    }
  }

  @Test func `another sound track is no seek of a person`() throws {
    try play { test, recorder, player in
      let person = try Person(at: player.socketPath, on: test)
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 3)
      _ = try person.ask(
        #"{"command":["set_property","aid","no"],"request_id":1}"#, for: #""request_id":1"#)
      try recorder.wait(positions: 3)
      _ = try person.ask(
        #"{"command":["set_property","aid",1],"request_id":2}"#, for: #""request_id":2"#)
      try recorder.wait(positions: 3)
      #expect(recorder.words.dropFirst() == [.unpaused])
    }
  }

  @Test func `an item that runs out has ended and is paused, and again when played`() throws {
    try play { test, recorder, player in
      player.perform(.seek(to: .seconds(19.6)))
      try recorder.waitForLanding()
      player.perform(.play(rate: 1))
      try recorder.wait { $0 == .paused }
      player.perform(.play(rate: 1))
      try recorder.wait { $0 == .paused }
      #expect(
        recorder.words.dropFirst(2) == [
          .unpaused, .ended, .paused, .unpaused, .ended, .paused,
        ])
      player.perform(.seek(to: .seconds(4)))
      try recorder.waitForLanding()
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 3)
      #expect(recorder.positions.suffix(3).allSatisfy { $0.position > .seconds(4) })
    }
  }

  @Test func `paused at its end, it stays paused where a seek leads at once`() throws {
    try play { test, recorder, player in
      player.perform(.seek(to: .seconds(19.6)))
      try recorder.waitForLanding()
      player.perform(.play(rate: 1))
      try recorder.wait { $0 == .ended }
      player.perform(.pause)
      player.perform(.seek(to: .seconds(4)))
      try recorder.waitForLanding()
      let person = try Person(at: player.socketPath, on: test)
      _ = try person.ask(
        #"{"command":["get_property","pause"],"request_id":1}"#,
        for: #""data":true,"request_id":1"#)
      #expect(
        recorder.words.suffix(4) == [.unpaused, .ended, .paused, .seekFinished(at: .seconds(4))])
    }
  }

  @Test func `without sound the frames tell where it is`() throws {
    try play(Clip.shared().silent) { test, recorder, player in
      #expect(
        recorder.words == [
          .loaded(
            duration: .seconds(20), rates: .slowest ... .fastest, measurementNoise: .milliseconds(2)
          )
        ])
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 15)
      #expect(recorder.positions.count < 40)
    }
    let rate = try measure(until: { abs($0 - 1) < 0.05 }) { () throws -> Double in
      var rate = Double.nan
      try play(Clip.shared().silent) { test, recorder, player in
        player.perform(.play(rate: 1))
        try recorder.wait(positions: 15)
        rate = slope(recorder.positions.dropFirst(2))
      }
      return rate
    }
    #expect(abs(rate - 1) < 0.05)
  }

  @Test func `a person's other file stays open until the item is loaded again`() throws {
    try play { test, recorder, player in
      let person = try Person(at: player.socketPath, on: test)
      let other = try Clip.shared().silent
      try person.say(#"{"command":["loadfile","\#(other)"]}"#)
      try recorder.wait { if case .failed = $0 { true } else { false } }
      _ = try person.ask(
        #"{"command":["observe_property",1,"path"]}"#, for: #""data":"\#(other)""#)
      player.load(try Clip.shared().withSound, startingAt: .seconds(2))
      try recorder.waitForLoaded()
      #expect(recorder.positions.last?.position == .seconds(2))
    }
  }

  @Test func `what cannot be played fails, and the player stays`() throws {
    try play { test, recorder, player in
      for url in ["/no/such/file.mp4", "edl://!no_clip", "-", "memory://x"] {
        player.load(url, startingAt: nil)
        try recorder.wait { if case .failed = $0 { true } else { false } }
      }
      player.load(try Clip.shared().withSound, startingAt: .seconds(2))
      player.load(try Clip.shared().withSound, startingAt: .seconds(3))
      try recorder.waitForLoaded()
      #expect(recorder.positions.last?.position == .seconds(3))
      #expect(
        recorder.words.contains(
          .failed(reason: "mpv cannot play /no/such/file.mp4: loading failed")))
      player.unload()
      player.perform(.play(rate: 1))
      #expect(recorder.closeReasons.isEmpty)
    }
  }
}
