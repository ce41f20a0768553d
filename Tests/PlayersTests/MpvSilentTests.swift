import ClipTesting
import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

/// Compares a real mpv without sound with one with sound.
@Suite(.serialized) struct MpvSilentTests {
  /// How far a player is ahead of an ideal one that started at `start`, in milliseconds: the median
  /// of its readings.
  private func lead(_ recorder: PlayerRecorder, since start: HostTime) -> Double {
    let leads = recorder.positions.dropFirst(4).map {
      (($0.position - .zero) - ($0.at - start)) / .milliseconds(1)
    }
    return leads.sorted()[leads.count / 2]
  }

  @Test func `a player without sound tells the same position as one with sound`() throws {
    let clip = try Clip.shared()
    // In milliseconds. A frame takes 40 ms; on a busy machine, frames are reported within a few
    // milliseconds.
    let difference = try measure(until: { abs($0) < 12 }) { () throws -> Double in
      var difference = Double.nan
      try TestLoop.run { test in
        let recorders = [PlayerRecorder(test), PlayerRecorder(test)]
        let players = try recorders.map { try MpvPlayer(on: test.loop, delegate: $0) }
        defer { for player in players { player.close() } }
        players[0].load(clip.withSound, startingAt: nil)
        players[1].load(clip.silent, startingAt: nil)
        try test.run { recorders.allSatisfy { !$0.positions.isEmpty } }
        let start = test.loop.now
        for player in players { player.perform(.play(rate: 1)) }
        try test.run { recorders.allSatisfy { $0.positions.count >= 35 } }
        difference = lead(recorders[1], since: start) - lead(recorders[0], since: start)
      }
      return difference
    }
    #expect(abs(difference) < 12)
  }
}
