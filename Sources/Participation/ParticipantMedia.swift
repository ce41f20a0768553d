import GroupSessions
import Playback
import Vocabulary

extension Client {
  /// The player's side of a client: what is open, and who keeps it with the group.
  struct Media: Equatable, Sendable {
    /// A suspension the follower asked for.
    struct OwnSuspension: Equatable, Sendable {
      let reason: SuspensionReason
      /// Its number, once the server gave one.
      var id: SuspensionID?
      /// Whether it is to end as soon as it has a number.
      var isOver = false
    }

    /// What a ready report answers; each is reported once.
    struct Answered: Equatable, Sendable {
      let item: ItemID
      let seq: Int
      let imposed: SuspensionID?
    }

    /// Often enough for a person who looks at who is where, a hundredth of the clock's cost.
    static let reportInterval = Duration.seconds(5)

    var follower: Follower
    /// What the player was last told to open.
    var wanted: MediaItem?
    /// Whether it is open.
    var isLoaded = false
    /// Whether the player said that it cannot play it.
    var isUnplayable = false
    var duration: Duration?
    /// What of live content the player can go to.
    var seekWindow: ToldSeekWindow?
    /// What the server was last told of that.
    var toldWindow: ToldSeekWindow?
    /// Whether the player runs out of data.
    var isStalled = false
    /// Whether a seek is under way.
    var isSeeking = false
    var isRunning = false
    /// The timeline the follower was last given.
    var followed: Timeline?
    var ownSuspension: OwnSuspension?
    /// Suspensions of the follower's that the server was asked to end.
    var endingSuspensions: Set<SuspensionID> = []
    /// The participant as which the server was told that the item is open.
    var transitioned: ParticipantID?
    /// Whether a person moved the player while the connection was away: it goes its own way.
    var isAstray = false
    var answered: Answered?
    /// Where the player last said it was.
    var place: MediaTime?
    /// When the next position report is due.
    var reportDue = HostTime(microseconds: 0)

    init(playerOffset: Duration) {
      follower = Follower(playerOffset: playerOffset)
    }

    /// Whether the follower asked for a suspension.
    func isOwn(_ suspension: Suspension) -> Bool {
      if endingSuspensions.contains(suspension.id) { return true }
      guard let ownSuspension else { return false }
      return ownSuspension.id.map { $0 == suspension.id }
        ?? (ownSuspension.reason == suspension.reason)
    }

    /// Whether the player could start at once.
    var isSettled: Bool { isLoaded && !isStalled && !isSeeking }
  }
}
