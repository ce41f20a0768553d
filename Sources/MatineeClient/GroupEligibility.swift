import GroupSessions

/// Whether this device can take part in a group session now.
public enum GroupEligibility: Hashable, Sendable {
  /// It can.
  case eligible
  /// It cannot, for this reason.
  case ineligible(Ineligibility)

  init(_ eligibility: Eligibility) {
    switch eligibility {
    case .eligible: self = .eligible
    case .ineligible(let reason): self = .ineligible(Ineligibility(reason))
    }
  }
}
