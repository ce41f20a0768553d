package import GroupSessions
import Playback
package import Vocabulary
package import Wire

extension RandomValues {
  /// The kinds of answers, which have no names on the wire.
  package enum AnswerKind: CaseIterable {
    case done, activated, joined, suspended, proposalDropped, noMatchingTrigger, alreadyAnswered
    case pairing, media, attachmentBegun, attachmentPart

    package init(_ answer: Answer) {
      switch answer {
      case .done: self = .done
      case .activated: self = .activated
      case .joined: self = .joined
      case .suspended: self = .suspended
      case .proposalDropped: self = .proposalDropped
      case .noMatchingTrigger: self = .noMatchingTrigger
      case .alreadyAnswered: self = .alreadyAnswered
      case .pairing: self = .pairing
      case .media: self = .media
      case .attachmentBegun: self = .attachmentBegun
      case .attachmentPart: self = .attachmentPart
      }
    }
  }

  /// An answer of this kind.
  package mutating func answer(_ kind: AnswerKind) -> Answer {
    switch kind {
    case .done: .done(seq: maybe { $0.count() })
    case .activated: .activated(id(), isNew: chance(), willDeliver: chance())
    case .joined: .joined(id(), id())
    case .suspended: .suspended(count())
    case .proposalDropped: .proposalDropped
    case .noMatchingTrigger: .noMatchingTrigger
    case .alreadyAnswered: .alreadyAnswered
    case .attachmentBegun: .attachmentBegun(id())
    case .attachmentPart: .attachmentPart(part())
    case .pairing: .pairing(code: text(), until: instant())
    case .media:
      .media(
        address: text(),
        at: maybe { $0.chance() ? .origin($0.text()) : .port($0.count(), isEncrypted: $0.chance()) }
      )
    }
  }

  /// A server message of this type.
  package mutating func serverMessage(_ type: String) -> ServerMessage {
    switch type {
    case "welcome": .welcome(welcome())
    case "pong":
      .pong(
        Pong(
          sent: HostTime(microseconds: Int64(bitPattern: generator.next())), heard: instant(),
          answered: instant()))
    case "ok": .answer(microseconds(), answer(one()))
    case "error": .error(maybe { $0.microseconds() }, error())
    case "eligibility": .eligibility(chance() ? .eligible : .ineligible(one()))
    case "group": .group(group())
    case "groupEvent": .groupEvent(id(), seq: count(), at: instant(), anyGroupEvent())
    case "groupKey": .groupKey(id(), key: text())
    case "pairingAsked": .pairingAsked(name: text())
    case "offer":
      .offer(
        Offer(
          session: id(), group: id(), activity: activity(), revision: count(),
          initiator: initiator(), isStaged: chance(), isAwaited: chance()))
    case "offerWithdrawn":
      .offerWithdrawn(id(), withdrawal())
    case "activityNotice":
      .activityNotice(
        ActivityNotice(session: id(), title: text(), fallbackURL: maybe { $0.text() }))
    case "snapshot":
      .snapshot(SessionSnapshot(session: session(), participant: id(), at: instant()))
    case "event": .event(id(), seq: count(), at: instant(), anyEvent())
    case "itemMismatch": .itemMismatch(id(), item: id(), others: id())
    case "withheld": .withheld(id(), seq: count())
    case "audience": .audience(id(), AudienceSize(count: count(), slow: count()))
    case "sessionOver": .sessionOver(id(), endReason(one()))
    case "sessionLeft": .sessionLeft(id(), leaveReason(one()))
    case "message": .message(id(), from: id(), payload())
    case "inAppMessage":
      .inAppMessage(MessageDelivery(inAppMessage(), expires: instant(), wasSeen: chance()))
    case "messageRevoked":
      .messageRevoked(MessageRevocation(id(), because: one(), isForced: chance()))
    case "explanation": .explanation(microseconds(), list { $0.explanation() })
    case "notification": .notification(notification())
    case "notifications": .notifications(list { $0.listedNotification() })
    case "notificationsRevoked": .notificationsRevoked(list { $0.id() })
    case "objectState":
      .objectState(microseconds(), object(), version: microseconds(), payloadFields())
    case "credentialExpires": .credentialExpires(at: instant())
    case "closing": .closing(error())
    case "status": .status(microseconds(), report())
    default: preconditionFailure("no value for \(type)")
    }
  }

  package mutating func anyEvent() -> SessionEvent {
    sessionEvent(one(of: SessionEvent.names))
  }

  package mutating func anyGroupEvent() -> GroupEvent {
    groupEvent(one(of: GroupEvent.names))
  }

  package mutating func anyServerMessage() -> ServerMessage {
    serverMessage(one(of: ServerMessage.types))
  }

  package mutating func error() -> ProtocolError {
    ProtocolError(
      one(), maybe { $0.text() }, field: maybe { $0.text() }, limit: maybe { $0.count() },
      reason: maybe { $0.text() }, session: maybe { $0.id() }, revision: maybe { $0.count() },
      seq: maybe { $0.count() }, retryAfter: maybe { $0.duration() })
  }

  private mutating func welcome() -> Welcome {
    Welcome(
      version: count(), server: text(), device: id(), token: text(), isResumed: chance(),
      at: instant(), access: one(), isProved: chance(), features: features(),
      limits: WireLimits(
        lineBytes: count(), messagesPerSecond: count(), messageBytes: count(),
        activityBytes: count(), heartbeatDeadline: duration(), resumeGrace: duration()))
  }

  private mutating func report() -> StatusReport {
    StatusReport(
      at: instant(), peers: count(), obstacle: maybe { $0.text() },
      groups: list { $0.group() }, sessions: list { $0.session() },
      places: list {
        StatusReport.Place(
          participant: $0.id(), offset: .microseconds(Int64($0.number(-1_000_000...1_000_000))),
          roundTrip: $0.maybe { $0.duration() })
      },
      audiences: list {
        StatusReport.Audience($0.id(), AudienceSize(count: $0.count(), slow: $0.count()))
      }, usage: list { StatusReport.Usage($0.text(), used: $0.count(), most: $0.count()) },
      servers: list {
        StatusReport.Server(
          $0.id(), version: $0.text(), peers: $0.count(), decides: $0.chance(),
          isDraining: $0.chance())
      },
      names: list { StatusReport.Name($0.id(), isConnected: $0.chance(), isHeld: $0.chance()) },
      hasMoreNames: chance(), hasMore: chance())
  }
}

// MARK: Whole values

extension RandomValues {
  /// A group, with the given name and last event if there are any.
  package mutating func group(_ name: GroupID? = nil, seq: Int? = nil) -> Group {
    var members = Roster<Member>()
    var lost: SortedMap<DeviceID, Instant> = [:]
    for member in list({ $0.member() }) {
      members.enter(member)
      lost[member.device] = maybe { $0.instant() }
    }
    return Group(
      id: name ?? id(), seq: seq ?? count(), founder: id(), members: members, lost: lost,
      preferredDevices: preferredDevices(), session: maybe { $0.id() }, isClosed: chance(),
      objects: GroupObjects(list { ($0.id(), $0.groupObject()) }))
  }

  private mutating func groupObject() -> GroupObject {
    GroupObject(version: count(), fields: payloadFields())
  }

  private mutating func preferredDevices() -> SortedMap<UserID, DeviceID> {
    var devices: SortedMap<UserID, DeviceID> = [:]
    for (user, device) in list({ ($0.id(), $0.id()) }) as [(UserID, DeviceID)] {
      devices[user] = device
    }
    return devices
  }

  /// A session whose participants and playback have the same devices, and whose lost devices are
  /// not connected.
  ///
  /// It has the given name and last event if there are any.
  package mutating func session(_ name: SessionID? = nil, seq: Int? = nil) -> GroupSession {
    var participants = Roster<Participant>()
    var lost: SortedMap<ParticipantID, Instant> = [:]
    var players: SortedMap<ParticipantID, CoordinatedParticipant> = [:]
    for participant in list({ $0.participant(isReadyToStart: $0.maybe { $0.chance() }) }) {
      participants.enter(participant)
      lost[participant.id] = maybe { $0.instant() }
      players[participant.id] = player(isConnected: lost[participant.id] == nil)
    }
    let timelines = list { ($0.id(), $0.timeline()) } as [(ItemID, Timeline)]
    return GroupSession(
      id: name ?? id(), group: id(), initiator: initiator(), stagedBy: maybe { $0.id() },
      state: state(), seq: seq ?? count(),
      activity: activity(), revision: count(), control: one(),
      dismissalPolicy: one(), oneDevicePerUser: chance(), hasAudience: chance(),
      initialTiming: maybe { $0.timing() },
      participants: participants,
      lost: lost,
      playback: CoordinatedPlayback(
        timelines: timelines.reduce(into: [:]) { $0[$1.0] = $1.1 }, participants: players,
        waitingPolicy: policy(), nextSuspension: count()),
      queue: queue(), declined: Set(list { $0.id() }), listeners: Set(list { $0.id() }),
      banned: Bans(devices: Set(list { $0.id() }), users: Set(list { $0.id() })),
      invitations: Invitations(list { $0.invitation() }),
      chat: Chat(list { $0.line() }), attachments: Attachments(list { $0.attachment() }),
      joinBy: maybe { $0.instant() }, initiatorHasJoined: chance())
  }

  package mutating func attachment() -> SessionAttachment {
    SessionAttachment(id: id(), by: id(), byteCount: count(), metadata: payload())
  }

  package mutating func part() -> AttachmentPart {
    AttachmentPart(list { UInt8($0.number(0...255)) })
  }

  private mutating func line() -> Chat.Line {
    Chat.Line(seq: count(), at: instant(), by: id(), name: text(), payload: payload())
  }

  private mutating func state() -> GroupSession.State {
    switch number(0...2) {
    case 0: .staged
    case 1: .open
    default: .ended(endReason(one()))
    }
  }

  private mutating func timeline() -> Timeline {
    let rate = rate()
    var timeline = Timeline(
      phase: phase(one(), rate), rate: rate, seq: count(), duration: maybe { $0.duration() })
    for (doubter, length) in list({ ($0.id(), $0.duration()) }) as [(ParticipantID, Duration)] {
      timeline.doubts[doubter] = length
    }
    timeline.interstitials = interstitials()
    timeline.seekWindow = maybe { .told($0.seekWindow(), at: $0.instant()) }
    timeline.keptUntil = maybe { $0.instant() }
    return timeline
  }

  private mutating func player(isConnected: Bool) -> CoordinatedParticipant {
    CoordinatedParticipant(
      item: maybe { $0.id() }, readySeq: count(), endedSeq: count(),
      suspensions: list {
        Suspension(
          id: $0.count(), reason: SuspensionReason($0.text()), since: $0.instant(),
          isImposed: $0.chance())
      }, isConnected: isConnected, wasInterrupted: isConnected ? false : chance())
  }

  private mutating func queue() -> Queue {
    Queue(
      entries: list { $0.entry() }, current: maybe { $0.id() }, repeatMode: one(),
      isAutoAdvancing: chance(), unshuffledOrder: maybe { $0.list { $0.id() } },
      nextNumber: count())
  }
}
