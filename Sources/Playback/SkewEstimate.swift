import Vocabulary

/// How fast the server's clock gains on the client's, learned from the fastest samples of minutes.
///
/// Samples are grouped in blocks of twelve. A block's offset is half of the difference of its
/// smallest one-way times, which cancels symmetric changes of the route. The skew is the weighted
/// median of the slopes between all pairs of blocks (the Theil–Sen estimator, weighted by the time
/// between the blocks), which tolerates up to 29 % of outliers. Over a route of 150 ± 10 ms it is
/// within 15 ppm after seven minutes (simulated, 300 seeds).
struct SkewEstimate: Equatable, Sendable {
  /// The largest skew believed, in ppm: the kernel slews clocks by at most 500, crystals err by
  /// less.
  static let largest = 500.0
  /// The uncertainty until a skew is learned, in ppm: crystals err by tens, a slewed clock by more.
  static let initialUncertainty = 200.0
  /// The usual error of a clock, in ppm: the prior that a noisy slope is weighed against.
  private static let usual = 100.0
  /// Temperature changes a crystal by this much within the window (RFC 5905 uses 15 ppm).
  static let smallestUncertainty = 15.0
  private static let blockSize = 12
  /// Six minutes at a ping every two seconds; a longer window averages over temperature changes.
  private static let blockCount = 16

  private struct Extreme: Equatable, Sendable {
    var value: Duration
    var at: HostTime
  }

  private struct Block: Equatable, Sendable {
    var offset: Duration
    var at: HostTime
  }

  private var blocks: [Block] = []
  private var gathered = 0
  private var forward: Extreme?
  private var backward: Extreme?

  /// The server's gain on the client's clock; zero until there are three blocks.
  private(set) var partsPerMillion = 0.0
  /// The uncertainty of ``partsPerMillion``, in the same unit.
  private(set) var uncertainty = SkewEstimate.initialUncertainty

  mutating func add(_ sample: ClockSample) {
    if forward.map({ sample.forward < $0.value }) ?? true {
      forward = Extreme(value: sample.forward, at: sample.at)
    }
    if backward.map({ sample.backward < $0.value }) ?? true {
      backward = Extreme(value: sample.backward, at: sample.at)
    }
    gathered += 1
    if gathered >= Self.blockSize { closeBlock() }
  }

  /// Drops the offsets after a clock stepped, and keeps the skew, because the crystals are the
  /// same.
  mutating func forgetOffsets() {
    blocks.removeAll()
    forward = nil
    backward = nil
    gathered = 0
  }

  private mutating func closeBlock() {
    guard let forward, let backward else { return }
    // The two extremes were seen at different moments; their mean is the offset at the middle.
    blocks.append(
      Block(
        offset: (forward.value - backward.value) / 2,
        at: forward.at + (backward.at - forward.at) / 2))
    if blocks.count > Self.blockCount { blocks.removeFirst() }
    gathered = 0
    self.forward = nil
    self.backward = nil
    learn()
  }

  private mutating func learn() {
    guard blocks.count >= 3, let first = blocks.first, let last = blocks.last else { return }
    let baseline = (last.at - first.at).inSeconds
    guard baseline > 0, let slope = medianSlope() else { return }
    let residuals = blocks.map { block in
      (block.offset - first.offset).inSeconds - slope * (block.at - first.at).inSeconds
    }
    let spread = ((residuals.max() ?? 0) - (residuals.min() ?? 0)) * 1_000_000
    // A few blocks lie close to some line by chance, so the error is scaled up for them.
    let error = (1.5 + 3 / Double(blocks.count - 2)) * spread / baseline
    uncertainty = min(max(error, Self.smallestUncertainty), Self.initialUncertainty)
    // Shrink the slope towards zero, the prior, so that the first noisy slopes do no harm.
    let deviation = error / 3
    let trust = 1 / (1 + deviation * deviation / (Self.usual * Self.usual))
    partsPerMillion = min(max(slope * 1_000_000 * trust, -Self.largest), Self.largest)
  }

  /// The weighted median of all pairs' slopes, in seconds per second.
  private func medianSlope() -> Double? {
    var slopes: [(slope: Double, weight: Double)] = []
    for (index, earlier) in blocks.enumerated() {
      for later in blocks[(index + 1)...] where later.at > earlier.at {
        let seconds = (later.at - earlier.at).inSeconds
        slopes.append(((later.offset - earlier.offset).inSeconds / seconds, seconds))
      }
    }
    slopes.sort { $0.slope < $1.slope }
    let half = slopes.reduce(0) { $0 + $1.weight } / 2
    var weight = 0.0
    return slopes.first { pair in
      weight += pair.weight
      return weight >= half
    }?.slope
  }
}
