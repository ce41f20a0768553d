import Participation
import Playback
import Testing
import Vocabulary

@Suite struct SimulatedPlayerTests {
  private func at(_ seconds: Double) -> HostTime {
    HostTime(microseconds: Int64(seconds * 1_000_000))
  }

  /// A player of these traits, loaded.
  private func player(_ change: (inout PlayerTraits) -> Void = { _ in }) -> SimulatedPlayer {
    var traits = PlayerTraits()
    traits.seekSpread = .zero
    change(&traits)
    var player = SimulatedPlayer(traits, seed: 1, at: at(0))
    _ = player.advance(to: at(1))
    return player
  }

  @Test func `it loads when its load time is over`() {
    var player = SimulatedPlayer(seed: 1, at: at(0))
    #expect(player.nextDeadline == at(0.12))
    #expect(player.advance(to: at(0.119)) == [])
    #expect(
      player.advance(to: at(0.12)) == [
        .loaded(
          duration: .seconds(3600), rates: .slowest ... .fastest,
          measurementNoise: .microseconds(100))
      ])
  }

  @Test func `a start costs what it costs, and the media runs at its rate`() {
    var player = player { $0.startCost = .milliseconds(80) }
    player.handle(.play(rate: 1.25), at: at(2))
    #expect(player.advance(to: at(2)) == [.unpaused])
    _ = player.advance(to: at(2.08))
    #expect(player.position(at: at(2.08)) == .zero)
    #expect(player.position(at: at(3.08)) == .seconds(1.25))
  }

  @Test func `a seek takes its time and lands on the first frame not before the target`() {
    var player = player()
    player.handle(.seek(to: .seconds(10.01)), at: at(2))
    #expect(player.nextDeadline == at(2.025))
    #expect(player.advance(to: at(2.025)) == [.seekFinished(at: .seconds(10.04))])
  }

  @Test func `a newer seek replaces one under way`() {
    var player = player()
    player.handle(.seek(to: .seconds(10)), at: at(2))
    player.handle(.seek(to: .seconds(20)), at: at(2.01))
    #expect(player.advance(to: at(3)) == [.seekFinished(at: .seconds(20))])
  }

  @Test func `a stall holds the media still and then lets it go on`() {
    var player = player { $0.startCost = .zero }
    player.handle(.play(rate: 1), at: at(2))
    _ = player.advance(to: at(3))
    player.stall(for: .seconds(2), at: at(3))
    #expect(player.advance(to: at(3)) == [.stalled])
    #expect(player.advance(to: at(5)) == [.recovered])
    #expect(player.position(at: at(6)) == .seconds(2))
  }

  @Test func `at the end it pauses and says so`() {
    var player = player { $0.duration = .seconds(3) }
    player.handle(.play(rate: 1), at: at(2))
    #expect(player.advance(to: at(6)) == [.unpaused, .ended, .paused])
    #expect(player.position(at: at(9)) == .seconds(3))
    #expect(player.nextDeadline == nil)
  }

  @Test func `its crystal and its rates err as told`() {
    var player = player {
      $0.clockError = 1000
      $0.rateError = 0.005
      $0.startCost = .zero
    }
    player.handle(.play(rate: 1), at: at(0))
    _ = player.advance(to: at(0))
    #expect((player.position(at: at(1)) - MediaTime.seconds(1.001)).magnitude <= .microseconds(1))
    player.handle(.setRate(1.05), at: at(1))
    let gained = player.position(at: at(2)) - MediaTime.seconds(1.001)
    #expect((gained - .seconds(1.05 * 1.005 * 1.001)).magnitude <= .microseconds(2))
  }

  @Test func `readings step by frames where asked, and blur alike from one seed`() {
    var first = player { $0.readsFrames = true }
    first.handle(.play(rate: 1), at: at(2))
    _ = first.advance(to: at(3))
    var second = first
    #expect(first.reading(at: at(3.5)) == second.reading(at: at(3.5)))
    #expect(first == second)
  }

  @Test func `readings are exact while it stands, and blur while it runs`() {
    var player = player { $0.noise = .milliseconds(1) }
    player.handle(.seek(to: .seconds(10)), at: at(2))
    _ = player.advance(to: at(3))
    for moment in [3.0, 3.5, 4] {
      #expect(player.reading(at: at(moment)) == .position(.seconds(10), at: at(moment)))
    }
    player.handle(.play(rate: 1), at: at(4))
    _ = player.advance(to: at(5))
    let blurred = [5.0, 5.5, 6].map { moment in
      player.reading(at: at(moment)) != .position(player.position(at: at(moment)), at: at(moment))
    }
    #expect(blurred == [true, true, true])
  }

  @Test func `commands take effect after their latency`() {
    var player = player { $0.commandLatency = .milliseconds(100) }
    player.handle(.play(rate: 1), at: at(2))
    #expect(player.advance(to: at(2.09)) == [])
    #expect(player.advance(to: at(2.1)) == [.unpaused])
  }
}
