internal import Vocabulary

/// Shares a loop's time among the sources of its streams, so that none of them gets all of it.
///
/// What it takes to read a source's bytes and to handle them is measured, and taken from the source's
/// allowance. A source that has used it up is not read from until half of it is back: the kernel's
/// buffers fill up, and the other side has to wait. So a machine of any speed keeps the rest of its
/// time for all others, whatever the bytes ask for.
///
/// Confined to its loop's thread. It must be closed, because its timer keeps the loop running.
package final class LoopShares<Source: Hashable & Comparable & Sendable> {
  /// How often a source had used up its allowance.
  package private(set) var restCount = 0
  private let loop: EventLoop
  /// What is left of the allowances, in microseconds.
  private var allowances: RateLimit<Source>
  /// How much of an allowance has to be back before its source is read from again.
  private let half: Int
  private var accounts: [Source: ReadAccount] = [:]
  private var resting = Deadlines<Source>()
  private var timer: LoopTimer?

  /// Shares of which nothing is used.
  ///
  /// - Parameters:
  ///   - burst: how much of the loop's time a source may use at once.
  ///   - span: how long until all of it is back.
  ///   - sources: how many sources are remembered.
  package init(on loop: EventLoop, burst: Duration, refilledIn span: Duration, sources: Int) {
    self.loop = loop
    let most = Int(clamping: burst.microseconds)
    half = max(most / 2, 1)
    allowances = RateLimit(burst: most, refilledIn: span, sources: sources)
    timer = LoopTimer(on: loop) { [weak self] in self?.wakeDue() }
  }

  /// Lets a source pay for the time that it takes to read a stream, until the stream is closed.
  package func add(_ stream: ByteStream, from source: Source) {
    let account = accounts[source] ?? open(source)
    account.add(stream)
  }

  /// Lets a source pay for time that it took elsewhere.
  package func charge(_ time: Duration, to source: Source) {
    if accounts[source] != nil { note(time, of: source) }
  }

  /// Reads from all sources again, and lets nobody rest any more.
  package func close() {
    timer?.close()
    timer = nil
    for account in accounts.values { account.wake() }
  }

  private func open(_ source: Source) -> ReadAccount {
    let account = ReadAccount(
      onUse: { [weak self] time in self?.note(time, of: source) },
      onEmpty: { [weak self] in self?.accounts[source] = nil })
    accounts[source] = account
    return account
  }

  private func note(_ time: Duration, of source: Source) {
    let now = loop.now.instant
    allowances.note(source, cost: max(Int(clamping: time.microseconds), 1), at: now)
    guard timer != nil, allowances.wait(for: source, at: now) != nil else { return }
    if accounts[source]?.rest() == true { restCount += 1 }
    arm(source, at: now)
  }

  /// Arms the timer for when half of a source's allowance is back; false if it is.
  @discardableResult
  private func arm(_ source: Source, at now: Instant) -> Bool {
    guard let wait = allowances.wait(for: source, cost: half, at: now) else { return false }
    resting.arm(source, at: now + wait)
    timer?.fire(at: resting.earliest.map { HostTime(microseconds: $0.microseconds) })
    return true
  }

  private func wakeDue() {
    let now = loop.now.instant
    while let source = resting.popDue(at: now) {
      if !arm(source, at: now) { accounts[source]?.wake() }
    }
    timer?.fire(at: resting.earliest.map { HostTime(microseconds: $0.microseconds) })
  }
}

@available(*, unavailable)
extension LoopShares: Sendable {}

/// The streams of one source, which rest together.
///
/// A stream keeps it until it is closed, and it keeps its streams.
final class ReadAccount {
  private var streams: [ObjectIdentifier: ByteStream] = [:]
  private var isResting = false
  private let onUse: (Duration) -> Void
  private let onEmpty: () -> Void

  /// - Parameters:
  ///   - onUse: is told how much of the loop's time a stream took.
  ///   - onEmpty: is called when no stream is left that anything could be read from.
  init(onUse: @escaping (Duration) -> Void, onEmpty: @escaping () -> Void) {
    self.onUse = onUse
    self.onEmpty = onEmpty
  }

  func add(_ stream: ByteStream) {
    streams[ObjectIdentifier(stream)] = stream
    stream.read(atCostOf: self)
    if isResting { stream.rest() }
  }

  func remove(_ stream: ByteStream) {
    streams[ObjectIdentifier(stream)] = nil
    if streams.isEmpty, !isResting { onEmpty() }
  }

  func use(_ time: Duration) { onUse(time) }

  /// Reads from no stream until ``wake()``; false if it rests already.
  func rest() -> Bool {
    guard !isResting else { return false }
    isResting = true
    for stream in streams.values { stream.rest() }
    return true
  }

  func wake() {
    guard isResting else { return }
    isResting = false
    // In another order each time, because the allowance may not last for all.
    for stream in streams.values.shuffled() { stream.wake() }
    if streams.isEmpty { onEmpty() }
  }
}

@available(*, unavailable)
extension ReadAccount: Sendable {}

extension HostTime {
  fileprivate var instant: Instant { Instant(microseconds: microseconds) }
}
