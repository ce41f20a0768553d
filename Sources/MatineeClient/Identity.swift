public import Vocabulary

/// Who a client is.
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
