import Vocabulary

/// Whether a device is where a group or a session counts it.
///
/// Its initializers are given the device itself, and look at it where it lies in its table: a copy
/// would count a dozen references, for each of the fifty thousand devices of a large start.
enum Presence: Equatable, Sendable {
  /// It is, and connected.
  case here
  /// It is, without a connection.
  case away
  /// It is gone, or went elsewhere.
  case elsewhere

  init(of device: Device?, in group: GroupID) {
    guard device?.group == group else {
      self = .elsewhere
      return
    }
    self = device?.peer == nil ? .away : .here
  }

  init(of device: Device?, in group: GroupID, as participant: ParticipantID) {
    guard device?.participant == participant else {
      self = .elsewhere
      return
    }
    self.init(of: device, in: group)
  }
}
