package import Vocabulary

/// Where a player was, as seen from outside.
package struct PlayheadReading: Equatable, Sendable {
  /// What the place was taken from.
  package enum Source: Equatable, Sendable {
    /// The sound, which runs on smoothly.
    case sound
    /// A new frame on the screen, at the moment it was told.
    case frame
    /// A frame that was still on the screen at the next question: the player stands there, and its
    /// sound has yet to begin.
    case stillFrame
  }

  /// Where it was.
  package let place: MediaTime
  /// When it was there: the middle between question and answer.
  package let at: HostTime
  /// The time from question to answer, zero for a frame; the moment is known to half of it.
  package let roundTrip: Duration
  /// What the place was taken from.
  package let source: Source
  /// The start of the frame on the screen, where it is known: two players that stand still show
  /// the same picture if it is the same.
  package let frame: MediaTime?

  /// A reading.
  package init(
    place: MediaTime, at: HostTime, roundTrip: Duration, source: Source, frame: MediaTime? = nil
  ) {
    self.place = place
    self.at = at
    self.roundTrip = roundTrip
    self.source = source
    self.frame = frame
  }
}
