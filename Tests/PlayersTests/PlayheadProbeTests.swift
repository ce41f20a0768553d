import ClipTesting
import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

@Suite(.serialized) struct PlayheadProbeTests {
  @Test(arguments: [true, false])
  func `a probe from before the socket is there sees what the player sees`(
    hasSound: Bool
  ) throws {
    try TestLoop.run { test in
      let recorder = PlayerRecorder(test)
      let player = try MpvPlayer(on: test.loop, delegate: recorder)
      defer { player.close() }
      var readings: [PlayheadReading] = []
      let probe = PlayheadProbe(socketPath: player.socketPath, on: test.loop) {
        readings.append($0)
      }
      defer { probe.close() }
      let clip = try Clip.shared()
      player.load(hasSound ? clip.withSound : clip.silent, startingAt: nil)
      try recorder.waitForLoaded()
      player.perform(.play(rate: 1))
      try recorder.wait(positions: 4)
      let start = readings.count
      try test.run { readings.count > start + 12 }
      for reading in readings[start...] {
        #expect(reading.source == (hasSound ? .sound : .frame))
        // Compares with the position nearest in time, because mpv may stand still briefly on a busy
        // machine.
        let told = try #require(
          recorder.positions.min {
            max($0.at - reading.at, reading.at - $0.at)
              < max($1.at - reading.at, reading.at - $1.at)
          })
        let expected = told.place - (told.at - reading.at)
        #expect((reading.place - expected) < .milliseconds(30))
        #expect((expected - reading.place) < .milliseconds(30))
      }
    }
  }

  @Test func `a probe of nothing gives up, and one whose mpv quits ends`() throws {
    try TestLoop.run { test in
      var ends: [EndpointError?] = []
      let probe = PlayheadProbe(
        socketPath: "/nowhere/at/all", patience: .milliseconds(50), on: test.loop,
        onReading: { _ in }, onEnd: { ends.append($0) })
      try test.run { ends.count == 1 }
      #expect(ends[0]?.cause.code == .noSuchFile)
      probe.close()

      let recorder = PlayerRecorder(test)
      let player = try MpvPlayer(on: test.loop, delegate: recorder)
      player.load(try Clip.shared().withSound, startingAt: nil)
      try recorder.waitForLoaded()
      var hasRead = false
      let second = PlayheadProbe(
        socketPath: player.socketPath, on: test.loop, onReading: { _ in hasRead = true },
        onEnd: { ends.append($0) })
      defer { second.close() }
      try test.run { hasRead }
      player.close()
      try test.run { ends.count == 2 }
      #expect(ends[1] == nil)
    }
  }
}
