public import Vocabulary

/// Who a client is, as everyone in the group sees it.
///
/// An app that keeps its users' identifiers or names to itself gives others: an opaque text, such as
/// a digest with a secret of the app's, that is the same on all devices of the person, and a
/// nickname. Nothing else of a person reaches the others.
public struct Identity: Hashable, Sendable {
  /// The person, over all their devices.
  public var user: UserID
  /// This installation; it has one connection at a time.
  public var device: DeviceID
  /// What others see.
  public var name: String

  /// A person at a device.
  public init(user: UserID, device: DeviceID, name: String) {
    self.user = user
    self.device = device
    self.name = name
  }
}
