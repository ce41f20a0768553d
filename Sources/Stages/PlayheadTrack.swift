package import EventLoops
package import Players
package import Vocabulary

/// One player's positions over time, from readings taken from outside.
package struct PlayheadTrack: Equatable, Sendable {
  /// A player's state at an instant.
  package struct Point: Equatable, Sendable {
    package var position: MediaTime
    package var isRunning: Bool
  }

  /// The readings, in order of time.
  package private(set) var readings: [PlayheadReading] = []

  /// About three hours at twenty readings a second.
  private static let readingsMaximum = 200_000
  /// A reading is accurate to half its round trip: at worst 2.5 ms, on a quiet machine 0.1 ms.
  private static let usefulRoundTrip = Duration.milliseconds(5)
  /// Positions are not interpolated across a longer gap.
  private static let longestGap = Duration.milliseconds(400)
  /// The most that the readings of a paused player scatter.
  private static let stillness = Duration.microseconds(500)
  /// The largest rate difference, as a fraction, between neighbouring stretches of one run.
  ///
  /// It is above the 5 % of a rate correction.
  private static let sameRun = 0.06

  /// Creates a track without readings.
  package init() {}

  /// Appends a reading, unless its time is too uncertain.
  package mutating func append(_ reading: PlayheadReading) {
    guard reading.roundTrip <= Self.usefulRoundTrip, readings.count < Self.readingsMaximum,
      readings.last.map({ $0.at < reading.at }) ?? true
    else { return }
    readings.append(reading)
  }

  /// The player's state at an instant, interpolated between the readings before and after it.
  ///
  /// `nil` if the readings do not determine it: in a gap, or during a seek. If the player started
  /// or stopped between the two readings, its line is extended to the position where it stood.
  package func point(at time: HostTime) -> Point? {
    guard let after = firstReading(from: time), after > 0 else { return nil }
    let stretch = after - 1
    let (left, right) = (readings[stretch], readings[after])
    guard let rate = rate(of: stretch) else { return nil }
    if isStill(stretch) { return Point(position: left.position, isRunning: false) }
    let neighbours = [self.rate(of: stretch - 1), self.rate(of: stretch + 1)].compactMap { $0 }
    if neighbours.contains(where: { abs($0 - rate) <= Self.sameRun * abs(rate) }), rate > 0 {
      return Point(position: left.position + (time - left.at) * rate, isRunning: true)
    }
    return startOrStop(in: stretch, left, right, at: time)
  }

  /// Whether the player was paused or stalled at an instant.
  package func isStill(at time: HostTime) -> Bool { point(at: time)?.isRunning == false }

  /// The mean rates over all stretches of at least `length` between two instants.
  package func rates(from start: HostTime, to end: HostTime, over length: Duration) -> [Double] {
    guard var first = firstReading(from: start) else { return [] }
    var rates: [Double] = []
    for index in readings.indices[first...] where readings[index].at <= end {
      while readings[index].at - readings[first].at > length + Self.longestGap { first += 1 }
      let elapsed = readings[index].at - readings[first].at
      guard elapsed >= length else { continue }
      rates.append((readings[index].position - readings[first].position) / elapsed)
      first += 1
    }
    return rates
  }

  /// The frame on the screen, from the last reading before an instant.
  package func frame(at time: HostTime) -> MediaTime? {
    let end = firstReading(from: time) ?? readings.endIndex
    guard end > 0, time - readings[end - 1].at <= Self.longestGap else { return nil }
    return readings[end - 1].frame
  }

  private func startOrStop(
    in stretch: Int, _ left: PlayheadReading, _ right: PlayheadReading, at time: HostTime
  ) -> Point? {
    let elapsed = right.at - left.at
    let moved = right.position - left.position
    if let rate = rate(of: stretch + 1), rate > 0, isStill(stretch - 1),
      moved > .zero, moved <= elapsed * rate + Self.stillness
    {
      let position = right.position - (right.at - time) * rate
      return Point(position: max(position, left.position), isRunning: position > left.position)
    }
    if let rate = rate(of: stretch - 1), rate > 0, isStill(stretch + 1),
      moved > .zero, moved <= elapsed * rate + Self.stillness
    {
      let position = left.position + (time - left.at) * rate
      return Point(position: min(position, right.position), isRunning: position < right.position)
    }
    return nil
  }

  private func rate(of stretch: Int) -> Double? {
    guard stretch >= 0, stretch + 1 < readings.count else { return nil }
    let elapsed = readings[stretch + 1].at - readings[stretch].at
    guard elapsed <= Self.longestGap else { return nil }
    return (readings[stretch + 1].position - readings[stretch].position) / elapsed
  }

  private func isStill(_ stretch: Int) -> Bool {
    guard stretch >= 0, stretch + 1 < readings.count else { return false }
    let moved = readings[stretch + 1].position - readings[stretch].position
    return moved <= Self.stillness && moved >= .zero - Self.stillness
  }

  /// The index of the first reading at or after an instant.
  private func firstReading(from time: HostTime) -> Int? {
    var (low, high) = (0, readings.count)
    while low < high {
      let middle = (low + high) / 2
      if readings[middle].at < time { low = middle + 1 } else { high = middle }
    }
    return low < readings.count ? low : nil
  }
}

/// Measures every mpv of a stage from outside, each over its own IPC socket.
///
/// Confined to its loop's thread.
package final class PlayheadRecorder {
  /// Each peer's readings so far.
  package private(set) var tracks: [String: PlayheadTrack] = [:]
  private let loop: EventLoop
  private var probes: [String: PlayheadProbe] = [:]
  /// The peers whose present mpv has told a position.
  private var located: Set<String> = []

  /// Creates a recorder that watches no player.
  package init(on loop: EventLoop) { self.loop = loop }

  /// Starts measuring a peer's mpv; the readings of an earlier one are kept.
  ///
  /// - Parameters:
  ///   - peer: the player's owner.
  ///   - socketPath: mpv's `--input-ipc-server`, which may appear later.
  package func watch(_ peer: String, at socketPath: String) {
    probes[peer]?.close()
    located.remove(peer)
    probes[peer] = PlayheadProbe(socketPath: socketPath, on: loop) { [unowned self] reading in
      located.insert(peer)
      // Readings of frames are accurate to some milliseconds only; those of sound to 0.1 ms.
      guard reading.source != .frame else { return }
      tracks[peer, default: PlayheadTrack()].append(reading)
    }
  }

  /// Whether a peer's present mpv has told a position, however uncertain its time: a film is open.
  package func hasFilm(_ peer: String) -> Bool { located.contains(peer) }

  /// Stops measuring; a second call does nothing.
  package func close() {
    for probe in probes.values { probe.close() }
    probes = [:]
  }
}

@available(*, unavailable)
extension PlayheadRecorder: Sendable {}
