import EventLoops
import LoopTesting
import Participation
import Players
import Vocabulary

/// Remembers what a player told, and waits for more.
final class PlayerRecorder: PlayerDelegate {
  let test: TestLoop
  var events: [(event: PlayerEvent, at: HostTime)] = []
  var closeReasons: [PlayerCloseReason] = []

  init(_ test: TestLoop) {
    self.test = test
  }

  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    events.append((event, moment))
  }

  func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    closeReasons.append(reason)
  }

  /// All but the positions.
  var words: [PlayerEvent] {
    events.map(\.event).filter { if case .position = $0 { false } else { true } }
  }

  var positions: [(place: MediaTime, at: HostTime)] {
    events.compactMap {
      if case .position(let place, let moment) = $0.event { (place, moment) } else { nil }
    }
  }

  var landings: [MediaTime] {
    words.compactMap { if case .seekFinished(let place) = $0 { place } else { nil } }
  }

  /// Waits for an event that is like this, after those that came before the call.
  func wait(for isWanted: @escaping (PlayerEvent) -> Bool) throws {
    let start = events.count
    try test.run { self.events[start...].contains { isWanted($0.event) } }
  }

  func waitForLoaded() throws {
    try wait { if case .position = $0 { true } else { false } }
  }

  func waitForLanding() throws {
    try wait { if case .seekFinished = $0 { true } else { false } }
  }

  /// Waits for that many positions more.
  func wait(positions count: Int) throws {
    let start = positions.count
    try test.run { self.positions.count >= start + count }
  }
}

/// Media time gained per second of the process's time over some positions: the rate as seen.
func slope(_ positions: ArraySlice<(place: MediaTime, at: HostTime)>) -> Double {
  guard let first = positions.first, let last = positions.last, last.at > first.at else {
    return 0
  }
  return (last.place - first.place) / (last.at - first.at)
}
