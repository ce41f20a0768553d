/// What came of accepting an invitation.
public enum InvitationAcceptance: Hashable, Sendable {
  /// This device takes part; its session comes from ``GroupWatchClient/sessions(of:)``.
  case joined
  /// This device cannot take part as it is; the first of the person's devices that can does so by
  /// itself, this one once it is in the group.
  case awaited
  /// The invitation had been accepted before, here or on another device.
  case alreadyAccepted
}
