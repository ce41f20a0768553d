import Participation

/// What a person answered when asked whether to share.
public enum ShareChoice: Hashable, Sendable {
  /// With the group; remembered for activities of this type if so wished.
  case share(remembers: Bool)
  /// Alone; remembered for activities of this type if so wished.
  case onlyMe(remembers: Bool)
  /// Dismissed, timed out or pre-empted.
  case cancel

  var value: SharingChoice {
    switch self {
    case .share(let remembers): .share(remembers: remembers)
    case .onlyMe(let remembers): .onlyMe(remembers: remembers)
    case .cancel: .cancel
    }
  }
}
