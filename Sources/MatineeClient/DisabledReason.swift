import GroupSessions
import Participation

/// Why an activity is done alone.
public enum DisabledReason: Hashable, Sendable, CustomStringConvertible {
  /// No session is possible now.
  case notEligible(Ineligibility)
  /// The person never shares activities of this type.
  case neverShares
  /// The person chose so just now.
  case onlyMe

  init(_ obstacle: SharingObstacle) {
    switch obstacle {
    case .notEligible(let reason): self = .notEligible(Ineligibility(reason))
    case .preference: self = .neverShares
    case .choice: self = .onlyMe
    }
  }

  /// The reason's stable name.
  public var description: String {
    switch self {
    case .notEligible(let reason): reason.description
    case .neverShares: "neverShares"
    case .onlyMe: "onlyMe"
    }
  }
}
