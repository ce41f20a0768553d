public import Vocabulary

/// Whether a device can take part in a group session now, and if not, why.
///
/// GroupActivities' `isEligibleForGroupSession`, with its reason.
public enum Eligibility: Hashable, Sendable {
  /// It can.
  case eligible
  /// It cannot, for this reason.
  case ineligible(Ineligibility)
}

/// Why a device cannot take part in a group session.
public enum Ineligibility: String, Hashable, Sendable, CaseIterable {
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

/// An activity that goes on in the group and that this device cannot take part in.
public struct ActivityNotice: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// What it is about.
  public let title: String
  /// Where a person can watch without taking part.
  public let fallbackURL: String?

  /// A notice.
  package init(session: SessionID, title: String, fallbackURL: String?) {
    self.session = session
    self.title = title
    self.fallbackURL = fallbackURL
  }
}

/// What a person wants done with activities of one type, without being asked again.
public enum SharingPreference: String, Hashable, Sendable, CaseIterable {
  /// Share them.
  case always
  /// Do them alone.
  case never
}

/// What a person answered when asked whether to share.
public enum ShareChoice: Hashable, Sendable {
  /// With the group; remembered for activities of this type if so wished.
  case share(remembers: Bool)
  /// Alone; remembered for activities of this type if so wished.
  case onlyMe(remembers: Bool)
  /// Dismissed, timed out or pre-empted.
  case cancel
}

/// Why an activity is done alone.
public enum DisabledReason: Hashable, Sendable, CustomStringConvertible {
  /// No session is possible now.
  case notEligible(Ineligibility)
  /// The person never shares activities of this type.
  case neverShares
  /// The person chose so just now.
  case onlyMe

  /// The reason's stable name.
  public var description: String {
    switch self {
    case .notEligible(let reason): reason.rawValue
    case .neverShares: "neverShares"
    case .onlyMe: "onlyMe"
    }
  }
}
