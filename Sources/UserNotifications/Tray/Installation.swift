package import Vocabulary

/// One device that a person's notifications go to.
///
/// They go over the device's own connection while it has one; without, to its push service if it
/// named one, and otherwise they wait.
package struct Installation: Identifiable, Equatable, Sendable {
  package let device: DeviceID
  package let mode: RegistrationMode
  /// Whether the app on it is one that its developers try out.
  package let isDevelopment: Bool
  /// Where it is reached without a connection; `nil` if nowhere.
  package let endpoint: PushEndpoint?
  /// When it was registered last; an older word that it is gone means nothing.
  package internal(set) var registered: Instant

  package var id: DeviceID { device }

  /// An installation.
  package init(
    device: DeviceID, mode: RegistrationMode = .center, isDevelopment: Bool = false,
    endpoint: PushEndpoint? = nil, registered: Instant
  ) {
    self.device = device
    self.mode = mode
    self.isDevelopment = isDevelopment
    self.endpoint = endpoint
    self.registered = registered
  }
}

/// Why a device is no place for notifications any more.
package enum InstallationEnd: String, Equatable, Sendable, CaseIterable {
  /// Its app said so, or it is another person's now.
  case unregistered
  /// Another device, or another person, registered with the same token.
  case takenOver
  /// The push service does not know it any more.
  case gone
  /// The person has as many as there is room for, and it was registered the longest ago.
  case displaced
}

/// What a person wants to be told of, on all their devices.
package enum Subscription: Hashable, Sendable {
  /// What anybody says to a topic.
  case topic(TopicID)
  /// What changes in a part of a session; over when the session is.
  case object(SessionObject)

  /// Whether it is about a session.
  func concerns(_ session: SessionID) -> Bool {
    if case .object(let object) = self { object.session == session } else { false }
  }
}
