import Vocabulary

/// The errors at which a player is corrected, scaled to how precisely it tells its position.
///
/// A player that tells it to 0.2 ms (mpv's `audio-pts`) is corrected from 2 ms at once, and from
/// 1 ms once a second of readings agrees, so that three of them stay within 3 ms of each other.
/// One that tells it by frames (noise 12 ms) is corrected from 40 ms: below that the reading, not
/// the player, is what moves.
package struct DriftBands: Equatable, Sendable {
  /// Errors up to here are never corrected.
  package let trim: Duration
  /// Errors beyond this are corrected as soon as a few readings show them.
  package let engage: Duration
  /// Errors beyond this are corrected by one seek.
  package let seek: Duration

  /// Rates can undo this much in under a minute; beyond it a jump disturbs less.
  static let seekWithRates = Duration.milliseconds(2500)
  /// Without rates a seek is all there is; it errs by tens of milliseconds itself.
  static let seekWithoutRates = Duration.milliseconds(200)

  /// Bands for a player whose readings have this standard deviation.
  package init(measurementNoise: Duration, canChangeRate: Bool) {
    let noise = measurementNoise.clamped(to: .zero ... .seconds(1))
    trim = max(.milliseconds(1), noise * 10 / 3)
    engage = max(.milliseconds(2), noise * 10 / 3)
    seek = max(canChangeRate ? Self.seekWithRates : Self.seekWithoutRates, noise * 10)
  }
}
