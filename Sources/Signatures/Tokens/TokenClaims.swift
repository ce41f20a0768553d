import Cryptography
package import Vocabulary

/// What a token says about the person who shows it, after it was verified.
package struct TokenClaims: Equatable, Sendable {
  /// The person (`sub`).
  package let user: UserID
  /// The name to show (`name`).
  package let name: String?
  /// The groups that the person may enter without the group's key (`groups`).
  package let groups: GroupGrants
  /// Whether the person is an administrator (`admin`).
  package let isAdministrator: Bool
  /// When the token expires (`exp`), without any leeway.
  package let expires: WallTime
  /// The key that signed the token; once the server has it no more, the token is void.
  package let key: TokenKeyFingerprint

  /// The identifier of the person's device among everybody's devices: the same for the same person
  /// and name, and different from every other person's.
  package func device(named name: DeviceID) -> DeviceID {
    let text = "\(user.text.utf8.count):\(user.text)\(name.text)"
    return DeviceID("d-" + Base64URL.text(of: Digest.sha256(of: Array(text.utf8)).bytes.prefix(16)))
  }
}

/// The groups that a token names: each by its name, or all whose names begin with a prefix.
package struct GroupGrants: Equatable, Sendable {
  /// Names, and prefixes that end in `*`; `*` alone means all groups.
  package let patterns: [String]

  /// Grants for these names and prefixes.
  package init(_ patterns: [String] = []) {
    self.patterns = patterns
  }

  /// Whether the person may enter a group.
  ///
  /// Texts are compared as the server compares groups, by characters: `cafe*` does not match
  /// `café`, in whichever of its two spellings.
  package func matches(_ group: GroupID) -> Bool {
    patterns.contains { pattern in
      pattern.last == "*" ? group.text.hasPrefix(pattern.dropLast()) : group.text == pattern
    }
  }
}

/// A time of day in whole seconds since 1970, by a clock that may step.
///
/// It is no `Instant`: the group's common time follows no wall clock within a boot, but tokens
/// are signed by other machines and live by the wall clock.
package struct WallTime: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  /// The time so many seconds after 1970.
  package init(seconds: Int64) {
    self.seconds = seconds
  }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.seconds < right.seconds }

  /// The time so many seconds later; an overflow is clamped to the end of representable time.
  package static func + (time: WallTime, seconds: Int64) -> WallTime {
    WallTime(seconds: time.seconds.addingClamped(seconds))
  }

  /// The time so many seconds earlier.
  package static func - (time: WallTime, seconds: Int64) -> WallTime {
    WallTime(seconds: time.seconds.subtractingClamped(seconds))
  }
}
