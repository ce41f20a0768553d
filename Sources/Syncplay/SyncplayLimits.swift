import Vocabulary

/// The bounds that Syncplay's protocol, its clients and this dialect have, each with its reason;
/// those that a server may set stand in ``SyncplayOptions``.
package enum SyncplayLimits {
  /// The longest line, without its ending: Twisted's, at which both ends of the reference hang up.
  package static let lineBytes = 16_384
  /// The items of a playlist, and the code points of all of them: the clients' own bounds.
  package static let playlistItems = 250
  package static let playlistCodePoints = 10_000
  /// The code points of a version: clients' have eight at most.
  package static let versionCodePoints = 32
  /// A message of the day with more than that is replaced by a word on it, as the reference does.
  package static let messageOfTheDayCodePoints = 10_000

  /// How often a client is told where its room stands.
  package static let statePeriod = Duration.seconds(1)
  /// How long a start may take until whoever pressed play is told that it is held up: others that
  /// have everything say so within a round trip, and a player that stops and starts is no sight.
  package static let startPatience = Duration.milliseconds(500)
  /// How long after a client has opened a file with a stopped player it is reported as ready.
  ///
  /// In a file's first second clients take what they were told for the state of their player, and
  /// a start is lost; then they take the stopped player for its user's pause. 0.1 s is margin.
  package static let fileSettling = Duration.milliseconds(1_100)
  /// Seconds of all clients end at multiples of this.
  ///
  /// Those of a thousand are then twenty wakings of the server a second. Each for itself a State
  /// costs it twice to thrice as much.
  package static let stateGrid = Duration.milliseconds(50)
  /// How long after its Hello a client first is.
  package static let firstState = Duration.milliseconds(100)
  /// Silence after which a client is dropped; it drops a server after the same.
  package static let silence = Duration.milliseconds(12_500)
  /// How long a room outlives its last client: what a lost device's place does, too.
  package static let roomGrace = Duration.seconds(30)
  /// Rooms that nobody is in, with their groups.
  ///
  /// More of them than people come back to, and a fifth of the groups that a server has by default.
  /// One client can leave a hundred rooms a second.
  package static let emptyRooms = 512
  /// How often clients' versions are counted: the reference's hour.
  package static let countPeriod = Duration.seconds(3_600)
  /// Periods between two reports to the coordinator on where a player is that runs, and how far: as
  /// often as native clients report.
  package static let periodsOfReport = 5
  /// Periods after which the coordinator hears in any case of a client of which nothing is new: a
  /// tenth of the silence after which it would be lost.
  package static let periodsOfPing = 60
  /// As many are told at once who comes, goes, opens a file or is ready; more hear of it with their
  /// next State, in one write: a thousand joins would be half a million else.
  package static let attentiveAudience = 50
  /// News that many are told in one piece: some fifteen kilobytes, half of what a connection keeps
  /// back for its next State.
  package static let bulletinEntries = 100
  /// What a List weighs of what a client may say in a second: it is as long as a server is full.
  package static let listWeight = 10
  /// What a client may want of a session that it is still joining; with a journal, that takes
  /// milliseconds.
  package static let waitingRequests = 16

  /// Guesses of passwords, operators' or the server's, that one address may make at once, and how
  /// long until there is one more: a person mistypes; 6.8·10⁸ passwords then take centuries.
  ///
  /// The first 64 bits of an IPv6 address count as one address, and making a managed room as a
  /// guess.
  package static let guesses = 5
  package static let guessInterval = Duration.seconds(10)
  /// Addresses of whom guesses are remembered; those that have all of them again soonest make room.
  package static let guessers = 1_024
}
