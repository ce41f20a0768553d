import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

@Suite struct SimulatedPlayerShellTests {
  private func play(
    startingAt position: MediaTime? = nil,
    _ body: (TestLoop, PlayerRecorder, SimulatedPlayerShell) throws -> Void
  ) throws {
    try TestLoop.run { test in
      var traits = PlayerTraits()
      traits.loadTime = .milliseconds(5)
      traits.duration = .seconds(60)
      let recorder = PlayerRecorder(test)
      let player = SimulatedPlayerShell(traits, seed: 7, on: test.loop, delegate: recorder)
      defer { player.close() }
      player.perform(.play(rate: 1))
      player.load("anything", startingAt: position)
      try recorder.waitForLoaded()
      try body(test, recorder, player)
    }
  }

  @Test func `it opens at the wanted position, and tells no seek`() throws {
    try play(startingAt: .seconds(5.013)) { test, recorder, player in
      #expect(recorder.words.count == 1)
      #expect(recorder.positions.map(\.position) == [.seconds(5.04)])
    }
  }

  @Test func `it plays on the loop's time, and tells where it is`() throws {
    try play { test, recorder, player in
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 6)
      player.perform(.pause)
      #expect(recorder.words.count == 2)
      try recorder.wait { $0 == .paused }
      #expect(abs(slope(recorder.positions.dropFirst()) - 1) < 0.01)
      let position = try #require(player.position(at: test.loop.now))
      player.perform(.seek(to: position + .seconds(10)))
      try recorder.waitForLanding()
      player.press(.play)
      player.stall(for: .milliseconds(5))
      try recorder.wait { $0 == .recovered }
      #expect(recorder.words.dropFirst(4) == [.unpaused, .stalled, .recovered])
    }
  }

  @Test func `closed or without an item it is silent`() throws {
    try play { test, recorder, player in
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 1)
      player.unload()
      #expect(player.position(at: test.loop.now) == nil)
      player.close()
      player.close()
      player.load("x", startingAt: nil)
      player.perform(.pause)
      #expect(recorder.closeReasons.isEmpty)
    }
  }
}
