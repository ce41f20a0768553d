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
    let limit = Duration.milliseconds(30)
    let worst = try measure(until: { $0 < limit }) { () throws -> Duration in
      var worst = Duration.zero
      try TestLoop.run { worst = try distance(on: $0, hasSound: hasSound) }
      return worst
    }
    #expect(worst < limit)
  }

  /// The greatest distance between what a probe reads and what the player tells.
  private func distance(on test: TestLoop, hasSound: Bool) throws -> Duration {
    let recorder = PlayerRecorder(test)
    let player = try MpvPlayer(on: test.loop, delegate: recorder)
    defer { player.close() }
    var readings: [PlayheadReading] = []
    let probe = PlayheadProbe(
      socketPath: player.socketPath, patience: TestLoop.patience, on: test.loop
    ) { readings.append($0) }
    defer { probe.close() }
    let clip = try Clip.shared()
    player.load(hasSound ? clip.withSound : clip.silent, startingAt: nil)
    try recorder.waitForLoaded()
    player.perform(.play(rate: 1))
    try recorder.wait(positions: 4)
    let start = readings.count
    try test.run { readings.count > start + 12 }
    let distances = try readings[start...].map { reading in
      // Compares with the position nearest in time, because mpv may stand still briefly on a busy
      // machine.
      let told = try #require(
        recorder.positions.min {
          max($0.at - reading.at, reading.at - $0.at)
            < max($1.at - reading.at, reading.at - $1.at)
        })
      let expected = told.position - (told.at - reading.at)
      return max(reading.position - expected, expected - reading.position)
    }
    // A player that stands still shows its last frame.
    let wanted = hasSound ? PlayheadReading.Source.sound : .frame
    let isAsWanted = readings[start...].allSatisfy { $0.source == wanted }
    return isAsWanted ? distances.max() ?? .zero : .seconds(1)
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
