package import Vocabulary
package import Wire

/// Where the scenes of the table of rights are played: the coordinator alone, or a running server.
///
/// Access is by keys. A device belongs to the person of the same name.
package protocol RightsStage {
  /// The key that opens groups.
  var foundingKey: String { get }

  /// Has a device say hello, with a credential of its own.
  mutating func greet(_ device: DeviceID) throws

  /// Has a device say hello with the administrator's key.
  mutating func administer(as device: DeviceID) throws

  /// Makes a request, and gives its answer; one that consists of another message counts as done.
  mutating func ask(_ device: DeviceID, _ request: Request) throws -> Result<Answer, ProtocolError>

  /// The latest key of a group that a device was told.
  func key(of group: GroupID, toldTo device: DeviceID) throws -> String

  /// How many messages a device has received.
  func receivedCount(of device: DeviceID) -> Int
}

/// A scene did not come about.
package struct NoScene: Error {
  package let what: String

  package init(_ what: String) { self.what = what }
}
