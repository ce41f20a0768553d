/// A message type that names itself: GroupActivities' protocol of that name.
///
/// Messages travel with the name of their type, by default that of the Swift type with its module.
/// Apps that share a message but not a module, or that renamed a type, say the name themselves.
public protocol CustomMessageIdentifiable {
  /// What a message of this type is called on its way.
  static var messageIdentifier: String { get }
}
