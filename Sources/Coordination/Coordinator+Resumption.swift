import GroupSessions
package import Vocabulary
package import Wire

// What peers of this process go on with after a restart: they have no connection, and keep nothing.

extension Coordinator {
  /// With what a device goes on, that nobody is connected as; `nil` if there is none.
  package func resumption(of device: DeviceID) -> Resumption? {
    guard let device = devices[device], device.peer == nil else { return nil }
    return Resumption(token: device.token.text, session: device.session)
  }

  /// The groups, by their names, whose live session a person began.
  package func groups(ofSessionsBegunBy user: UserID) -> [GroupID] {
    sessions.keys.compactMap { sessions[$0]?.session }
      .filter { $0.initiator.user == user }.map(\.group).sorted()
  }
}
