import GroupSessions
import InAppMessaging
import Playback
import Signatures
import UserNotifications
import Vocabulary
import Wire

// The only place that turns the domain's rejections into error codes of the protocol.

extension ProtocolError {
  init(_ rejection: GroupRejection) {
    switch rejection {
    case .closed: self.init(ErrorCode.groupClosed)
    case .notMember: self.init(ErrorCode.notInGroup)
    case .full(let limit): self.init(ErrorCode.groupFull, limit: limit)
    case .notEligible(let reason): self.init(ErrorCode.notEligible, reason: reason.rawValue)
    case .notYourDevice: self.init(ErrorCode.notYourDevice)
    case .notFounder: self.init(ErrorCode.notFounder)
    case .keyRequired: self.init(ErrorCode.keyRequired)
    case .keyRefused: self.init(ErrorCode.keyRefused)
    case .held: self.init(ErrorCode.held, reason: "group")
    case .removed: self.init(ErrorCode.removed)
    case .noKey: self.init(ErrorCode.noKey)
    case .tooManyObjects(let limit): self.init(ErrorCode.objectsFull, limit: limit)
    case .objectsTooLarge(let limit):
      self.init(ErrorCode.objectsFull, field: "bytes", limit: limit)
    case .sessionLive(let session): self.init(ErrorCode.activityInProgress, session: session)
    case .mayNotReplace(let session):
      self.init(ErrorCode.forbidden, reason: Permission.endSession.rawValue, session: session)
    }
  }

  init(_ rejection: SessionRejection) {
    switch rejection {
    case .ended(let reason): self = .ended(reason)
    case .notActivated: self.init(ErrorCode.notActivated)
    case .notJoined: self.init(ErrorCode.notJoined)
    case .forbidden(let permission): self.init(ErrorCode.forbidden, reason: permission.rawValue)
    case .conflict(let revision): self.init(ErrorCode.conflict, revision: revision)
    case .full(let limit): self.init(ErrorCode.sessionFull, limit: limit)
    case .tooLarge(let part, let limit):
      self.init(
        ErrorCode.sessionFull, part.advice, field: part.rawValue, limit: limit)
    case .banned: self.init(ErrorCode.banned)
    case .notYourParticipant: self.init(ErrorCode.notYourParticipant)
    case .unknownParticipant: self.init(ErrorCode.unknownParticipant)
    case .unknownEntry: self.init(ErrorCode.unknownEntry)
    case .queueFull(let limit): self.init(ErrorCode.queueFull, limit: limit)
    case .unknownAttachment: self.init(ErrorCode.unknownAttachment)
    case .attachmentsFull(let limit): self.init(ErrorCode.attachmentsFull, limit: limit)
    case .noSuchNeighbour: self.init(ErrorCode.noSuchNeighbour)
    case .notInvited: self.init(ErrorCode.notInvited)
    case .invitationOver(let state): self = .invitationOver(state)
    case .staleInvitation(let seq):
      self.init(ErrorCode.invitationOver, reason: "replaced", seq: seq)
    case .tooManyInvitations(let limit): self.init(ErrorCode.tooManyInvitations, limit: limit)
    case .playback(let rejection): self.init(rejection)
    }
  }

  init(_ rejection: PlaybackRejection) {
    switch rejection {
    case .unknownParticipant: self.init(ErrorCode.notJoined)
    case .staleItem: self.init(ErrorCode.staleItem)
    case .staleReport(let seq): self.init(ErrorCode.staleReport, seq: seq)
    case .suspendedLocalOnly: self.init(ErrorCode.suspendedLocalOnly)
    case .unknownSuspension: self.init(ErrorCode.unknownSuspension)
    case .tooManySuspensions(let limit): self.init(ErrorCode.tooManySuspensions, limit: limit)
    case .tooManyTimelines(let limit): self.init(ErrorCode.tooManyTimelines, limit: limit)
    }
  }

  init(_ rejection: MessagingRejection) {
    switch rejection {
    case .tooManyAttributes(let limit): self.init(ErrorCode.tooManyAttributes, limit: limit)
    case .tooManyLists(let limit): self.init(ErrorCode.tooManyLists, limit: limit)
    case .tooManyProperties(let limit):
      self.init(ErrorCode.invalidField, field: "properties", limit: limit)
    case .badName(_, let limit): self.init(ErrorCode.invalidField, field: "name", limit: limit)
    case .valueTooLong(let key, let limit):
      self.init(ErrorCode.invalidField, field: "attributes.\(key)", limit: limit)
    case .eventTooLong(let limit):
      self.init(ErrorCode.invalidField, field: "properties", limit: limit)
    case .unknownCampaign, .unknownVariant: self.init(ErrorCode.unknownCampaign)
    case .collectionOff: self.init(ErrorCode.collectionOff)
    }
  }

  init(_ rejection: TrayRejection) {
    switch rejection {
    case .payload(let fault): self.init(fault)
    case .expired:
      self.init(
        ErrorCode.invalidField, "the notification would expire before it could be sent",
        field: "timeToLive")
    case .tooManySubscriptions(let limit):
      self.init(ErrorCode.tooManySubscriptions, limit: limit)
    case .tooLong(let limit): self.init(ErrorCode.invalidField, "a text is too long", limit: limit)
    case .unknownNotification: self.init(ErrorCode.unknownNotification)
    case .notificationOver: self.init(ErrorCode.notificationOver)
    }
  }

  init(_ fault: PayloadFault) {
    switch fault {
    case .tooLarge(_, let limit): self.init(ErrorCode.payloadTooLarge, limit: limit)
    case .nested(let field, let transport), .reserved(let field, let transport):
      let options = transport.map { "options.transports.\($0.rawValue)." } ?? ""
      self.init(ErrorCode.invalidField, field: "\(options)data.\(field)", reason: fault.reason)
    }
  }

  init(_ fault: InvitationTokenFault) {
    switch fault {
    case .expired: self.init(ErrorCode.tokenExpired)
    case .malformed, .version, .signature: self.init(ErrorCode.invalidToken)
    }
  }

  /// The error of a request that exceeds the limit of pending commands.
  static func busy(_ limits: Limits, _ bound: Int? = nil) -> ProtocolError {
    // The limit corresponds to a second of the heaviest traffic.
    ProtocolError(.busy, limit: bound ?? limits.pendingCommands, retryAfter: .seconds(1))
  }

  /// The error of a request that could not be stored.
  static func journalUnavailable(_ limits: Limits) -> ProtocolError {
    ProtocolError(.journalUnavailable, retryAfter: limits.journalRetry)
  }

  /// The error of an answer to an invitation that already has another answer, or is over.
  private static func invitationOver(_ state: Invitation.State) -> ProtocolError {
    let code: ErrorCode =
      switch state {
      case .pending, .accepted, .declined: .invitationAnswered
      case .expired, .revoked: .invitationOver
      }
    return ProtocolError(code, reason: state.rawValue)
  }

  /// The error of every request to an ended session, with the actual reason.
  static func ended(_ reason: EndReason) -> ProtocolError {
    ProtocolError(.sessionEnded, reason: reason.name.rawValue)
  }
}

extension InvitationSigner? {
  /// Verifies an invitation's token and returns its contents.
  func claim(_ token: String, at now: Instant) throws(ProtocolError) -> InvitationClaim {
    guard let self else { throw ProtocolError(.invalidToken) }
    do throws(InvitationTokenFault) {
      return try self.claim(in: token, at: now)
    } catch { throw ProtocolError(error) }
  }
}

extension ProtocolError {
  /// Whether the same request may succeed later.
  var isTemporary: Bool {
    switch code {
    case .busy, .journalUnavailable, .journalFull, .shuttingDown, .rateLimited: true
    // A repetition may bring another key, or come when the group has another one; and guesses must
    // not fill the journal.
    case .keyRequired, .keyRefused, .tooManyGuesses, .unproved, .noPerson: true
    default: false
    }
  }
}

extension SessionSize.Part {
  /// What makes room in a session that is too large, most of all because of this part.
  fileprivate var advice: String {
    switch self {
    case .activity: "the session is too large; set an activity with a smaller payload"
    case .queue: "the session is too large; remove entries from its queue"
    case .timelines: "the session is too large; name items shorter, or with fewer interstitials"
    case .invitations: "the session is too large; no more people can be invited to it"
    case .participants: "the participants take too many bytes; name items or people shorter"
    }
  }
}

extension PayloadFault {
  /// What is wrong with the sender's own field.
  fileprivate var reason: String? {
    switch self {
    case .tooLarge: nil
    case .nested: "nested"
    case .reserved: "reserved"
    }
  }
}
