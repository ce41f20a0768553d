import EventLoops
import Vocabulary

/// What all transports do alike: the time, the policy, and the chance in it.
struct PushAttempts: Sendable {
  private let policy: RetryPolicy
  private let chance: Locked<SplitMix64>
  private let now: @Sendable () -> Instant

  init(policy: RetryPolicy, seed: UInt64, now: @escaping @Sendable () -> Instant) {
    self.policy = policy
    chance = Locked(SplitMix64(seed: seed))
    self.now = now
  }

  /// Makes an attempt, and judges how it ended.
  func attempt(
    _ message: PushMessage, _ make: (_ now: Instant) async -> PushVerdict
  ) async -> PushOutcome {
    let start = now()
    if let expires = message.expires, expires <= start { return .refused(.expired) }
    switch await make(start) {
    case .delivered: return .delivered
    case .forget(let since): return .forget(since: since)
    case .refused(let refusal): return .refused(refusal)
    case .staleToken(let status, let reason):
      return .refused(.credentials(status: status, reason: reason))
    case .trouble(let trouble, let asked):
      let end = now()
      return chance.withLock { chance in
        policy.outcome(of: trouble, asked: asked, for: message, at: end, using: &chance)
      }
    }
  }
}
