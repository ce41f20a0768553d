package import Syncplay

/// A named script that can be played against any server.
package struct SyncplayCase: Sendable, CustomStringConvertible {
  /// What the script shows.
  package let name: String
  /// How to start the server.
  package let setting: Setting
  package let text: String

  /// The server's configuration; the salt is always ``salt``.
  package enum Setting: Sendable, CaseIterable {
    case plain
    case isolated
    case password
    case withoutReadiness
    case withoutChat

    /// The configuration for Matinee's server.
    package var options: SyncplayOptions {
      var options = SyncplayOptions(
        salt: salt, password: self == .password ? SyncplayCase.password : nil)
      options.isolatesRooms = self == .isolated
      options.allowsReadiness = self != .withoutReadiness
      options.allowsChat = self != .withoutChat
      return options
    }

    /// The configuration for the reference.
    package var arguments: [String] {
      let more =
        switch self {
        case .plain: [String]()
        case .isolated: ["--isolate-rooms"]
        case .password: ["--password", SyncplayCase.password]
        case .withoutReadiness: ["--disable-ready"]
        case .withoutChat: ["--disable-chat"]
        }
      return ["--salt", salt] + more
    }
  }

  /// The salt of all servers.
  package static let salt = "testsalt12"
  /// The password of servers that have one.
  package static let password = "secret"

  init(_ name: String, on setting: Setting = .plain, _ text: String) {
    self.name = name
    self.setting = setting
    self.text = text
  }

  package var description: String { name }

  /// The scripts on which Matinee and the reference agree.
  package static let ofReference: [SyncplayCase] =
    handshake + rooms + playlists + readiness + chat + states + managedRooms
  /// The scripts on which the reference is known to be wrong.
  package static let better: [SyncplayCase] =
    betterHandshake + betterManagedRooms + betterStates
  package static let all: [SyncplayCase] = ofReference + better

  /// The differences of Syncplay 1.6.9 from the reference, by script, with what it does.
  package static let deviations169 = [
    "nobody chats before their hello": "it hangs up before its Error has left",
    "nobody is told who is here before their hello": "it tells who is here",
  ]
}
