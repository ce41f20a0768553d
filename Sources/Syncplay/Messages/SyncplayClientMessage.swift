/// One message of a client; a line may hold several.
package enum SyncplayClientMessage: Equatable, Sendable {
  indirect case hello(SyncplayHello)
  /// Asks whether the server supports TLS.
  case tlsInquiry
  case set(SyncplaySetting)
  /// Asks for the list of users and rooms; the message's value is ignored.
  case list
  case state(SyncplayClientState)
  case chat(String)
  case error(String)
}

/// The result of decoding a line.
package enum SyncplayLine: Equatable, Sendable {
  /// A line that holds a State only; it has its own case because nearly all lines are States, which
  /// contain only numbers to copy.
  case state(SyncplayClientState)
  /// Messages in order, and the error to send before disconnecting once the messages are handled.
  case messages([SyncplayClientMessage], fault: SyncplayFault? = nil)
}

/// A client's user name, room and abilities, as it sent them; nothing is validated yet.
package struct SyncplayHello: Equatable, Sendable {
  /// Stripped of white space; empty if it was missing.
  package var username: String
  /// Stripped of white space; empty if it was missing.
  package var room: String
  /// The field `realversion`, or else `version`, which is meant for old servers; empty if both are
  /// missing.
  package var version: String
  /// The MD5 hash of the server's password, in hexadecimal.
  package var password: String?
  /// `nil` if the client sent none; then they are derived from the version.
  package var features: SyncplayFeatures?

  /// A Hello.
  package init(
    username: String, room: String, version: String, password: String? = nil,
    features: SyncplayFeatures? = nil
  ) {
    self.username = username
    self.room = room
    self.version = version
    self.password = password
    self.features = features
  }
}

/// One setting that a client changes.
package enum SyncplaySetting: Equatable, Sendable {
  /// The client moves to another room.
  case room(String)
  /// The client opened a file, or closed the one it had open.
  indirect case file(SyncplayFile?)
  /// The client requests a new managed room, or operator rights in its own room.
  indirect case controllerAuth(room: String?, password: String)
  /// Whether the client or another user is ready; `nil` is unknown.
  case ready(Bool?, isManual: Bool, user: String?)
  case playlist([String])
  case playlistIndex(Int?)
  case features(SyncplayFeatures)
}

/// A client's State: the state of its player, and its acknowledgements.
package struct SyncplayClientState: Equatable, Sendable {
  /// The state of the client's player.
  package struct Place: Equatable, Sendable {
    /// In seconds; 0 if it was missing.
    package var position: Double
    /// `nil` means no change.
    package var isPaused: Bool?
    package var isSeek: Bool

    /// A player's state.
    package init(position: Double, isPaused: Bool?, isSeek: Bool = false) {
      self.position = position
      self.isPaused = isPaused
      self.isSeek = isSeek
    }

    /// A player's state with the position limited to about thirty years in either direction, so
    /// that adding times does not overflow.
    init(bounding position: Double, isPaused: Bool?, isSeek: Bool) {
      let bounded = min(max(position, -Self.furthest), Self.furthest)
      self.init(position: bounded, isPaused: isPaused, isSeek: isSeek)
    }

    private static let furthest = 1e9
  }

  package var place: Place?
  /// The server's stamp that the client returns, in the server's seconds.
  package var echoed: Double?
  /// The client's own stamp, in its own seconds.
  package var stamp: Double?
  /// The round trip that the client measured, in seconds.
  package var roundTrip: Double
  /// The number of the server's change that the client acknowledges.
  package var serverIgnoring: Int?
  /// The number of the client's own change that the server has to acknowledge.
  package var clientIgnoring: Int?

  /// A State.
  package init(
    place: Place? = nil, echoed: Double? = nil, stamp: Double? = nil, roundTrip: Double = 0,
    serverIgnoring: Int? = nil, clientIgnoring: Int? = nil
  ) {
    self.place = place
    self.echoed = echoed
    self.stamp = stamp
    self.roundTrip = roundTrip
    self.serverIgnoring = serverIgnoring
    self.clientIgnoring = clientIgnoring
  }
}
