public import Vocabulary

/// Whether a device can take part in a group session now, and if not, why.
///
/// Like GroupActivities' `isEligibleForGroupSession`, plus the reason.
public enum Eligibility: Hashable, Sendable {
  /// It can.
  case eligible
  /// It cannot, for this reason.
  case ineligible(Ineligibility)
}

/// Why a device cannot take part in a group session.
public enum Ineligibility: String, Hashable, Sendable, CaseIterable {
  /// The device is not connected.
  case notConnected
  /// The device is not in a group.
  case notInGroup
  /// No other member is connected.
  case alone
  /// The client does not support group sessions.
  case clientTooOld
  /// The person turned sharing off.
  case sharingDisabled
  /// The group is closed.
  case groupClosed
}

/// A session in the group that this device cannot take part in.
public struct ActivityNotice: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// The title of the current content.
  public let title: String
  /// A link to the content for watching alone.
  public let fallbackURL: String?

  package init(session: SessionID, title: String, fallbackURL: String?) {
    self.session = session
    self.title = title
    self.fallbackURL = fallbackURL
  }
}

/// A person's remembered choice for activities of one type.
public enum SharingPreference: String, Hashable, Sendable, CaseIterable {
  /// Share them.
  case always
  /// Do them alone, without sharing.
  case never
}

/// A person's answer to the question whether to share an activity.
public enum ShareChoice: Hashable, Sendable {
  /// Share with the group; `remembers` keeps the choice for activities of this type.
  case share(remembers: Bool)
  /// Do it alone; `remembers` keeps the choice for activities of this type.
  case onlyMe(remembers: Bool)
  /// The question was dismissed, timed out or was replaced by another one.
  case cancel
}

/// Why an activity is done alone.
public enum DisabledReason: Hashable, Sendable, CustomStringConvertible {
  /// No group session is possible now.
  case notEligible(Ineligibility)
  /// The person never shares activities of this type.
  case neverShares
  /// The person chose so for this activity.
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
