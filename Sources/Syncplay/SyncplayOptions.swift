/// What a server of Syncplay's is told when it starts; the names are the reference's.
package struct SyncplayOptions: Equatable, Sendable {
  /// MD5 of the server's password in lowercase hexadecimal, as clients send it; `nil`: everybody
  /// may come in.
  package var passwordHash: String?
  /// Whether each room has a key, which people type as the server's password; it opens that room
  /// alone.
  package var asksForKeys = false
  /// Whether clients that ask for encryption get it.
  package var offersTLS = false
  /// Whether people see only those in their own room.
  package var isolatesRooms = false
  /// With what the names of managed rooms are made; who has a name from another salt cannot steer.
  package var salt: String
  /// What newcomers are told, with `$version $userIp $username $room` and `$$`.
  package var messageOfTheDay = ""
  package var allowsReadiness = true
  package var allowsChat = true
  package var maximumChatLength = 150
  package var maximumUsernameLength = 16
  package var maximumRoomNameLength = 35
  package var maximumFileNameLength = 250
  /// Whether rooms with a playlist are kept when everybody has left.
  package var keepsRooms = false
  /// Rooms that are always there, and listed although nobody is in them.
  package var permanentRooms: [String] = []
  /// How long after the start clients' versions are counted first, hourly from then on; `nil`:
  /// never.
  package var firstCount: Duration?
  /// The version of the reference whose protocol this is: clients choose by it what they may do.
  package var version = "1.7.7"
  /// The name under which the server itself speaks, as of a rate that clients cannot play at.
  package var serverName = "Matinee"

  /// The reference's defaults.
  ///
  /// - Parameters:
  ///   - salt: ten random capitals, unless rooms are to outlive the process.
  ///   - password: what to let people in by, if not all.
  package init(salt: String, password: String? = nil) {
    self.salt = salt
    passwordHash = password.map { SyncplayHash.md5($0) }
  }
}
