/// One thing that a client says; a line may hold several.
package enum SyncplayClientMessage: Equatable, Sendable {
  indirect case hello(SyncplayHello)
  /// Whether the server will speak TLS.
  case tlsInquiry
  case set(SyncplaySetting)
  /// Who is where; what stands beside it is ignored.
  case list
  case state(SyncplayClientState)
  case chat(String)
  case error(String)
}

/// What a line came to.
package enum SyncplayLine: Equatable, Sendable {
  /// A State and nothing else, as nearly all lines are: there are only numbers to copy.
  case state(SyncplayClientState)
  /// Messages in order, and what is to be said before hanging up, once they are carried out.
  case messages([SyncplayClientMessage], fault: SyncplayFault? = nil)
}

/// Who a client is and where it wants to go, as it says; nothing is checked yet.
package struct SyncplayHello: Equatable, Sendable {
  /// Stripped of white space; empty where it was missing.
  package var username: String
  /// Stripped of white space; empty where it was missing.
  package var room: String
  /// The true version where it was told, else the one for old servers; empty where neither was.
  package var version: String
  /// MD5 of the server's password, in hexadecimal.
  package var password: String?
  /// `nil` where it said nothing of them; then they follow from the version.
  package var features: SyncplayFeatures?

  /// A hello.
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

/// One thing that a client sets.
package enum SyncplaySetting: Equatable, Sendable {
  /// It goes to another room.
  case room(String)
  /// It opened a file, or closed the one it had.
  indirect case file(SyncplayFile?)
  /// It wants a managed room made, or to steer the one it is in.
  indirect case controllerAuth(room: String?, password: String)
  /// Whether it, or somebody else, is ready; `nil` is unknown.
  case ready(Bool?, isManual: Bool, user: String?)
  case playlist([String])
  case playlistIndex(Int?)
  case features(SyncplayFeatures)
}

/// A client's State: where it stands, and what it answers.
package struct SyncplayClientState: Equatable, Sendable {
  /// Where its player stands.
  package struct Place: Equatable, Sendable {
    /// In seconds; 0 where it was missing.
    package var position: Double
    /// `nil` is no change.
    package var isPaused: Bool?
    package var isSeek: Bool

    /// A place.
    package init(position: Double, isPaused: Bool?, isSeek: Bool = false) {
      self.position = position
      self.isPaused = isPaused
      self.isSeek = isSeek
    }

    /// A place as a client says it: none is further than thirty years into a film, so that times
    /// add up.
    init(bounding position: Double, isPaused: Bool?, isSeek: Bool) {
      let bounded = min(max(position, -Self.furthest), Self.furthest)
      self.init(position: bounded, isPaused: isPaused, isSeek: isSeek)
    }

    private static let furthest = 1e9
  }

  package var place: Place?
  /// The server's stamp that it answers, in the server's seconds.
  package var echoed: Double?
  /// Its own stamp, in its own seconds.
  package var stamp: Double?
  /// The round trip as it measured it, in seconds.
  package var roundTrip: Double
  /// Which of the server's changes it has seen.
  package var serverIgnoring: Int?
  /// Which of its own changes it wants acknowledged.
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
