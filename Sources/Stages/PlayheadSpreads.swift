package import Vocabulary

/// How far apart players are, at instant after instant: the foremost place less the hindmost, over
/// all of them, carried to that one instant (``PlayheadTrack/point(at:)``).
package struct PlayheadSpreads {
  private let tracks: [String: PlayheadTrack]

  /// The distance between two instants that are looked at.
  static let step = Duration.milliseconds(10)

  /// Of players by these names.
  package init(_ tracks: [String: PlayheadTrack]) { self.tracks = tracks }

  /// The spreads between two moments, in milliseconds; without the instants at which one of the
  /// players is not known, or none runs.
  package func all(of peers: [String], from begin: HostTime, to end: HostTime) -> [Double] {
    guard peers.count > 1 else { return [] }
    return Self.instants(from: begin, to: end).compactMap { spread(of: peers, at: $0) }
  }

  /// The spread at an instant, in milliseconds; `nil` while one of them is not known, or none runs.
  package func spread(of peers: [String], at time: HostTime) -> Double? {
    let points = peers.compactMap { tracks[$0]?.point(at: time) }
    guard points.count == peers.count, points.contains(where: \.isRunning) else { return nil }
    return Self.difference(points.map(\.place))
  }

  /// How far the frames are apart that were on the screens last before an instant, in milliseconds;
  /// `nil` unless there are several, and each is known.
  package func frameSpread(of peers: [String], at time: HostTime) -> Double? {
    let frames = peers.compactMap { tracks[$0]?.frame(at: time) }
    return frames.count < max(peers.count, 2) ? nil : Self.difference(frames)
  }

  /// The foremost less the hindmost, in milliseconds.
  package static func difference(_ places: [MediaTime]) -> Double {
    guard let low = places.min(), let high = places.max() else { return 0 }
    return (high - low).inMilliseconds
  }

  /// The instants that are looked at.
  package static func instants(from begin: HostTime, to end: HostTime) -> [HostTime] {
    guard begin < end else { return [] }
    let count = (end - begin).microseconds / step.microseconds
    return (0...count).map { begin + step * Int($0) }
  }

  /// The value that this share of all values, in per cent, does not exceed.
  package static func percentile(_ values: [Double], _ share: Int) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.sorted()[max((values.count * share + 99) / 100 - 1, 0)]
  }
}
