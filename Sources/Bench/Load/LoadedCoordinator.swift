import Coordination
import Vocabulary

/// A coordinator with no server around it and a journal that keeps everything, to which everything
/// happens in quick succession.
struct LoadedCoordinator {
  private var coordinator: Coordinator
  private var entropy = SplitMix64(seed: 1)
  /// When the next thing happens, but for some microseconds.
  private(set) var now: Instant

  init(at now: Instant) {
    var limits = Limits()
    limits.messagesPerSecond = 1_000_000
    limits.messageBurst = 1_000_000
    limits.peers = 1_000_000
    coordinator = Coordinator(limits: limits)
    self.now = now
  }

  /// Takes an input in, and keeps whatever is to be kept.
  mutating func take(_ input: Input) -> [Output] {
    now = now + .microseconds(10)
    coordinator.refill(with: (0..<coordinator.wantedEntropy).map { _ in entropy.next() })
    var outputs = coordinator.handle(input, at: now)
    var next = 0
    while next < outputs.count {
      if case .append(let append) = outputs[next] {
        outputs += coordinator.handle(.appended(append, .kept), at: now)
      }
      next += 1
    }
    return outputs
  }

  /// A connection's name, by its place among all.
  static func peer(_ place: Int) -> PeerID { PeerID(slot: UInt32(place), generation: 0) }
}
