import ArgumentParser
import Vocabulary

/// The server's limits as options of the command line: one row of ``LimitOption/all`` each.
struct LimitOptions: ParsableArguments {
  /// What the command line changes.
  private var changes: [LimitOption.Change] = []

  init() {}

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: LimitOption.Name.self)
    changes = try LimitOption.all.compactMap { try $0.change(from: values) }
  }

  /// The limits with what the command line changed.
  func limits() throws -> Limits {
    var limits = Limits()
    for change in changes { try change(&limits) }
    return limits
  }
}

extension LimitOptions: CustomReflectable {
  /// ArgumentParser finds the options of a type by reflection, so the mirror shows one for each row.
  var customMirror: Mirror {
    Mirror(self, children: LimitOption.all.map { (label: $0.name, value: $0.argument) })
  }
}

/// A limit that the command line can set.
struct LimitOption: Sendable {
  /// Sets the limit to the value that was given, or throws what is wrong with the value.
  typealias Change = (inout Limits) throws -> Void

  /// The option's name without its dashes.
  let name: String
  private let help: String
  private let field: Field

  private typealias Path<Value> = any WritableKeyPath<Limits, Value> & Sendable

  /// Where the limit stands, and what the option takes.
  private enum Field: Sendable {
    /// At least 1.
    case count(Path<Int>, atMost: Int)
    /// More than 0 seconds.
    case duration(Path<Duration>, atMost: Int)
  }

  /// A million times a million: more than any machine has, and so little that what is calculated from
  /// it is a number, too.
  private static let mostCount = 1 << 40
  /// A parser has room for the longest line.
  private static let mostLineBytes = 64 * 1024 * 1024

  private static func count(
    _ name: String, _ path: Path<Int>, atMost: Int = mostCount, _ help: String
  ) -> LimitOption {
    LimitOption(name: name, help: help, field: .count(path, atMost: atMost))
  }

  /// `help` ends with a full stop; the unit is added to it.
  private static func duration(
    _ name: String, _ path: Path<Duration>, atMost: Int = 86_400,
    _ help: String
  ) -> LimitOption {
    LimitOption(
      name: name, help: "\(help.dropLast()), in seconds.", field: .duration(path, atMost: atMost))
  }

  /// The option as ArgumentParser declares it.
  fileprivate var argument: Any {
    let text = "\(help) (default: \(defaultValue))"
    return switch field {
    case .count:
      Option<Int?>(
        name: .customLong(name), parsing: .unconditional,
        help: ArgumentHelp(text, valueName: "n"))
    case .duration:
      Option<Double?>(
        name: .customLong(name), parsing: .unconditional,
        help: ArgumentHelp(text, valueName: "s"))
    }
  }

  /// The limit without the option, as the option takes it.
  var defaultValue: String {
    switch field {
    case .count(let path, _): return "\(Limits()[keyPath: path])"
    case .duration(let path, _):
      let seconds = Limits()[keyPath: path].inSeconds
      return Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    }
  }

  /// Reads the option's value; `nil` if the command line has none.
  fileprivate func change(from values: KeyedDecodingContainer<Name>) throws -> Change? {
    switch field {
    case .count(let path, let most):
      guard let value = try values.decodeIfPresent(Int.self, forKey: Name(name)) else { return nil }
      return { limits in
        guard value > 0 else {
          throw ValidationError("--\(name) must be at least 1, not \(value)")
        }
        guard value <= most else {
          throw ValidationError("--\(name) must be at most \(most), not \(value)")
        }
        limits[keyPath: path] = value
      }
    case .duration(let path, let most):
      guard let value = try values.decodeIfPresent(Double.self, forKey: Name(name)) else {
        return nil
      }
      return { limits in
        guard value > 0, value <= Double(most) else {
          throw ValidationError(
            "--\(name) must be more than 0 and at most \(most) seconds, not \(value)")
        }
        limits[keyPath: path] = .microseconds(Int64(value * 1_000_000))
      }
    }
  }

  /// The key of an option's value.
  fileprivate struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

extension LimitOption {
  /// All limits, in the order of the help; the reason of each stands in `Limits`.
  static let all: [LimitOption] = [
    // MARK: Lines and rates
    .count("line-bytes", \.lineBytes, atMost: mostLineBytes, "Longest line taken, in bytes."),
    .count("message-frames", \.messageFrames, "Frames of a WebSocket message."),
    .count("messages-per-second", \.messagesPerSecond, "Messages a peer may send a second."),
    .count("message-burst", \.messageBurst, "Messages a peer may send at once."),
    .count(
      "user-cost-per-second", \.userCostPerSecond,
      "Bytes that a person's requests may make the server send a second."),
    .count(
      "user-cost-burst", \.userCostBurst,
      "Bytes that a person's requests may make the server send at once."),
    .count(
      "address-cost-per-second", \.addressCostPerSecond,
      "Bytes that the requests of an address may make the server send a second."),
    .count(
      "address-cost-burst", \.addressCostBurst,
      "Bytes that the requests of an address may make the server send at once."),
    .duration(
      "address-time-per-second", \.addressTimePerSecond,
      "Time a second for what an address sends."),
    .duration("address-time-burst", \.addressTimeBurst, "Time at once for what an address sends."),
    .count(
      "group-cost-per-second", \.groupCostPerSecond,
      "Bytes that may be sent to a whole group a second."),
    .count(
      "group-cost-burst", \.groupCostBurst, "Bytes that may be sent to a whole group at once."),
    .count(
      "outbound-bytes", \.outboundBytes, "Bytes that may wait for a peer before it is dropped."),
    .count(
      "backlog-bytes", \.backlogBytes,
      "Bytes that may wait for all peers before some are dropped."),
    .count(
      "droppable-bytes", \.droppableBytes,
      "Waiting bytes beyond which droppable messages are dropped."),

    // MARK: Peers
    .count("peers", \.peers, "Connections at once, with those at other servers of the journal."),
    .count(
      "connections-per-address", \.connectionsPerAddress, "Connections of an address at once."),
    .count(
      "connection-burst", \.connectionBurst, "Connections that an address may open at once."),
    .count(
      "connections-per-second", \.connectionsPerSecond,
      "Connections that an address may open a second."),
    .count("web-connections", \.webConnections, "Connections by HTTP at once."),
    .duration("hello-deadline", \.helloDeadline, "Time for the first line of a connection."),
    .duration(
      "heartbeat-deadline", \.heartbeatDeadline,
      "Silence after which a pinging peer is lost."),
    .duration("idle-deadline", \.idleDeadline, "Silence after which any other peer is lost."),
    .count("credential-bytes", \.credentialBytes, "Bytes of a credential."),
    .count("names", \.names, "Names that people have claimed."),
    .count("credentials", \.credentials, "Devices of a person with a credential of their own."),
    .duration("pairing-deadline", \.pairingDeadline, "How long a code lets another device in."),
    .duration("media-list-time", \.mediaListTime, "How long the list of media may be fetched."),
    .count("media-listed", \.mediaListed, "Files in the list of media."),
    .count("pairings", \.pairings, "Codes at once that may let devices in."),
    .count("pairing-tries", \.pairingTries, "Wrong tries after which a code is dead."),
    .count("guesses", \.guesses, "Wrong keys, credentials and codes of one address a minute."),
    .count("guessers", \.guessers, "Addresses whose guesses are remembered."),
    .duration(
      "credential-notice", \.credentialNotice,
      "How long before its end a client is told that its credential expires."),
    .duration("resume-grace", \.resumeGrace, "How long a lost device keeps its places."),
    .duration("drain-deadline", \.drainDeadline, "How long a stop waits for outbound bytes."),
    .duration(
      "departure-time", \.departureTime,
      "How long a drained server takes to send its people to the others."),
    .count(
      "remembered-answers", \.rememberedAnswers, "Answers kept per device for repeated requests."),

    // MARK: Groups and sessions
    .count("groups", \.groups, "Groups at once."),
    .count("group-members", \.groupMembers, "Devices in a group."),
    .duration(
      "group-retention", \.groupRetention, atMost: 366 * 86_400,
      "How long a group with a key lasts while it is empty."),
    .count("admitted-users", \.admittedUsers, "People whom a group with a key remembers."),
    .count(
      "eligible-members", \.eligibleMembers, "Connected members from which a group can share."),
    .count("participants", \.participants, "Participants of a session."),
    .count("named-places", \.namedPlaces, "Participants of a session with an audience."),
    .duration(
      "audience-interval", \.audienceInterval, "How often the size of an audience is told."),
    .duration(
      "spectator-tolerance", \.spectatorTolerance,
      "How far from the group's position a spectator's player is slow."),
    .count(
      "session-bytes", \.sessionBytes,
      "Bytes of a session's activity, queue, timelines and invitations."),
    .count(
      "participant-bytes", \.participantBytes,
      "Bytes of a session's participants with their items."),
    .duration(
      "offer-deadline", \.offerDeadline,
      "How long a session waits for its first participant."),
    .count("tombstones", \.tombstones, "Ended sessions remembered for their reason."),
    .count("retained-events", \.retainedEvents, "Events kept per session for peers that resume."),
    .count(
      "retained-bytes", \.retainedBytes, "Bytes of events kept per session for peers that resume."),
    .count(
      "pending-commands", \.pendingCommands, "Commands that may wait for a session's journal."),
    .count(
      "deferred-requests", \.deferredRequests,
      "Requests of a device that wait until its joining of a group is kept."),
    .count("batched-commands", \.batchedCommands, "Commands of a session that are kept in one go."),
    .count("batched-bytes", \.batchedBytes, "Bytes of events that are kept in one go."),
    .count("snapshot-interval", \.snapshotInterval, "Events between two snapshots of a session."),
    .count(
      "journal-size", \.journalSize,
      "Bytes that the journal may take before what makes it grow is refused."),
    .count(
      "group-journal-bytes", \.groupJournalBytes,
      "Bytes a day that a group's people may make the journal keep."),
    .count(
      "user-journal-bytes", \.userJournalBytes,
      "Bytes a day that a person may make the journal keep."),
    .duration(
      "journal-retry", \.journalRetry,
      "How long a journal that cannot be written is left alone."),
    .count("status-groups", \.statusGroups, "Groups in a status report."),
    .count("status-bytes", \.statusBytes, "Bytes of a status report."),
    .count(
      "remembered-devices", \.rememberedDevices, "Banned or declining devices a session remembers."),
    .count("invitations", \.invitations, "Invitations of a session."),
    .duration("invitation-lifetime", \.invitationLifetime, "How long an invitation stands."),
    .duration("longest-invitation", \.longestInvitation, "Longest an invitation may stand."),

    // MARK: Texts and payloads
    .count("identifier-bytes", \.identifierBytes, "Longest identifier a peer may choose."),
    .count("item-bytes", \.itemBytes, "Longest identifier or URL of an item."),
    .count("title-bytes", \.titleBytes, "Longest name or title."),
    .count("activity-bytes", \.activityBytes, "Largest payload of an activity."),
    .count("message-bytes", \.messageBytes, "Largest message of a messenger."),

    // MARK: Attachments
    .count("attachment-bytes", \.attachmentBytes, "Bytes of an attachment."),
    .count(
      "attachment-metadata-bytes", \.attachmentMetadataBytes,
      "Largest description of an attachment."),
    .count("attachments", \.attachments, "Attachments of a session."),
    .count(
      "session-attachment-bytes", \.sessionAttachmentBytes,
      "Bytes of a session's attachments."),
    .count(
      "all-attachment-bytes", \.allAttachmentBytes, "Bytes of all sessions' attachments."),
    .duration(
      "attachment-wait", \.attachmentWait,
      "How long an attachment waits for its next part."),

    // MARK: Objects
    .count("objects", \.objects, "Objects of an app in a group."),
    .count("object-bytes", \.objectBytes, "Bytes of a group's objects."),

    // MARK: Queue and playback
    .count("queue-entries", \.queueEntries, "Entries in a queue."),
    .duration("shortest-lead", \.shortestLead, "Shortest lead of a common start."),
    .duration("longest-lead", \.longestLead, "Longest lead of a common start."),
    .duration("audience-lead", \.audienceLead, "Lead of the next item in a large group."),
    .duration(
      "shortest-preparation", \.shortestPreparation,
      "Shortest time to get ready for a start."),
    .duration(
      "longest-preparation", \.longestPreparation,
      "Longest time to get ready for a start."),
    .duration("longest-wait", \.longestWait, "Longest a waiting policy may let a group wait."),
    .count(
      "barrier-participants", \.barrierParticipants, "Largest group that waits for ready reports."),
    .count("timelines", \.timelines, "Items a session keeps the state of."),
    .duration(
      "timeline-grace", \.timelineGrace,
      "How long an item that nobody has current is remembered."),
    .count("interstitials", \.interstitials, "Advertisements in an item."),
    .count("suspensions", \.suspensions, "Open suspensions of a participant."),
    .duration("pause-tolerance", \.pauseTolerance, "How far an originator's stop is believed."),
    .duration(
      "clock-tolerance", \.clockTolerance,
      "How wrong a clock may be for its frames to be believed."),

    // MARK: In-app messages
    .count("name-bytes", \.nameBytes, "Longest name of an event, a property or an attribute."),
    .count("event-properties", \.eventProperties, "Properties of an event."),
    .count("event-bytes", \.eventBytes, "Bytes of an event's texts together."),
    .count("attributes", \.attributes, "Attributes of a person."),
    .count("attribute-bytes", \.attributeBytes, "Bytes of an attribute's texts."),
    .count("lists", \.lists, "Lists that a person is on."),
    .count("list-texts", \.listTexts, "Texts in an array of an event or a person."),
    .count("deliveries", \.deliveries, "Messages on their way to a person."),
    .count("users", \.users, "People whose messages the server knows."),
    .duration(
      "user-absence", \.userAbsence, atMost: 366 * 86_400,
      "How long a person is away before they may make room for another."),
  ]
}
