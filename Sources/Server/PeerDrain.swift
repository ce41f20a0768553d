import EventLoops
import Vocabulary

/// The departure of everybody from a server that is drained, a share at a time, so that not all come to
/// the other servers at once.
///
/// Confined to its loop's thread.
final class PeerDrain {
  private let peers: () -> [PeerID]
  private let sendBack: (PeerID) -> Void
  private let end: () -> Void
  /// How many shares are left.
  private var shares: Int
  private var timer: LoopTimer?

  /// How long one share comes after another.
  private static let pause = Duration.milliseconds(100)

  /// Begins; the first share is told a moment later, so that who asked for it is answered.
  ///
  /// - Parameters:
  ///   - time: how long it takes at most; they go at least one at a time, so that few are gone sooner.
  ///   - peers: those who are still there.
  ///   - sendBack: tells one to go.
  ///   - end: called once, when nobody is left or the time is over.
  init(
    within time: Duration, on loop: EventLoop, of peers: @escaping () -> [PeerID],
    _ sendBack: @escaping (PeerID) -> Void, then end: @escaping () -> Void
  ) {
    (self.peers, self.sendBack, self.end) = (peers, sendBack, end)
    shares = max(1, Int(time / Self.pause))
    timer = LoopTimer(on: loop) { [unowned self] in sendShare(on: loop) }
    timer?.fire(at: loop.now + Self.pause)
  }

  private func sendShare(on loop: EventLoop) {
    let peers = peers()
    guard !peers.isEmpty, shares > 0 else {
      close()
      return end()
    }
    for peer in peers.prefix((peers.count + shares - 1) / shares) { sendBack(peer) }
    shares -= 1
    timer?.fire(at: loop.now + Self.pause)
  }

  /// Ends it; a second call does nothing.
  func close() {
    timer?.close()
    timer = nil
  }
}

@available(*, unavailable)
extension PeerDrain: Sendable {}
