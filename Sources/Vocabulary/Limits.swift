/// Every numeric bound of Matinee, each with its reason; `matinee serve` can set each.
///
/// What goes over a bound gets an error that says so, and nothing grows for ever.
public struct Limits: Equatable, Sendable {
  // MARK: Lines and rates

  /// The longest line of the protocol, in bytes: four times the largest payload of an activity,
  /// so that a message of a messenger fits with its envelope.
  public var lineBytes = 128 * 1024
  /// Messages one peer may send a second, sustained: a person's fastest scrubbing sends 30.
  public var messagesPerSecond = 100
  /// Messages one peer may send at once: a reconnecting client says all it has to say in a burst.
  public var messageBurst = 400
  /// Bytes that may wait for one peer: two snapshots of a session of five thousand, which take
  /// 0.7 to 2 MiB by the length of the names.
  public var outboundBytes = 4 * 1024 * 1024
  /// Bytes waiting for a peer beyond which droppable messages are not queued: what a second of the
  /// busiest session sends.
  public var droppableBytes = 256 * 1024

  // MARK: Peers and their deadlines

  /// Connections at once: half of a common descriptor limit of 20 000.
  public var peers = 10_000
  /// Time for a hello after connecting: a slow mobile link needs two, a port scanner waits for ever.
  public var helloDeadline = Duration.seconds(10)
  /// Silence after which a peer that promised to ping is lost: three missed pings of five seconds.
  public var heartbeatDeadline = Duration.seconds(15)
  /// Silence after which a peer without that promise is lost: a person with netcat may think.
  public var idleDeadline = Duration.seconds(600)
  /// How long a lost device keeps its places: a phone that changes from Wi-Fi to mobile needs ten.
  public var resumeGrace = Duration.seconds(30)
  /// How long a stop waits for outbound bytes to leave.
  public var drainDeadline = Duration.seconds(3)
  /// Answers kept per device, so that a request repeated after a cut is answered the same.
  public var rememberedAnswers = 256

  // MARK: Groups and sessions

  /// Groups at once: a quarter of the peers, since a group of one is no group.
  public var groups = 2_500
  /// Devices in one group: a cinema of five thousand was measured; beyond, use several groups.
  public var groupMembers = 5_000
  /// The size from which members of a group are eligible: one person cannot share with themselves.
  public var eligibleMembers = 2
  /// Participants of one session, as many as members of its group.
  public var participants = 5_000
  /// How long a session waits for its first participant before it ends.
  public var offerDeadline = Duration.seconds(60)
  /// Ended sessions remembered for their true reason: an hour of a busy server's endings.
  public var tombstones = 4_096
  /// Events kept per session for peers that resume: at ten a second, the grace and a half.
  public var retainedEvents = 512
  /// Bytes of events kept per session for peers that resume.
  public var retainedBytes = 512 * 1024
  /// Commands that may wait for one aggregate's journal, those in flight among them: a second of its
  /// busiest traffic.
  public var pendingCommands = 1_024
  /// Commands of one aggregate that are decided and kept in one go: as many as lie between two
  /// snapshots, and little to decide anew if somebody else's events came first.
  public var batchedCommands = 64
  /// Bytes of events that are kept in one go: what a disk writes in a millisecond.
  public var batchedBytes = 256 * 1024
  /// Events between two snapshots of an aggregate: a start reads half as many of each on average,
  /// and a snapshot costs as much to write as a few events.
  public var snapshotInterval = 64
  /// How long a group or session leaves a journal alone that could not be written.
  public var journalRetry = Duration.seconds(1)
  /// Groups in one status report: what fits on a few screens.
  public var statusGroups = 100
  /// Bytes of one status report: half of what may wait for a peer, so that asking never costs the
  /// connection; the largest sessions still fit.
  public var statusBytes = 2 * 1024 * 1024
  /// Devices a session remembers as banned or as having declined.
  public var rememberedDevices = 256
  /// Invitations of one session, whatever became of them: each stands in every snapshot, so many take
  /// 50 KiB; a larger audience than that comes by its group's offers.
  public var invitations = 512
  /// How long an invitation stands where whoever invites says nothing: an evening.
  public var invitationLifetime = Duration.seconds(4 * 3_600)
  /// The longest an invitation may stand: what goes on since yesterday is no invitation any more.
  public var longestInvitation = Duration.seconds(24 * 3_600)

  // MARK: Texts and payloads

  /// Bytes of an identifier that a peer chose.
  public var identifierBytes = 64
  /// Bytes of an item's identifier: by default it is the URL, and browsers stop at 2 KiB too.
  public var itemBytes = 2_048
  /// Bytes of a display name or a title.
  public var titleBytes = 256
  /// Bytes of an activity's payload: enough to find content, not to carry it.
  public var activityBytes = 32 * 1024
  /// Bytes of one message of a messenger: GroupActivities allows 256 KiB, phones' share of a line.
  public var messageBytes = 64 * 1024

  // MARK: Queue

  /// Entries in a session's queue: a season of a long series.
  public var queueEntries = 500

  // MARK: Playback

  /// The shortest lead of a common start: what a local network and a player's start need.
  public var shortestLead = Duration.milliseconds(50)
  /// The longest lead of a common start: beyond a second the button feels broken.
  public var longestLead = Duration.seconds(1)
  /// The shortest time a barrier gives its participants to get ready.
  public var shortestPreparation = Duration.seconds(1)
  /// The longest time a barrier gives its participants to get ready, and what a first load gets.
  public var longestPreparation = Duration.seconds(10)
  /// The longest a waiting policy may let a group wait for someone: a doorbell and a baby's bottle.
  public var longestWait = Duration.seconds(600)
  /// The largest group that waits for ready reports: each is an event for all, so a barrier of n
  /// costs n² deliveries; larger audiences start together without asking.
  public var barrierParticipants = 50
  /// Timelines kept per session: items people have current, and those they come back to.
  public var timelines = 32
  /// How long a session keeps the timeline of an item that nobody has current and that is not the
  /// activity's: who looks at something else for the length of an episode's break comes back to it.
  public var timelineGrace = Duration.seconds(600)
  /// Advertisements in one item: four breaks an hour with four spots each, for four hours.
  public var interstitials = 64
  /// Open suspensions of one participant: each reason once, with room for an app's own.
  public var suspensions = 8
  /// How far from the server's position an originator's stop is believed, beyond its round trip.
  public var pauseTolerance = Duration.milliseconds(250)
  /// How wrong a clock may be, which is at most half its round trip, before its owner's frames are
  /// no longer believed: six frames of a film, beyond which people see that the others stood
  /// elsewhere.
  public var clockTolerance = Duration.milliseconds(250)

  // MARK: In-app messages

  /// Bytes of the name of an event, a property, an attribute or a list: a sentence.
  public var nameBytes = 128
  /// Properties of one event.
  public var eventProperties = 64
  /// Bytes of an event's texts together: a message that comes later keeps them until it is due.
  public var eventBytes = 8 * 1024
  /// Attributes of one person: a profile, not a database.
  public var attributes = 64
  /// Bytes of an attribute's texts: 64 of the longest are a quarter of a line.
  public var attributeBytes = 512
  /// Lists that one person is on.
  public var lists = 64
  /// Texts in one array among properties or attributes: each takes memory, however short it is.
  public var listTexts = 64
  /// Messages on their way to one person: the stack of a client, 50, what it shows and keeps apart,
  /// and a few that are not there yet.
  public var deliveries = 64
  /// People whose messages the server knows, 2 KiB each: the members of a large club, ten times.
  public var users = 100_000
  /// How long somebody has to be away before they may be forgotten so that the server can know
  /// somebody new: until then once-only campaigns are, whoever floods the server with new names.
  public var userAbsence = Duration.seconds(30 * 86_400)

  /// The bounds a server starts with.
  public init() {}
}
