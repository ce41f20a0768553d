package import Vocabulary

/// A connected device of a person, as the coordinator sees it at this moment.
///
/// Presence is told with each command and never kept: it is over with the connection.
package struct DevicePresence: Equatable, Sendable {
  package var device: DeviceID
  /// Whether the person has the app in sight.
  package var isVisible: Bool
  /// When the person last did something on it; of several visible ones the latest is chosen.
  package var lastActive: Instant
  /// The app's identifier.
  package var app: String?
  /// The app's version, such as `1.10.2`.
  package var version: String?
  /// What it can do, such as `groupWatch`.
  package var capabilities: Set<String>

  /// A device.
  package init(
    _ device: DeviceID, isVisible: Bool = true, lastActive: Instant, app: String? = nil,
    version: String? = nil, capabilities: Set<String> = []
  ) {
    self.device = device
    self.isVisible = isVisible
    self.lastActive = lastActive
    self.app = app
    self.version = version
    self.capabilities = capabilities
  }
}
