import Vocabulary

/// What is wrong with the text of a ``GroupLink``.
///
/// It repeats nothing of the text, which holds a key, so it may be logged.
public enum GroupLinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has more bytes than ``GroupLink/longest``.
  case tooLong
  /// It does not begin as a link does.
  case scheme
  /// The server is neither a host name nor an address.
  case host
  /// The port is no number from 1 to 65535.
  case port
  /// The group is not written as a part of a URL.
  case group
  /// The group has more bytes than ``Limits/identifierBytes``.
  case groupTooLong
  /// The key is missing, or it is none.
  case key
  /// The fingerprint is none.
  case fingerprint
  /// There is a fingerprint, but no encryption that would check it.
  case unusedFingerprint

  /// What is wrong, in one sentence.
  public var message: String {
    switch self {
    case .tooLong: "the link has more than \(GroupLink.longest) bytes"
    case .scheme: "the link does not begin with matinee:// or matinee+plain://"
    case .host: "the link's server is no host name, no IPv4 address and no IPv6 address in brackets"
    case .port: "the link's port is no number from 1 to 65535"
    case .group: "the link's group is not one percent-encoded part in UTF-8"
    case .groupTooLong: "the link's group has more than \(Limits().identifierBytes) bytes"
    case .key: "the link has no key of 26 lower-case letters and digits behind a #"
    case .fingerprint: "the link's fingerprint is not SHA-256 in 43 letters of Base64URL"
    case .unusedFingerprint:
      "the link has a fingerprint, which only an encrypted connection can check"
    }
  }

  /// The message, and how a link looks.
  public var description: String {
    "\(message); a link looks like matinee://host:7878/group#key, and is best copied whole"
  }
}
