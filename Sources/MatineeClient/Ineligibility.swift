import GroupSessions

/// Why a device cannot take part in a group session.
public enum Ineligibility: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The device has no connection.
  case notConnected
  /// The device is in no group.
  case notInGroup
  /// Nobody else is connected.
  case alone
  /// The client does not understand group sessions.
  case clientTooOld
  /// The person switched sharing off.
  case sharingDisabled
  /// The group is closed.
  case groupClosed

  init(_ reason: GroupSessions.Ineligibility) {
    self =
      switch reason {
      case .notConnected: .notConnected
      case .notInGroup: .notInGroup
      case .alone: .alone
      case .clientTooOld: .clientTooOld
      case .sharingDisabled: .sharingDisabled
      case .groupClosed: .groupClosed
      }
  }

  /// The reason's stable name, as on the wire.
  public var description: String { rawValue }
}
