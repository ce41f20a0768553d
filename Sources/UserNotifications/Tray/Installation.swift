package import Vocabulary

/// One device that a person's notifications go to.
///
/// They go over the device's connection while it has one, otherwise to its push service if it named
/// one; without either, they wait.
package struct Installation: Identifiable, Equatable, Sendable {
  package let device: DeviceID
  package let mode: RegistrationMode
  /// Whether the app on it is a development build.
  package let isDevelopment: Bool
  /// Its endpoint at a push service; `nil` if it has none.
  package let endpoint: PushEndpoint?
  /// When it last registered; an older report that it is gone is ignored.
  package internal(set) var registered: Instant

  package var id: DeviceID { device }

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

/// Why a device no longer gets notifications.
package enum InstallationEnd: String, Equatable, Sendable, CaseIterable {
  /// Its app unregistered it, or it now belongs to another person.
  case unregistered
  /// Another device, or another person, registered with the same token.
  case takenOver
  /// The push service no longer knows it.
  case gone
  /// The person had too many devices, and it was out of reach, or registered the longest ago.
  case displaced
}

/// A subscription of a person, for all their devices.
package enum Subscription: Hashable, Sendable {
  /// Messages to a topic.
  case topic(TopicID)
  /// Changes of an object; it ends with the object.
  case object(ServerObject)

  /// The object, if it is one to an object.
  package var object: ServerObject? {
    if case .object(let object) = self { object } else { nil }
  }
}
