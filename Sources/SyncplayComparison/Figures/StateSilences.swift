import Vocabulary

/// How often a client heard no State for longer than any rule of the protocol has it wait.
///
/// A State is due every second. The reference says nothing to whoever has not acknowledged the last
/// change, until they give up after 12.5 s: such a client is stuck.
struct StateSilences: Equatable, Sendable {
  /// Those that are over.
  private(set) var count = 0
  private var last: HostTime?

  /// Two seconds, and what a busy machine is late.
  static let tolerance = Duration.milliseconds(2_200)

  /// A State came.
  mutating func noteState(at now: HostTime) {
    if isSilent(at: now) { count += 1 }
    last = now
  }

  /// Its connection is gone, or it is about to be: until the next State nothing is awaited.
  mutating func noteEnd(at now: HostTime) {
    if isSilent(at: now) { count += 1 }
    last = nil
  }

  /// Those until now, with one that goes on.
  func count(at now: HostTime) -> Int { count + (isSilent(at: now) ? 1 : 0) }

  private func isSilent(at now: HostTime) -> Bool {
    last.map { now - $0 > Self.tolerance } ?? false
  }
}
