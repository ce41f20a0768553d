/// Whether a device can take part in a group session now, and if not, why.
///
/// GroupActivities' `isEligibleForGroupSession`, with its reason.
package enum Eligibility: Hashable, Sendable {
  case eligible
  case ineligible(Ineligibility)
}

/// Why a device cannot take part in a group session.
package enum Ineligibility: String, Hashable, Sendable, CaseIterable {
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
}
