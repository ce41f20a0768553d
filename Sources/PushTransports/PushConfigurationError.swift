/// What is wrong with what a transport was told at the start.
package enum PushConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The subject of Web Push is no `mailto:` and no `https:`.
  case subject(String)
  /// The name of a key or a team is not what Apple gives out.
  case appleID(String)
  /// The file with certificates to trust cannot be read, or has none.
  case certificates(path: String)

  /// What is wrong, and what to write.
  package var description: String {
    switch self {
    case .subject(let text):
      "`\(text)` is no subject; write mailto: and an address, or a URL with https:"
    case .appleID(let text):
      "`\(text)` is no id of a key or a team; copy its ten letters and digits from Apple's site"
    case .certificates(let path):
      "\(path): there are no certificates to read; name a file in PEM, or none for the system's"
    }
  }
}
