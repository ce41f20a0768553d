import GroupSessions
import JSON
import Playback
import Vocabulary

extension Request {
  func write(_ id: RequestID, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("type", verb)
    writer.field("id", id)
    encodeFields(into: &writer)
    writer.endObject()
  }

  private var verb: String {
    switch self {
    case .joinGroup: GroupVerb.joinGroup.rawValue
    case .leaveGroup: GroupVerb.leaveGroup.rawValue
    case .closeGroup: GroupVerb.closeGroup.rawValue
    case .setSharing: GroupVerb.setSharing.rawValue
    case .setPreferredDevice: GroupVerb.setPreferredDevice.rawValue
    case .status: GroupVerb.status.rawValue
    case .activate: SessionVerb.activate.rawValue
    case .stage: SessionVerb.stage.rawValue
    case .activateStaged: SessionVerb.activateStaged.rawValue
    case .withdraw: SessionVerb.withdraw.rawValue
    case .join: SessionVerb.join.rawValue
    case .decline: SessionVerb.decline.rawValue
    case .leave: SessionVerb.leave.rawValue
    case .dismiss: SessionVerb.dismiss.rawValue
    case .end: SessionVerb.end.rawValue
    case .setActivity: ParticipantVerb.setActivity.rawValue
    case .send: ParticipantVerb.send.rawValue
    case .setRole: ParticipantVerb.setRole.rawValue
    case .setReadyToStart: ParticipantVerb.setReadyToStart.rawValue
    case .setControl: ParticipantVerb.setControl.rawValue
    case .setWaitingPolicy: ParticipantVerb.setWaitingPolicy.rawValue
    case .setDismissalPolicy: ParticipantVerb.setDismissalPolicy.rawValue
    case .remove: ParticipantVerb.remove.rawValue
    case .playback(_, let command): command.verb.rawValue
    case .queue(_, let command): command.verb.rawValue
    case .invite: InvitationVerb.invite.rawValue
    case .revokeInvitations: InvitationVerb.revokeInvitations.rawValue
    case .answerInvitation: InvitationVerb.answerInvitation.rawValue
    case .messaging(let request): request.verb.rawValue
    case .notifications(let request): request.verb.rawValue
    }
  }

  private func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .leaveGroup, .closeGroup: break
    case .status(let group): writer.field("after", group)
    case .joinGroup(let group): writer.field("group", group)
    case .setSharing(let isSharing): writer.field("sharing", isSharing)
    case .setPreferredDevice(let device): writer.field("device", device)
    case .activate(let activation), .stage(let activation):
      activation.encodeFields(into: &writer)
    case .activateStaged(let session), .withdraw(let session), .decline(let session):
      writer.field("session", session)
    case .join(let session, let old):
      writer.field("session", session)
      writer.field("handoffFrom", old)
    case .leave(let session), .dismiss(let session), .end(let session):
      writer.field("session", session)
    case .playback(let session, let command):
      writer.field("session", session)
      command.encodeFields(into: &writer)
    case .queue(let session, let command):
      writer.field("session", session)
      command.encodeFields(into: &writer)
    case .invite(let session, let users, let lifetime):
      writer.field("session", session)
      writer.invitedUsers(users)
      writer.field("lifetime", lifetime)
    case .revokeInvitations(let session, let users):
      writer.field("session", session)
      writer.invitedUsers(users)
    case .answerInvitation(let session, let answer, let seq):
      writer.field("session", session)
      writer.field("answer", word: answer)
      writer.field("seq", seq)
    case .messaging(let request): request.encodeFields(into: &writer)
    case .notifications(let request): request.encodeFields(into: &writer)
    case .setActivity(let session, let activity, let revision):
      writer.field("session", session)
      writer.field("activity", activity)
      writer.field("ifRevision", revision)
    case .send(let session, let payload, let recipients):
      writer.field("session", session)
      writer.payload(payload)
      recipients.encodeField(into: &writer)
    case .setRole(let session, let participant, let role):
      writer.field("session", session)
      writer.field("participant", participant)
      writer.field("role", word: role)
    case .setReadyToStart(let session, let isReady, let participant):
      writer.field("session", session)
      writer.field("ready", isReady)
      writer.field("participant", participant)
    case .setControl(let session, let control):
      writer.field("session", session)
      writer.field("control", word: control)
    case .setWaitingPolicy(let session, let policy):
      writer.field("session", session)
      writer.field("waitingPolicy", policy)
    case .setDismissalPolicy(let session, let policy):
      writer.field("session", session)
      writer.field("dismissalPolicy", word: policy)
    case .remove(let session, let participant, let isBanned):
      writer.field("session", session)
      writer.field("participant", participant)
      writer.flag("ban", isBanned)
    }
  }
}

// MARK: Reading

extension Request {
  init(
    _ verb: GroupVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self =
      switch verb {
      case .joinGroup: .joinGroup(try object.identifier("group", within: bounds))
      case .leaveGroup: .leaveGroup
      case .closeGroup: .closeGroup
      case .setSharing: .setSharing(try object.bool("sharing"))
      case .setPreferredDevice:
        .setPreferredDevice(try object.optionalIdentifier("device", within: bounds))
      case .status: .status(after: try object.optionalIdentifier("after", within: bounds))
      }
  }

  init(
    _ verb: SessionVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    self =
      switch verb {
      case .activate: .activate(try Activation(decoding: object, within: bounds))
      case .stage: .stage(try Activation(decoding: object, within: bounds))
      case .activateStaged: .activateStaged(try object.identifier("session", within: bounds))
      case .withdraw: .withdraw(try object.identifier("session", within: bounds))
      case .join:
        .join(
          try object.identifier("session", within: bounds),
          handoffFrom: try object.optionalIdentifier("handoffFrom", within: bounds))
      case .decline: .decline(try object.identifier("session", within: bounds))
      case .leave: .leave(try object.optionalIdentifier("session", within: bounds))
      case .dismiss: .dismiss(try object.optionalIdentifier("session", within: bounds))
      case .end: .end(try object.optionalIdentifier("session", within: bounds))
      }
  }

  init(
    _ verb: ParticipantVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    let session: SessionID? = try object.optionalIdentifier("session", within: bounds)
    switch verb {
    case .setActivity:
      self = .setActivity(
        session, try GroupActivity(decoding: object.object("activity"), within: bounds),
        ifRevision: try object.optionalCount("ifRevision"))
    case .send:
      self = .send(
        session, try object.payload(maximum: bounds.messageBytes),
        to: try Recipients(decodingFieldOf: object, within: bounds))
    case .setRole:
      self = .setRole(
        session, try object.identifier("participant", within: bounds), try object.choice("role"))
    case .setReadyToStart:
      self = .setReadyToStart(
        session, try object.bool("ready"),
        of: try object.optionalIdentifier("participant", within: bounds))
    case .setControl: self = .setControl(session, try object.choice("control"))
    case .setWaitingPolicy:
      let policy = try WaitingPolicy(decoding: object.value("waitingPolicy"), within: bounds)
      self = .setWaitingPolicy(session, policy)
    case .setDismissalPolicy:
      self = .setDismissalPolicy(session, try object.choice("dismissalPolicy"))
    case .remove:
      self = .remove(
        session, try object.identifier("participant", within: bounds),
        isBanned: try object.flag("ban"))
    }
  }
}
