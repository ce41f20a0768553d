package import Syncplay

/// A script with a name, for whatever server it can be played on.
package struct SyncplayCase: Sendable, CustomStringConvertible {
  /// What it shows.
  package let name: String
  /// How the server has to be started.
  package let setting: Setting
  /// The script.
  package let text: String

  /// How a server is started; the salt is always ``salt``.
  package enum Setting: Sendable, CaseIterable {
    case plain
    case isolated
    case password
    case withoutReadiness
    case withoutChat

    /// How this house's server is started.
    package var options: SyncplayOptions {
      var options = SyncplayOptions(
        salt: salt, password: self == .password ? SyncplayCase.password : nil)
      options.isolatesRooms = self == .isolated
      options.allowsReadiness = self != .withoutReadiness
      options.allowsChat = self != .withoutChat
      return options
    }

    /// How the reference is.
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

  /// The salt of all scripts' servers.
  package static let salt = "testsalt12"
  /// The password where there is one.
  package static let password = "secret"

  init(_ name: String, on setting: Setting = .plain, _ text: String) {
    self.name = name
    self.setting = setting
    self.text = text
  }

  /// The name.
  package var description: String { name }

  /// Those whose rules are the protocol's as the reference has it.
  package static let ofReference: [SyncplayCase] =
    handshake + rooms + playlists + readiness + chat + states + managedRooms
  /// Those where the reference is known to be wrong.
  package static let better: [SyncplayCase] =
    betterHandshake + betterManagedRooms + betterStates
  /// All there are.
  package static let all: [SyncplayCase] = ofReference + better

  /// Of those whose rules are the reference's, what Syncplay 1.6.9 does otherwise, and how.
  package static let deviations169 = [
    "nobody chats before their hello": "it hangs up before its Error has left",
    "nobody is told who is here before their hello": "it tells who is here",
  ]
}
