package import Vocabulary

/// A window and when it was told; lies apart, since most items have none.
package indirect enum ToldSeekWindow: Equatable, Sendable {
  case told(SeekWindow, at: Instant)

  /// The window at an instant.
  package func window(at now: Instant) -> SeekWindow {
    switch self {
    case .told(let window, let told): window.moved(by: max(now - told, .zero))
    }
  }
}
