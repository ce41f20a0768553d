package import EventLoops
import Players
import Vocabulary

/// Measures every mpv of a stage from outside, each over its own IPC socket.
///
/// Confined to its loop's thread.
package final class PlayheadRecorder {
  /// What was read of each peer's player so far.
  package private(set) var tracks: [String: PlayheadTrack] = [:]
  private let loop: EventLoop
  private var probes: [String: PlayheadProbe] = [:]

  /// A recorder that watches nobody yet.
  package init(on loop: EventLoop) { self.loop = loop }

  /// Begins to measure a peer's mpv; an earlier one's readings are kept.
  ///
  /// - Parameters:
  ///   - peer: whose player it is.
  ///   - socketPath: mpv's `--input-ipc-server`, which may appear later.
  ///   - patience: how much later.
  package func watch(
    _ peer: String, at socketPath: String, patience: Duration = .seconds(10)
  ) {
    probes[peer]?.close()
    probes[peer] = PlayheadProbe(
      socketPath: socketPath, patience: patience, on: loop
    ) { [unowned self] reading in
      // Known to some milliseconds only, where the sound is known to a tenth.
      guard reading.source != .frame else { return }
      tracks[peer, default: PlayheadTrack()].append(reading)
    }
  }

  /// Stops measuring; a second call does nothing.
  package func close() {
    for probe in probes.values { probe.close() }
    probes = [:]
  }
}

@available(*, unavailable)
extension PlayheadRecorder: Sendable {}
