package import Vocabulary

/// One line to a client other than a State; see ``SyncplayServerState``.
package enum SyncplayServerMessage: Equatable, Sendable {
  indirect case hello(SyncplayWelcome)
  indirect case set(SyncplayNews)
  indirect case list([SyncplayListedRoom])
  case chat(from: String, String)
  /// Whether TLS starts after this line.
  case tls(Bool)
  case error(String)
}

/// The answer to a Hello; clients of version 1.7 fail without its `features` and its `motd`.
package struct SyncplayWelcome: Equatable, Sendable {
  /// The name that the client was given, which may have underscores appended.
  package var username: String
  package var room: String
  /// The client's own version, returned.
  package var version: String
  package var messageOfTheDay: String
  package var options: SyncplayOptions

  /// A welcome.
  package init(
    username: String, room: String, version: String, messageOfTheDay: String,
    options: SyncplayOptions
  ) {
    self.username = username
    self.room = room
    self.version = version
    self.messageOfTheDay = messageOfTheDay
    self.options = options
  }
}

/// One change that a server's Set announces.
package enum SyncplayNews: Equatable, Sendable {
  /// Why the message about a user is sent.
  package enum UserEvent: Equatable, Sendable {
    case joined(version: String, SyncplayFeatures)
    case left
  }

  /// A user joined, left, moved (no event) or opened a file.
  case user(String, room: String, file: JSONText? = nil, event: UserEvent? = nil)
  /// `setBy` is another user who set the readiness.
  case ready(String, Bool?, isManual: Bool, setBy: String? = nil)
  /// `by` is `nil` in a fresh room only; a client that reconnects then restores its list.
  case playlist([String], by: String?)
  case playlistIndex(Int?, by: String?)
  case controllerAuth(user: String, room: String, isSuccess: Bool)
  case newControlledRoom(name: String, password: String)
  /// The client is in this room; the reference never says so, but its clients obey.
  case room(String)
}

/// A room in a List.
package struct SyncplayListedRoom: Equatable, Sendable {
  /// A user in a List.
  package struct User: Equatable, Sendable {
    package var name: String
    package var file: JSONText?
    package var isOperator: Bool
    package var isReady: Bool?
    /// `nil` for users of other clients than Syncplay's.
    package var features: SyncplayFeatures?

    /// A user.
    package init(
      name: String, file: JSONText?, isOperator: Bool, isReady: Bool?, features: SyncplayFeatures?
    ) {
      self.name = name
      self.file = file
      self.isOperator = isOperator
      self.isReady = isReady
      self.features = features
    }
  }

  package var name: String
  package var users: [User]

  /// A room.
  package init(name: String, users: [User]) {
    self.name = name
    self.users = users
  }
}

/// A room's position and pause state, as one client is told them.
package struct SyncplayServerState: Equatable, Sendable {
  /// In seconds.
  package var position: Double
  package var isPaused: Bool
  package var isSeek: Bool
  package var setBy: String?
  /// The server's time, which the client returns.
  package var stamp: Double
  /// The round trip that the server measured.
  package var roundTrip: Double
  /// The client's own stamp plus the time that the server held it.
  package var echoed: Double?
  package var serverIgnoring: Int?
  package var clientIgnoring: Int?

  /// A State.
  package init(
    position: Double, isPaused: Bool, isSeek: Bool = false, setBy: String?, stamp: Double,
    roundTrip: Double = 0, echoed: Double? = nil, serverIgnoring: Int? = nil,
    clientIgnoring: Int? = nil
  ) {
    self.position = position
    self.isPaused = isPaused
    self.isSeek = isSeek
    self.setBy = setBy
    self.stamp = stamp
    self.roundTrip = roundTrip
    self.echoed = echoed
    self.serverIgnoring = serverIgnoring
    self.clientIgnoring = clientIgnoring
  }
}
