import Vocabulary

/// The errors from which a player is corrected, scaled to the precision of its position readings.
///
/// A player that reports its position to 0.2 ms (mpv's `audio-pts`) is corrected from 2 ms at once,
/// and from 1 ms if a second of readings agrees, so that three such players stay within 3 ms of
/// each other. A player that reports whole frames (noise 12 ms) is corrected from 40 ms, because
/// smaller errors are noise of the reading.
package struct DriftBands: Equatable, Sendable {
  /// Errors up to this are never corrected.
  package let trim: Duration
  /// Errors beyond this are corrected as soon as a few readings agree.
  package let engage: Duration
  /// Errors beyond this are corrected by one seek.
  package let seek: Duration

  /// Rate changes undo this much in under a minute; beyond it a seek disturbs less.
  static let seekWithRates = Duration.milliseconds(2500)
  /// A player that cannot change its rate can only seek, and a seek is off by tens of milliseconds.
  static let seekWithoutRates = Duration.milliseconds(200)

  /// Makes the bands of a player whose readings have this standard deviation.
  package init(measurementNoise: Duration, canChangeRate: Bool) {
    let noise = measurementNoise.clamped(to: .zero ... .seconds(1))
    trim = max(.milliseconds(1), noise * 10 / 3)
    engage = max(.milliseconds(2), noise * 10 / 3)
    seek = max(canChangeRate ? Self.seekWithRates : Self.seekWithoutRates, noise * 10)
  }
}
