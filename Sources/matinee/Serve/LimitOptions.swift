import ArgumentParser
import Vocabulary

/// Every bound of the server, for the command line; what each is for stands in `Limits`.
struct LimitOptions: ParsableArguments {
  // MARK: Lines and rates

  @Option(
    name: .customLong("line-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Longest line taken, in bytes.", valueName: "n"))
  var lineBytes: Int?

  @Option(
    name: .customLong("messages-per-second"), parsing: .unconditional,
    help: ArgumentHelp("Messages a peer may send a second.", valueName: "n"))
  var messagesPerSecond: Int?

  @Option(
    name: .customLong("message-burst"), parsing: .unconditional,
    help: ArgumentHelp("Messages a peer may send at once.", valueName: "n"))
  var messageBurst: Int?

  @Option(
    name: .customLong("outbound-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Bytes that may wait for a peer before it is dropped.", valueName: "n"))
  var outboundBytes: Int?

  @Option(
    name: .customLong("droppable-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Waiting bytes beyond which droppable messages are dropped.", valueName: "n")
  )
  var droppableBytes: Int?

  // MARK: Peers

  @Option(
    name: .customLong("peers"), parsing: .unconditional,
    help: ArgumentHelp("Connections at once.", valueName: "n"))
  var peers: Int?

  @Option(
    name: .customLong("hello-deadline"), parsing: .unconditional,
    help: ArgumentHelp("Time for the first line of a connection, in seconds.", valueName: "s"))
  var helloDeadline: Double?

  @Option(
    name: .customLong("heartbeat-deadline"), parsing: .unconditional,
    help: ArgumentHelp("Silence after which a pinging peer is lost, in seconds.", valueName: "s"))
  var heartbeatDeadline: Double?

  @Option(
    name: .customLong("idle-deadline"), parsing: .unconditional,
    help: ArgumentHelp("Silence after which any other peer is lost, in seconds.", valueName: "s"))
  var idleDeadline: Double?

  @Option(
    name: .customLong("resume-grace"), parsing: .unconditional,
    help: ArgumentHelp("How long a lost device keeps its places, in seconds.", valueName: "s"))
  var resumeGrace: Double?

  @Option(
    name: .customLong("drain-deadline"), parsing: .unconditional,
    help: ArgumentHelp("How long a stop waits for outbound bytes, in seconds.", valueName: "s"))
  var drainDeadline: Double?

  @Option(
    name: .customLong("remembered-answers"), parsing: .unconditional,
    help: ArgumentHelp("Answers kept per device for repeated requests.", valueName: "n"))
  var rememberedAnswers: Int?

  // MARK: Groups and sessions

  @Option(
    name: .customLong("groups"), parsing: .unconditional,
    help: ArgumentHelp("Groups at once.", valueName: "n"))
  var groups: Int?

  @Option(
    name: .customLong("group-members"), parsing: .unconditional,
    help: ArgumentHelp("Devices in a group.", valueName: "n"))
  var groupMembers: Int?

  @Option(
    name: .customLong("eligible-members"), parsing: .unconditional,
    help: ArgumentHelp("Connected members from which a group can share.", valueName: "n"))
  var eligibleMembers: Int?

  @Option(
    name: .customLong("participants"), parsing: .unconditional,
    help: ArgumentHelp("Participants of a session.", valueName: "n"))
  var participants: Int?

  @Option(
    name: .customLong("offer-deadline"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long a session waits for its first participant, in seconds.", valueName: "s"))
  var offerDeadline: Double?

  @Option(
    name: .customLong("tombstones"), parsing: .unconditional,
    help: ArgumentHelp("Ended sessions remembered for their reason.", valueName: "n"))
  var tombstones: Int?

  @Option(
    name: .customLong("retained-events"), parsing: .unconditional,
    help: ArgumentHelp("Events kept per session for peers that resume.", valueName: "n"))
  var retainedEvents: Int?

  @Option(
    name: .customLong("retained-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Bytes of events kept per session for peers that resume.", valueName: "n"))
  var retainedBytes: Int?
  @Option(
    name: .customLong("pending-commands"), parsing: .unconditional,
    help: ArgumentHelp("Commands that may wait for a session's journal.", valueName: "n"))
  var pendingCommands: Int?
  @Option(
    name: .customLong("batched-commands"), parsing: .unconditional,
    help: ArgumentHelp("Commands of a session that are kept in one go.", valueName: "n"))
  var batchedCommands: Int?
  @Option(
    name: .customLong("batched-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Bytes of events that are kept in one go.", valueName: "n"))
  var batchedBytes: Int?
  @Option(
    name: .customLong("snapshot-interval"), parsing: .unconditional,
    help: ArgumentHelp("Events between two snapshots of a session.", valueName: "n"))
  var snapshotInterval: Int?
  @Option(
    name: .customLong("journal-retry"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long a journal that cannot be written is left alone, in seconds.", valueName: "s"))
  var journalRetry: Double?

  @Option(
    name: .customLong("status-groups"), parsing: .unconditional,
    help: ArgumentHelp("Groups in a status report.", valueName: "n"))
  var statusGroups: Int?

  @Option(
    name: .customLong("status-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Bytes of a status report.", valueName: "n"))
  var statusBytes: Int?

  @Option(
    name: .customLong("remembered-devices"), parsing: .unconditional,
    help: ArgumentHelp("Banned or declining devices a session remembers.", valueName: "n"))
  var rememberedDevices: Int?

  @Option(
    name: .customLong("invitations"), parsing: .unconditional,
    help: ArgumentHelp("Invitations of a session.", valueName: "n"))
  var invitations: Int?

  @Option(
    name: .customLong("invitation-lifetime"), parsing: .unconditional,
    help: ArgumentHelp("How long an invitation stands, in seconds.", valueName: "s"))
  var invitationLifetime: Double?

  @Option(
    name: .customLong("longest-invitation"), parsing: .unconditional,
    help: ArgumentHelp("Longest an invitation may stand, in seconds.", valueName: "s"))
  var longestInvitation: Double?

  // MARK: Texts and payloads

  @Option(
    name: .customLong("identifier-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Longest identifier a peer may choose.", valueName: "n"))
  var identifierBytes: Int?

  @Option(
    name: .customLong("item-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Longest identifier or URL of an item.", valueName: "n"))
  var itemBytes: Int?

  @Option(
    name: .customLong("title-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Longest name or title.", valueName: "n"))
  var titleBytes: Int?

  @Option(
    name: .customLong("activity-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Largest payload of an activity.", valueName: "n"))
  var activityBytes: Int?

  @Option(
    name: .customLong("message-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Largest message of a messenger.", valueName: "n"))
  var messageBytes: Int?

  // MARK: Queue and playback

  @Option(
    name: .customLong("queue-entries"), parsing: .unconditional,
    help: ArgumentHelp("Entries in a queue.", valueName: "n"))
  var queueEntries: Int?

  @Option(
    name: .customLong("shortest-lead"), parsing: .unconditional,
    help: ArgumentHelp("Shortest lead of a common start, in seconds.", valueName: "s"))
  var shortestLead: Double?

  @Option(
    name: .customLong("longest-lead"), parsing: .unconditional,
    help: ArgumentHelp("Longest lead of a common start, in seconds.", valueName: "s"))
  var longestLead: Double?

  @Option(
    name: .customLong("shortest-preparation"), parsing: .unconditional,
    help: ArgumentHelp("Shortest time to get ready for a start, in seconds.", valueName: "s"))
  var shortestPreparation: Double?

  @Option(
    name: .customLong("longest-preparation"), parsing: .unconditional,
    help: ArgumentHelp("Longest time to get ready for a start, in seconds.", valueName: "s"))
  var longestPreparation: Double?

  @Option(
    name: .customLong("longest-wait"), parsing: .unconditional,
    help: ArgumentHelp(
      "Longest a waiting policy may let a group wait, in seconds.", valueName: "s"))
  var longestWait: Double?

  @Option(
    name: .customLong("barrier-participants"), parsing: .unconditional,
    help: ArgumentHelp("Largest group that waits for ready reports.", valueName: "n"))
  var barrierParticipants: Int?

  @Option(
    name: .customLong("timelines"), parsing: .unconditional,
    help: ArgumentHelp("Items a session keeps the state of.", valueName: "n"))
  var timelines: Int?

  @Option(
    name: .customLong("timeline-grace"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long an item that nobody has current is remembered, in seconds.", valueName: "s"))
  var timelineGrace: Double?

  @Option(
    name: .customLong("interstitials"), parsing: .unconditional,
    help: ArgumentHelp("Advertisements in an item.", valueName: "n"))
  var interstitials: Int?

  @Option(
    name: .customLong("suspensions"), parsing: .unconditional,
    help: ArgumentHelp("Open suspensions of a participant.", valueName: "n"))
  var suspensions: Int?

  @Option(
    name: .customLong("pause-tolerance"), parsing: .unconditional,
    help: ArgumentHelp("How far an originator's stop is believed, in seconds.", valueName: "s"))
  var pauseTolerance: Double?

  @Option(
    name: .customLong("clock-tolerance"), parsing: .unconditional,
    help: ArgumentHelp(
      "How wrong a clock may be for its frames to be believed, in seconds.", valueName: "s"))
  var clockTolerance: Double?

  // MARK: In-app messages

  @Option(
    name: .customLong("name-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Longest name of an event, a property or an attribute.", valueName: "n"))
  var nameBytes: Int?

  @Option(
    name: .customLong("event-properties"), parsing: .unconditional,
    help: ArgumentHelp("Properties of an event.", valueName: "n"))
  var eventProperties: Int?

  @Option(
    name: .customLong("event-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Bytes of an event's texts together.", valueName: "n"))
  var eventBytes: Int?

  @Option(
    name: .customLong("attributes"), parsing: .unconditional,
    help: ArgumentHelp("Attributes of a person.", valueName: "n"))
  var attributes: Int?

  @Option(
    name: .customLong("attribute-bytes"), parsing: .unconditional,
    help: ArgumentHelp("Bytes of an attribute's texts.", valueName: "n"))
  var attributeBytes: Int?

  @Option(
    name: .customLong("lists"), parsing: .unconditional,
    help: ArgumentHelp("Lists that a person is on.", valueName: "n"))
  var lists: Int?

  @Option(
    name: .customLong("list-texts"), parsing: .unconditional,
    help: ArgumentHelp("Texts in an array of an event or a person.", valueName: "n"))
  var listTexts: Int?

  @Option(
    name: .customLong("deliveries"), parsing: .unconditional,
    help: ArgumentHelp("Messages on their way to a person.", valueName: "n"))
  var deliveries: Int?

  @Option(
    name: .customLong("users"), parsing: .unconditional,
    help: ArgumentHelp("People whose messages the server knows.", valueName: "n"))
  var users: Int?

  @Option(
    name: .customLong("user-absence"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long a person is away before they may make room for another, in seconds.",
      valueName: "s"))
  var userAbsence: Double?

  /// The limits with what the command line changed.
  func limits() throws -> Limits {
    var limits = Limits()
    try set(&limits.lineBytes, lineBytes, "line-bytes")
    try set(&limits.messagesPerSecond, messagesPerSecond, "messages-per-second")
    try set(&limits.messageBurst, messageBurst, "message-burst")
    try set(&limits.outboundBytes, outboundBytes, "outbound-bytes")
    try set(&limits.droppableBytes, droppableBytes, "droppable-bytes")
    try set(&limits.peers, peers, "peers")
    try set(&limits.helloDeadline, helloDeadline, "hello-deadline")
    try set(&limits.heartbeatDeadline, heartbeatDeadline, "heartbeat-deadline")
    try set(&limits.idleDeadline, idleDeadline, "idle-deadline")
    try set(&limits.resumeGrace, resumeGrace, "resume-grace")
    try set(&limits.drainDeadline, drainDeadline, "drain-deadline")
    try set(&limits.rememberedAnswers, rememberedAnswers, "remembered-answers")
    try set(&limits.groups, groups, "groups")
    try set(&limits.groupMembers, groupMembers, "group-members")
    try set(&limits.eligibleMembers, eligibleMembers, "eligible-members")
    try set(&limits.participants, participants, "participants")
    try set(&limits.offerDeadline, offerDeadline, "offer-deadline")
    try set(&limits.tombstones, tombstones, "tombstones")
    try set(&limits.retainedEvents, retainedEvents, "retained-events")
    try set(&limits.retainedBytes, retainedBytes, "retained-bytes")
    try set(&limits.pendingCommands, pendingCommands, "pending-commands")
    try set(&limits.batchedCommands, batchedCommands, "batched-commands")
    try set(&limits.batchedBytes, batchedBytes, "batched-bytes")
    try set(&limits.snapshotInterval, snapshotInterval, "snapshot-interval")
    try set(&limits.journalRetry, journalRetry, "journal-retry")
    try set(&limits.statusGroups, statusGroups, "status-groups")
    try set(&limits.statusBytes, statusBytes, "status-bytes")
    try set(&limits.rememberedDevices, rememberedDevices, "remembered-devices")
    try set(&limits.invitations, invitations, "invitations")
    try set(&limits.invitationLifetime, invitationLifetime, "invitation-lifetime")
    try set(&limits.longestInvitation, longestInvitation, "longest-invitation")
    try set(&limits.identifierBytes, identifierBytes, "identifier-bytes")
    try set(&limits.itemBytes, itemBytes, "item-bytes")
    try set(&limits.titleBytes, titleBytes, "title-bytes")
    try set(&limits.activityBytes, activityBytes, "activity-bytes")
    try set(&limits.messageBytes, messageBytes, "message-bytes")
    try set(&limits.queueEntries, queueEntries, "queue-entries")
    try set(&limits.shortestLead, shortestLead, "shortest-lead")
    try set(&limits.longestLead, longestLead, "longest-lead")
    try set(&limits.shortestPreparation, shortestPreparation, "shortest-preparation")
    try set(&limits.longestPreparation, longestPreparation, "longest-preparation")
    try set(&limits.longestWait, longestWait, "longest-wait")
    try set(&limits.barrierParticipants, barrierParticipants, "barrier-participants")
    try set(&limits.timelines, timelines, "timelines")
    try set(&limits.timelineGrace, timelineGrace, "timeline-grace")
    try set(&limits.interstitials, interstitials, "interstitials")
    try set(&limits.suspensions, suspensions, "suspensions")
    try set(&limits.pauseTolerance, pauseTolerance, "pause-tolerance")
    try set(&limits.clockTolerance, clockTolerance, "clock-tolerance")
    try set(&limits.nameBytes, nameBytes, "name-bytes")
    try set(&limits.eventProperties, eventProperties, "event-properties")
    try set(&limits.eventBytes, eventBytes, "event-bytes")
    try set(&limits.attributes, attributes, "attributes")
    try set(&limits.attributeBytes, attributeBytes, "attribute-bytes")
    try set(&limits.lists, lists, "lists")
    try set(&limits.listTexts, listTexts, "list-texts")
    try set(&limits.deliveries, deliveries, "deliveries")
    try set(&limits.users, users, "users")
    try set(&limits.userAbsence, userAbsence, "user-absence", most: 366 * 86_400)
    return limits
  }

  private func set(_ limit: inout Int, _ value: Int?, _ name: String) throws {
    guard let value else { return }
    guard value > 0 else {
      throw ValidationError("--\(name) must be at least 1, not \(value)")
    }
    limit = value
  }

  private func set(
    _ limit: inout Duration, _ value: Double?, _ name: String, most: Int = 86_400
  ) throws {
    guard let value else { return }
    guard value > 0, value <= Double(most) else {
      throw ValidationError(
        "--\(name) must be more than 0 and at most \(most) seconds, not \(value)")
    }
    limit = .microseconds(Int64(value * 1_000_000))
  }
}
