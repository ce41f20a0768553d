import GroupSessions
public import Vocabulary

/// One device in a group.
public struct GroupMember: Hashable, Identifiable, Sendable {
  /// The device.
  public let device: DeviceID
  /// The person.
  public let user: UserID
  /// What others see.
  public let name: String
  /// Whether it keeps a session for others and watches nothing; see ``Participant/isKeeper``.
  public let isKeeper: Bool
  /// Whether the person lets this device share activities.
  public let isSharing: Bool
  /// Whether its connection stands; one that does not may come back.
  public let isConnected: Bool

  /// The device: a person may be in the group with several.
  public var id: DeviceID { device }

  init(_ member: Member, isConnected: Bool) {
    device = member.device
    user = member.user
    name = member.name
    isKeeper = member.isKeeper
    isSharing = member.isSharing
    self.isConnected = isConnected
  }
}
