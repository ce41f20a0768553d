import ClipTesting
import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

/// The speed of a real mpv: a person's keys, our trims, and pitch correction.
@Suite(.serialized) struct MpvSpeedTests {
  /// Runs `body` with a player that plays the clip at a rate, and a person at its keyboard.
  private func play(
    at rate: Double = 1,
    _ body: (PlayerRecorder, MpvPlayer, Person) throws -> Void
  ) throws {
    let clip = try Clip.shared().withSound
    try TestLoop.run { test in
      let recorder = PlayerRecorder(test)
      let player = try MpvPlayer(on: test.loop, delegate: recorder)
      defer { player.close() }
      player.load(clip, startingAt: nil)
      try recorder.waitForLoaded()
      let person = try Person(at: player.socketPath, on: test)
      player.perform(.play(rate: rate))
      try recorder.wait(positions: 2)
      try body(recorder, player, person)
    }
  }

  private func press(_ key: String, _ person: Person, _ recorder: PlayerRecorder) throws -> Double {
    try person.say(#"{"command":["keypress","\#(key)"]}"#)
    try recorder.wait { if case .rateChanged = $0 { true } else { false } }
    guard case .rateChanged(let factor) = recorder.words.last else { return .nan }
    return factor
  }

  private func property(_ name: String, _ id: Int, _ person: Person) throws -> String {
    try person.ask(
      #"{"command":["get_property","\#(name)"],"request_id":\#(id)}"#,
      for: #""request_id":\#(id),"#)
  }

  @Test func `a person's keys for the speed are told with the new speed`() throws {
    try play { recorder, player, person in
      #expect(abs(try press("]", person, recorder) - 1.1) < 0.0001)
      #expect(abs(try press("[", person, recorder) - 1) < 0.0001)
      #expect(abs(try press("{", person, recorder) - 0.5) < 0.0001)
      #expect(abs(try press("}", person, recorder) - 1) < 0.0001)
      #expect(abs(try press("}", person, recorder) - 2) < 0.0001)
      #expect(try press("BS", person, recorder) == 1)
      try recorder.wait(positions: 2)
      #expect(recorder.words.count { if case .rateChanged = $0 { true } else { false } } == 6)
    }
  }

  @Test func `trims of ours are told by nobody, however many there are`() throws {
    try play { recorder, player, person in
      for step in 1...20 {
        player.perform(.setRate(1 + Double(step) / 400))
        try recorder.wait(positions: step % 4 == 0 ? 1 : 0)
      }
      player.perform(.setRate(1))
      try recorder.wait(positions: 3)
      #expect(recorder.words.dropFirst() == [.unpaused])
      #expect(try property("speed", 1, person).contains(#""data":1.000000"#))
    }
  }

  @Test func `a person cannot leave what groups play at, and is told so on the screen`() throws {
    try play(at: 2.5) { recorder, player, person in
      #expect(try press("}", person, recorder) == 4)
      try recorder.wait(positions: 1)
      #expect(try property("speed", 1, person).contains(#""data":4.000000"#))
      player.perform(.setRate(0.4))
      try recorder.wait(positions: 1)
      #expect(try press("{", person, recorder) == 0.25)
    }
  }

  @Test func `the pitch is kept at speeds that people choose, and not touched by trims`() throws {
    try play { recorder, player, person in
      let isCorrected = #""data":true"#
      #expect(!(try property("audio-pitch-correction", 1, person).contains(isCorrected)))
      player.perform(.setRate(1.05))
      try recorder.wait(positions: 1)
      #expect(!(try property("audio-pitch-correction", 2, person).contains(isCorrected)))
      player.perform(.setRate(1.25))
      try recorder.wait(positions: 1)
      #expect(try property("audio-pitch-correction", 3, person).contains(isCorrected))
      player.perform(.setRate(0.98))
      try recorder.wait(positions: 1)
      #expect(!(try property("audio-pitch-correction", 4, person).contains(isCorrected)))
      _ = try press("]", person, recorder)
      try recorder.wait(positions: 1)
      #expect(try property("audio-pitch-correction", 5, person).contains(isCorrected))
    }
  }

  @Test func `a trim moves the player by offset times time`() throws {
    // Allows some milliseconds for a busy machine.
    let error = try measure(until: { abs($0) < 0.003 }) { () throws -> Double in
      var error = Double.nan
      try play { recorder, player, _ in
        func lead(over count: Int) throws -> Double {
          let start = recorder.positions.count
          try recorder.wait(positions: count)
          let leads = recorder.positions[start...].map {
            ($0.position - .zero) / .seconds(1) - ($0.at - HostTime(microseconds: 0)) / .seconds(1)
          }
          return leads.sorted()[leads.count / 2]
        }
        try recorder.wait(positions: 12)
        let before = try lead(over: 9)
        let begun = recorder.test.loop.now
        player.perform(.setRate(1.01))
        try recorder.wait(positions: 5)
        let elapsed = recorder.test.loop.now - begun
        player.perform(.setRate(1))
        try recorder.wait(positions: 3)
        error = try lead(over: 9) - before - 0.01 * (elapsed / .seconds(1))
      }
      return error
    }
    #expect(abs(error) < 0.003)
  }
}
