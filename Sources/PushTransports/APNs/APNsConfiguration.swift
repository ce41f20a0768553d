/// What APNs needs to know.
package struct APNsConfiguration: Sendable {
  /// The key of Apple's `.p8` file.
  package var key: SigningKey
  /// The key's name: ten letters and digits.
  package let keyID: String
  /// The developer team's name: ten letters and digits.
  package let teamID: String
  /// Where devices of the App Store are reached; without a slash at the end.
  package var production = "https://api.push.apple.com"
  /// Where devices for development are reached.
  package var sandbox = "https://api.sandbox.push.apple.com"
  /// How pushes travel.
  package var connections = PushConnectionSettings()
  /// When a push is tried again.
  package var retrying = RetryPolicy()

  /// The usual configuration.
  ///
  /// - Throws: ``PushConfigurationError/appleID(_:)`` if an id is none of Apple's.
  package init(key: SigningKey, keyID: String, teamID: String) throws(PushConfigurationError) {
    for id in [keyID, teamID] {
      guard id.utf8.count == 10, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { throw .appleID(id) }
    }
    self.key = key
    self.keyID = keyID
    self.teamID = teamID
  }
}
