/// How pushes travel.
package struct PushConnectionSettings: Equatable, Sendable {
  /// The longest that one attempt takes, with the connection: push services answer in less than a
  /// second, and ten are a bad mobile link's to the end of the world.
  package var deadline = Duration.seconds(10)
  /// How long a connection is kept that nothing goes by: Apple asks to keep them, and who connects
  /// for each evening's first pushes anew waits for TLS each time.
  package var idle = Duration.seconds(600)
  /// A file in PEM with the authorities to trust, for a push service of one's own; `nil` is the
  /// system's.
  package var authorities: String?
  /// Addresses that names stand for, in place of what the system's resolver says.
  package var addresses: [String: String] = [:]

  /// The usual settings.
  package init() {}
}
