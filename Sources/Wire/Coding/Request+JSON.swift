import GroupSessions
import JSON
import Playback
import Vocabulary

extension Request: Tagged {
  static let tag = "type"

  static let cases: CaseTable<Request> = {
    var cases = CaseTable(
      Cases.renew, Cases.pair, Cases.confirmPairing, Cases.freeName, Cases.drain, Cases.joinGroup,
      Cases.leaveGroup, Cases.listMedia, Cases.openMedia,
      Cases.closeGroup, Cases.changeKey, Cases.removeUser, Cases.setSharing,
      Cases.setPreferredDevice, Cases.updateObject, Cases.removeObject, Cases.status,
      Cases.activate, Cases.stage, Cases.activateStaged,
      Cases.withdraw, Cases.join, Cases.decline, Cases.leave, Cases.dismiss, Cases.end,
      Cases.setActivity, Cases.send, Cases.setRole, Cases.setReadyToStart, Cases.setControl,
      Cases.setWaitingPolicy, Cases.setDismissalPolicy, Cases.remove, Cases.invite,
      Cases.revokeInvitations, Cases.answerInvitation)
    cases.insert(PlaybackCommand.cases) { (command, object, bounds) throws(DecodingFlaw) in
      .playback(try object.optionalIdentifier("session", within: bounds), command)
    }
    cases.insert(QueueCommand.cases) { (command, object, bounds) throws(DecodingFlaw) in
      .queue(try object.optionalIdentifier("session", within: bounds), command)
    }
    cases.insert(AttachmentRequest.cases) { (request, object, bounds) throws(DecodingFlaw) in
      .attachment(try object.optionalIdentifier("session", within: bounds), request)
    }
    cases.insert(MessagingRequest.cases) { (request, _, _) in .messaging(request) }
    cases.insert(TrayRequest.cases) { (request, _, _) in .notifications(request) }
    return cases
  }()

  private enum Cases {
    static let renew = Case(
      "renew", Request.renew, .bounded("credential", by: \.credentialBytes))

    static let pair = Case("pair", Request.pair, "user")
    static let freeName = Case("freeName", Request.freeName, "user")
    static let drain = Case("drain", Request.drain, "server")
    static let confirmPairing = Case("confirmPairing", Request.confirmPairing, "confirmed")

    // The group.
    static let joinGroup = Case(
      "joinGroup", Request.joinGroup, "group", .bounded("key", by: \.keyBytes))
    static let changeKey = Case("changeKey", Request.changeKey, "group")
    static let removeUser = Case("removeUser", Request.removeUser, "user", "group")
    static let leaveGroup = Case("leaveGroup", Request.leaveGroup)
    static let closeGroup = Case("closeGroup", Request.closeGroup, "group")
    static let setSharing = Case("setSharing", Request.setSharing, "sharing")
    static let setPreferredDevice = Case(
      "setPreferredDevice", Request.setPreferredDevice, "device")
    static let updateObject = Case("updateObject", Request.updateObject, "object", "set")
    static let removeObject = Case("removeObject", Request.removeObject, "object")
    static let listMedia = Case("listMedia", Request.listMedia)
    static let openMedia = Case("openMedia", Request.openMedia, .bounded("url", by: \.itemBytes))
    static let status = Case("status", Request.status, "after")

    // The session's life.
    static let activate = Case("activate", Request.activate, .open)
    static let stage = Case("stage", Request.stage, .open)
    static let activateStaged = Case("activateStaged", Request.activateStaged, "session")
    static let withdraw = Case("withdraw", Request.withdraw, "session")
    static let join = Case("join", Request.join, "session", "handoffFrom")
    static let decline = Case("decline", Request.decline, "session")
    static let leave = Case("leave", Request.leave, "session")
    static let dismiss = Case("dismiss", Request.dismiss, "session")
    static let end = Case("end", Request.end, "session")
    static let setActivity = Case(
      "setActivity", Request.setActivity, "session", "activity", "ifRevision")

    // In the session.
    static let send = Case("send", Request.send, "session", .payload, "to")
    static let setRole = Case("setRole", Request.setRole, "session", "participant", "role")
    static let setReadyToStart = Case(
      "setReadyToStart", Request.setReadyToStart, "session", "ready", "participant")
    static let setControl = Case("setControl", Request.setControl, "session", "control")
    static let setWaitingPolicy = Case(
      "setWaitingPolicy", Request.setWaitingPolicy, "session", "waitingPolicy")
    static let setDismissalPolicy = Case(
      "setDismissalPolicy", Request.setDismissalPolicy, "session", "dismissalPolicy")
    static let remove = Case("remove", Request.remove, "session", "participant", .flag("ban"))

    // Invitations.
    static let invite = Case(
      "invite", Request.invite, "session", .bounded("users", by: \.invitations),
      Field("lifetime", .within(\.lifetimes)))
    static let revokeInvitations = Case(
      "revokeInvitations", Request.revokeInvitations, "session",
      .bounded("users", by: \.invitations))
    static let answerInvitation = Case(
      "answerInvitation", Request.answerInvitation, "session", "answer", "seq")
  }

  /// Writes the request as one object.
  func write(_ id: RequestID, to writer: inout JSONWriter) {
    writer.beginObject()
    encodeFields(RequestHead(id: id), into: &writer)
    writer.endObject()
  }

  private func encodeFields(_ head: RequestHead, into writer: inout JSONWriter) {
    switch self {
    case .pair(let user): Cases.pair.write(user, head, to: &writer)
    case .freeName(let user): Cases.freeName.write(user, head, to: &writer)
    case .drain(let server): Cases.drain.write(server, head, to: &writer)
    case .confirmPairing(let isConfirmed):
      Cases.confirmPairing.write(isConfirmed, head, to: &writer)
    case .joinGroup(let group, let key): Cases.joinGroup.write((group, key), head, to: &writer)
    case .changeKey(let group): Cases.changeKey.write(group, head, to: &writer)
    case .removeUser(let user, let group):
      Cases.removeUser.write((user, group), head, to: &writer)
    case .leaveGroup: Cases.leaveGroup.write(head, to: &writer)
    case .closeGroup(let group): Cases.closeGroup.write(group, head, to: &writer)
    case .listMedia: Cases.listMedia.write(head, to: &writer)
    case .openMedia(let url): Cases.openMedia.write(url, head, to: &writer)
    case .renew(let credential): Cases.renew.write(credential, head, to: &writer)
    case .setSharing(let isSharing): Cases.setSharing.write(isSharing, head, to: &writer)
    case .setPreferredDevice(let device):
      Cases.setPreferredDevice.write(device, head, to: &writer)
    case .updateObject(let object, let changes):
      Cases.updateObject.write((object, changes), head, to: &writer)
    case .removeObject(let object): Cases.removeObject.write(object, head, to: &writer)
    case .status(let group): Cases.status.write(group, head, to: &writer)
    case .activate(let activation): Cases.activate.write(activation, head, to: &writer)
    case .stage(let activation): Cases.stage.write(activation, head, to: &writer)
    case .activateStaged(let session): Cases.activateStaged.write(session, head, to: &writer)
    case .withdraw(let session): Cases.withdraw.write(session, head, to: &writer)
    case .join(let session, let old): Cases.join.write((session, old), head, to: &writer)
    case .decline(let session): Cases.decline.write(session, head, to: &writer)
    case .leave(let session): Cases.leave.write(session, head, to: &writer)
    case .dismiss(let session): Cases.dismiss.write(session, head, to: &writer)
    case .end(let session): Cases.end.write(session, head, to: &writer)
    case .setActivity(let session, let activity, let revision):
      Cases.setActivity.write((session, activity, revision), head, to: &writer)
    case .send(let session, let payload, let recipients):
      Cases.send.write((session, payload, recipients), head, to: &writer)
    case .setRole(let session, let participant, let role):
      Cases.setRole.write((session, participant, role), head, to: &writer)
    case .setReadyToStart(let session, let isReady, let participant):
      Cases.setReadyToStart.write((session, isReady, participant), head, to: &writer)
    case .setControl(let session, let control):
      Cases.setControl.write((session, control), head, to: &writer)
    case .setWaitingPolicy(let session, let policy):
      Cases.setWaitingPolicy.write((session, policy), head, to: &writer)
    case .setDismissalPolicy(let session, let policy):
      Cases.setDismissalPolicy.write((session, policy), head, to: &writer)
    case .remove(let session, let participant, let isBanned):
      Cases.remove.write((session, participant, isBanned), head, to: &writer)
    case .invite(let session, let users, let lifetime):
      Cases.invite.write((session, users, lifetime), head, to: &writer)
    case .revokeInvitations(let session, let users):
      Cases.revokeInvitations.write((session, users), head, to: &writer)
    case .answerInvitation(let session, let answer, let seq):
      Cases.answerInvitation.write((session, answer, seq), head, to: &writer)
    case .playback(let session, let command):
      command.encodeFields(RequestHead(id: head.id, session: session), into: &writer)
    case .queue(let session, let command):
      command.encodeFields(RequestHead(id: head.id, session: session), into: &writer)
    case .attachment(let session, let request):
      request.encodeFields(RequestHead(id: head.id, session: session), into: &writer)
    case .messaging(let request): request.encodeFields(head, into: &writer)
    case .notifications(let request): request.encodeFields(head, into: &writer)
    }
  }
}

extension BusyPolicy: CodedWord {}
extension InvitationAnswer: CodedWord {}
extension Role: CodedWord {}
extension ControlPolicy: CodedWord {}
extension DismissalPolicy: CodedWord {}

extension Activation: Record {
  static let layout = Layout(
    Activation.init, RecordField("activity", \.activity),
    RecordField("ifBusy", \.ifBusy, absent: .fail),
    RecordField("control", \.control, absent: .everyone),
    RecordField("waitingPolicy", \.waitingPolicy, absent: .keepGoing),
    RecordField("dismissalPolicy", \.dismissalPolicy),
    RecordField("initialTiming", \.initialTiming),
    RecordField(.flag("oneDevicePerUser"), \.oneDevicePerUser),
    RecordField(.flag("audience"), \.hasAudience))
}

extension Recipients: OwnField {
  /// Writes the field `to`, unless it is everyone.
  func encodeField(into writer: inout JSONWriter) {
    if case .only(let ids) = self { writer.field("to", ids) }
  }

  /// Reads the field `to`: "all", or an array of participants; absent means everyone.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let value = object.optionalValue("to") else {
      self = .all
      return
    }
    if value.type == .string {
      guard try value.string(maximum: bounds.identifierBytes) == "all" else {
        throw value.outOfRange(allowed: "'all' or an array of participants")
      }
      self = .all
    } else {
      let ids = try value.array(maximum: bounds.participants).map {
        (id) throws(DecodingFlaw) -> ParticipantID in
        try id.identifier(within: bounds)
      }
      self = .only(ids)
    }
  }
}
