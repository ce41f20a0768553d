/// How much a notification may disturb; the raw values are those of `aps.interruption-level`.
public enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
  /// Listed, without light or sound.
  case passive
  /// Shown at once.
  case active
  /// Shown at once, also to those who want to hear only what cannot wait.
  case timeSensitive = "time-sensitive"
  /// Shown and heard whatever the device was told.
  case critical
}
