import Vocabulary

/// What mpv's `time-pos` says about a player that runs.
///
/// mpv tells a frame as it hands it to the screen, when the frame before has just come up: one
/// frame early (measured: 40 ms at 25 frames a second, with and without sound).
struct FrameDelay: Equatable, Sendable {
  /// How long a frame is, where mpv tells.
  var length: Duration?
  /// The frame that was told last.
  private var last: MediaTime?

  /// A longer step is a gap or a jump, not a frame.
  private static let longestFrame = Duration.milliseconds(250)

  init() {}

  /// Takes the frames a second, as mpv knows them; `nil` where it does not.
  mutating func learn(framesPerSecond: Double?) {
    length = framesPerSecond.flatMap { $0 >= 1 ? .seconds(1 / $0) : nil }
  }

  /// Where the player is as it tells a frame: at the start of the one before.
  mutating func place(at frame: MediaTime) -> MediaTime {
    defer { last = frame }
    let step = length ?? last.map { frame - $0 } ?? .zero
    guard (.zero...Self.longestFrame).contains(step) else { return frame }
    return max(frame - step, .zero)
  }
}
