/// Every numeric bound of Matinee, each with its reason.
///
/// `matinee serve` can set all but the static ones.
///
/// A request over a bound gets an error that says so, so that nothing grows for ever.
public struct Limits: Equatable, Sendable {
  // MARK: What others set

  /// Bytes of a URL: browsers and many servers stop at 2 KiB.
  package static let urlBytes = 2_048
  /// Bytes of a pushed notification's payload as JSON: Apple's limit.
  package static let payloadBytes = 4_096
  /// How long push services keep a message: four weeks for the large ones.
  package static let pushLifetime = Duration.seconds(28 * 86_400)

  // MARK: Lines and rates

  /// The longest line of the protocol, in bytes: four times the largest payload of an activity,
  /// so that a message of a messenger fits with its envelope.
  public var lineBytes = 128 * 1024
  /// Frames of one WebSocket message: the longest line may come in frames of 128 bytes.
  ///
  /// For each frame wslay takes 96 bytes of memory until the message is whole, measured.
  public var messageFrames = 1_024
  /// Messages one peer may send a second, sustained: a person's fastest scrubbing sends 30.
  public var messagesPerSecond = 100
  /// Messages one peer may send at once: a reconnecting client sends all that it has queued.
  public var messageBurst = 400
  /// What one person's requests may cost a second, sustained, in bytes that the server stores and
  /// sends, each delivery as 4 KiB more: a quarter of a core, measured.
  ///
  /// A pause in a cinema of five thousand costs 21 MiB; 100 messages a second of 200 bytes among a
  /// hundred cost 44 MiB.
  public var userCostPerSecond = 128 * 1024 * 1024
  /// What one person's requests may cost at once: twelve pauses in the largest cinema, half a second
  /// of a core.
  public var userCostBurst = 256 * 1024 * 1024
  /// What the requests of one address may cost a second, sustained, under whatever names.
  ///
  /// It is what those of a person may; a hall of four hundred comes into its group in two seconds.
  public var addressCostPerSecond = 128 * 1024 * 1024
  /// What they may cost at once: an eighth of a second of a core, for which all others may have to
  /// wait.
  public var addressCostBurst = 64 * 1024 * 1024
  /// How much of the loop's time a second may go into reading what one address sends and into handling
  /// it, sustained: a quarter, whatever it costs on this machine.
  public var addressTimePerSecond = Duration.milliseconds(250)
  /// How much of it at once: what a person hardly notices who waits for it.
  public var addressTimeBurst = Duration.milliseconds(50)
  /// What may be done to a whole group a second, sustained: half of a core, so that others are
  /// served meanwhile.
  public var groupCostPerSecond = 256 * 1024 * 1024
  /// What may be done to a whole group at once: fifty pauses in the largest cinema.
  public var groupCostBurst = 1024 * 1024 * 1024
  /// Bytes that may wait for one peer: the largest session, and two snapshots of a usual one of
  /// five thousand, which take 0.7 to 2 MiB by the length of the names.
  public var outboundBytes = 4 * 1024 * 1024
  /// Bytes that may wait for all peers together, those who fetch pages and media among them, before
  /// those that read least are dropped: a quarter of a machine of 1 GiB.
  public var backlogBytes = 256 * 1024 * 1024
  /// Bytes waiting for a peer beyond which droppable messages are not queued: what a second of the
  /// busiest session sends.
  public var droppableBytes = 256 * 1024

  // MARK: Peers and their deadlines

  /// Connections at once: half of a common descriptor limit of 20 000.
  public var peers = 10_000
  /// Connections of one address at once, or of the first 64 bits of an IPv6 address: a school's.
  ///
  /// Never more than half of `peers`.
  public var connectionsPerAddress = 1_000
  /// Connections that one address may open at once: that school reconnects after a restart.
  public var connectionBurst = 400
  /// Connections that one address may open a second, sustained; a handshake takes 0.2 ms.
  public var connectionsPerSecond = 50
  /// Connections by HTTP at once, those of WebSockets not among them: browsers open six each, for a
  /// moment.
  ///
  /// No more requests than this wait for the disk with the media.
  public var webConnections = 2_000
  /// Time for a hello after connecting: a slow mobile link needs two, a port scanner waits for ever.
  public var helloDeadline = Duration.seconds(10)
  /// Silence after which a peer that promised to ping is lost: three missed pings of five seconds.
  public var heartbeatDeadline = Duration.seconds(15)
  /// Silence after which a peer without that promise is lost: a person with netcat may think.
  public var idleDeadline = Duration.seconds(600)
  /// Bytes of a credential: a token with a person's groups takes a few hundred.
  public var credentialBytes = 8 * 1024
  /// Names that people have claimed, each with its devices: as many as have trays.
  public var names = 100_000
  /// Devices of one person that come in with a credential of their own.
  public var credentials = 16
  /// How long a code lets another device in: time to walk from one to the other.
  public var pairingDeadline = Duration.seconds(300)
  /// How long the list of the server's media may be fetched: a page asks and fetches at once.
  public var mediaListTime = Duration.seconds(60)
  /// Files in that list: a page shows no more, and a larger collection has folders of its own server.
  public var mediaListed = 2_000
  /// Codes at once that may let devices in: a large club's members come with new phones.
  public var pairings = 1_024
  /// Wrong tries after which a code of 40 bits is dead: a person mistypes.
  public var pairingTries = 5
  /// Wrong keys, credentials and codes of one address a minute, before they are no longer answered.
  public var guesses = 5
  /// Addresses whose guesses are remembered: more than guess at once unless it is an attack.
  public var guessers = 4_096
  /// How long before its end a client is told that its credential expires: time for its backend to
  /// answer.
  public var credentialNotice = Duration.seconds(60)
  /// How long a lost device keeps its places: a phone that changes from Wi-Fi to mobile needs ten.
  public var resumeGrace = Duration.seconds(30)
  /// How long a stop waits for outbound bytes to leave.
  public var drainDeadline = Duration.seconds(3)
  /// How long a server that is drained takes to send its people to the others: ten thousand then come
  /// there 330 a second, each with a handshake and a snapshot.
  public var departureTime = Duration.seconds(30)
  /// Answers kept per device, so that a request repeated after a reconnect gets the same answer.
  public var rememberedAnswers = 256

  // MARK: Groups and sessions

  /// Groups at once: a quarter of the peers, since a group of one is no group.
  public var groups = 2_500
  /// Devices in one group: a cinema of five thousand was measured; beyond, use several groups.
  public var groupMembers = 5_000
  /// How long a group with a key lasts while nobody is in it: a month of holidays.
  public var groupRetention = Duration.seconds(30 * 86_400)
  /// People whom a group with a key remembers, admitted and removed ones: a large club.
  public var admittedUsers = 2_000
  /// The size from which members of a group are eligible: one person cannot share with themselves.
  public var eligibleMembers = 2
  /// Participants of one session, as many as members of its group.
  public var participants = 5_000
  /// Participants of a session with an audience, and members of its group when it lets nobody else
  /// in as one: everybody is told of each, so that two hundred cost ten thousand spectators two
  /// million lines.
  public var namedPlaces = 200
  /// How often a session's audience is told how many it is: a number that jumps more often is not
  /// read.
  public var audienceInterval = Duration.seconds(1)
  /// How far from the group's position a spectator's player is slow: half a second is a joke that
  /// the others laugh at first.
  public var spectatorTolerance = Duration.milliseconds(500)
  /// Bytes of a session's activity, queue, timelines and invitations: five hundred entries of 2 KiB.
  ///
  /// With the participants, and all that has a bound of its own number, a session stays below the
  /// outbound limit, so that it can be sent to whoever joins, and read back from the journal.
  public var sessionBytes = 1024 * 1024
  /// Bytes of a session's participants with their items: five thousand with 400 bytes each, half of
  /// the outbound limit.
  public var participantBytes = 2 * 1024 * 1024
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
  /// Requests of one device that wait until its joining of a group is stored: more than a client
  /// sends at once when it starts.
  public var deferredRequests = 64
  /// Commands of one aggregate that are decided and kept in one batch: as many as lie between two
  /// snapshots, and few to decide again if another server's events came first.
  public var batchedCommands = 64
  /// Bytes of events that are kept in one batch: as much as a disk writes in a millisecond.
  public var batchedBytes = 256 * 1024
  /// Events between two snapshots of an aggregate: a start reads half as many of each on average,
  /// and a snapshot costs as much to write as a few events.
  public var snapshotInterval = 64
  /// Bytes that the journal may take on the disk, its log included: a fifth of a small server's disk.
  ///
  /// The log alone takes up to 16 MiB, until a full journal empties it. At nine tenths the operator
  /// is warned; beyond the size, what would make the journal grow is refused, while sessions go on
  /// and end.
  public var journalSize = 4 * 1024 * 1024 * 1024
  /// Bytes a day that one group's people may make the journal keep: a sixteenth of the journal.
  ///
  /// Five thousand messages of 50 KiB, or a million of 250 bytes.
  public var groupJournalBytes = 256 * 1024 * 1024
  /// Bytes a day that one person may make the journal keep: a quarter of a group's, or a message of
  /// 600 bytes each second.
  public var userJournalBytes = 64 * 1024 * 1024
  /// The pause of a group or session after its journal could not be written.
  public var journalRetry = Duration.seconds(1)
  /// The pause after which a full journal is measured again: PostgreSQL looks for room to give back
  /// once a minute, and to ask for its size takes it a millisecond.
  package static let journalMeasuring = Duration.seconds(10)
  /// Groups in one status report: as many as fit on a few screens.
  public var statusGroups = 100
  /// Bytes of one status report: half of the outbound limit, so that a report never costs the
  /// connection; the largest sessions still fit.
  public var statusBytes = 2 * 1024 * 1024
  /// Devices a session remembers as banned or as having declined.
  public var rememberedDevices = 256
  /// Invitations of one session, ended ones included: each is in every snapshot, and so many take
  /// 50 KiB.
  ///
  /// A larger audience joins by its group's offers.
  public var invitations = 512
  /// The default lifetime of an invitation: an evening.
  public var invitationLifetime = Duration.seconds(4 * 3_600)
  /// The longest lifetime of an invitation: a day, because yesterday's session is no reason to
  /// come.
  public var longestInvitation = Duration.seconds(24 * 3_600)

  // MARK: Texts and payloads

  /// Bytes of a group's key or an administrator's: several times what either has, and a fraction of a
  /// line.
  package static let keyBytes = 512
  /// Bytes of an identifier that a peer chose.
  public var identifierBytes = 64
  /// Bytes of an item's identifier: by default it is the URL.
  public var itemBytes = urlBytes
  /// Bytes of a display name or a title.
  public var titleBytes = 256
  /// Bytes of an activity's payload: enough to find content, not to carry it.
  public var activityBytes = 32 * 1024
  /// Bytes of one message of a messenger: GroupActivities allows 256 KiB, phones' share of a line.
  public var messageBytes = 64 * 1024
  /// Arrays and objects in one another in an app's value: far more than apps nest, and so few that
  /// whatever holds the value (a snapshot, a report, an export) stays half as deep as a line may be.
  package static let payloadLevels = 32

  // MARK: Attachments

  /// Bytes of one attachment: a photo, a drawing, a page of notes; films have addresses.
  public var attachmentBytes = 1024 * 1024
  /// Bytes of the description that an app gives with an attachment: a name, a type, a size.
  public var attachmentMetadataBytes = 1024
  /// Attachments of one session: a screen of pictures; their list goes to whoever joins.
  public var attachments = 64
  /// Bytes of one session's attachments: sixteen of the largest.
  public var sessionAttachmentBytes = 16 * 1024 * 1024
  /// Bytes of all sessions' attachments, which the server holds in memory: sixteen sessions with as
  /// many as they may have.
  public var allAttachmentBytes = 256 * 1024 * 1024
  /// How long an attachment may wait for its next part: a phone that changes its network needs ten
  /// seconds.
  public var attachmentWait = Duration.seconds(60)

  // MARK: Objects

  /// Objects that an app keeps in a group: a watch list, a score, a vote, and their like.
  public var objects = 64
  /// Bytes of a group's objects as JSON: whoever joins is sent them all.
  public var objectBytes = 32 * 1024

  // MARK: Queue

  /// Entries in a session's queue: a season of a long series.
  public var queueEntries = 500

  // MARK: Playback

  /// The shortest lead of a common start: what a local network and a player's start need.
  public var shortestLead = Duration.milliseconds(50)
  /// The longest lead of a common start: beyond a second the button feels broken.
  public var longestLead = Duration.seconds(1)
  /// The lead of the next item of a queue where the group is too large to wait for ready reports:
  /// players take a second or two to open it, and Syncplay's clients ignore a start in a file's first
  /// second.
  public var audienceLead = Duration.seconds(3)
  /// The shortest time a barrier gives its participants to get ready.
  public var shortestPreparation = Duration.seconds(1)
  /// The longest time a barrier gives its participants to get ready, and what a first load gets.
  public var longestPreparation = Duration.seconds(10)
  /// The longest that a waiting policy may let a group wait for a person: long enough to answer the
  /// door and feed a baby.
  public var longestWait = Duration.seconds(600)
  /// The largest group that waits for ready reports: each is an event for all, so a barrier of n
  /// costs n² deliveries; larger audiences start together without asking.
  ///
  /// For the same reason, as many reports of the end are enough to end live content.
  public var barrierParticipants = 50
  /// Timelines kept per session: people's current items, and those that they return to.
  public var timelines = 32
  /// How long a session keeps the timeline of an item that is neither current for anyone nor the
  /// activity's, so that a person who watches something else for a while can return.
  public var timelineGrace = Duration.seconds(600)
  /// Advertisements in one item: four breaks an hour with four spots each, for four hours.
  public var interstitials = 64
  /// Open suspensions of one participant: each reason once, with room for an app's own.
  public var suspensions = 8
  /// How far an originator's reported stop may be from the server's position, beyond its round
  /// trip.
  public var pauseTolerance = Duration.milliseconds(250)
  /// The largest clock error (at most half the round trip) with which a peer's frames are accepted:
  /// six frames of a film, beyond which people see that the others stopped elsewhere.
  public var clockTolerance = Duration.milliseconds(250)

  // MARK: In-app messages

  /// Bytes of the name of an event, a property, an attribute or a list: a sentence.
  public var nameBytes = 128
  /// Properties of one event.
  public var eventProperties = 64
  /// Bytes of an event's texts together: a delayed message keeps them until it is due.
  public var eventBytes = 8 * 1024
  /// Attributes of one person: a profile, not a database.
  public var attributes = 64
  /// Bytes of an attribute's texts: 64 of the longest are a quarter of a line.
  public var attributeBytes = 512
  /// Lists that one person is on.
  public var lists = 64
  /// Texts in one array among properties or attributes: even a short one takes memory.
  public var listTexts = 64
  /// Messages under way to one person: the stack of a client, 50, the one on screen, and a few that
  /// were not sent yet.
  public var deliveries = 64
  /// People whose messages the server knows, 2 KiB each: ten times the members of a large club.
  public var users = 100_000
  /// How long a person must be away before they may be forgotten to make room for a new one.
  ///
  /// Until then, once-only campaigns stay shown once, even if someone floods the server with new
  /// names.
  public var userAbsence = Duration.seconds(30 * 86_400)

  /// The bounds a server starts with.
  public init() {}
}
