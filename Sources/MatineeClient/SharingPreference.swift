import Participation

/// What a person wants done with activities of one type, without being asked again.
public enum SharingPreference: String, Hashable, Sendable, CaseIterable {
  /// Share them.
  case always
  /// Do them alone.
  case never

  init(_ preference: Participation.SharingPreference) {
    switch preference {
    case .always: self = .always
    case .never: self = .never
    }
  }

  var value: Participation.SharingPreference {
    switch self {
    case .always: .always
    case .never: .never
    }
  }
}
