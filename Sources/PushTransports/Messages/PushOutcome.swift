package import Vocabulary

/// How one attempt ended, and so what is to be done now.
package enum PushOutcome: Equatable, Sendable {
  /// The push service has it; whether the device ever gets it nobody says.
  case delivered
  /// Again, with the next number of attempt, when that time has passed.
  case retry(after: Duration, because: PushTrouble)
  /// The installation is gone; forget it, unless it was registered again since that instant.
  case forget(since: Instant?)
  /// Never again: this push comes to nothing, but others to the same installation may.
  case refused(PushRefusal)
}
