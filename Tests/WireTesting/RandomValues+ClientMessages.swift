import GroupSessions
import Playback
import Vocabulary
package import Wire

// Has a value for every name in the tables of the coding; a missing one fails every test that
// iterates over the table.

extension RandomValues {
  /// A client message of this type.
  package mutating func clientMessage(_ type: String) -> ClientMessage {
    if type == "answerInvitation", chance() {
      return .answerInvitation(microseconds(), token: text(), one())
    }
    if let line = line(type) { return line }
    guard let request = request(type) else { preconditionFailure("no value for \(type)") }
    return .request(microseconds(), request)
  }

  private mutating func request(_ type: String) -> Request? {
    if let request = groupRequest(type) ?? sessionRequest(type) ?? participantRequest(type) {
      return request
    }
    if let command = playbackCommand(type) { return .playback(maybe { $0.id() }, command) }
    if let command = queueCommand(type) { return .queue(maybe { $0.id() }, command) }
    if let request = attachmentRequest(type) { return .attachment(maybe { $0.id() }, request) }
    if let request = messagingRequest(type) { return .messaging(request) }
    return notificationRequest(type).map { .notifications($0) } ?? invitationRequest(type)
  }

  private mutating func line(_ type: String) -> ClientMessage? {
    switch type {
    case "hello": .hello(hello())
    case "ping":
      .ping(
        Ping(
          sent: HostTime(microseconds: Int64(bitPattern: generator.next())),
          roundTrip: maybe { $0.duration() }))
    case "report":
      .report(
        PositionReport(item: id(), mediaTime: mediaTime(), at: instant(), isPlaying: chance()))
    case "message":
      .droppable(
        DroppableMessage(
          session: maybe { $0.id() }, payload: payload(), recipients: recipients()))
    default: nil
    }
  }

  private mutating func hello() -> Hello {
    Hello(
      versions: list { $0.count() }, user: id(), device: id(), name: text(),
      features: features(),
      resume: maybe {
        Resumption(token: $0.text(), session: $0.maybe { $0.id() }, seq: $0.maybe { $0.count() })
      }, credential: maybe { $0.text() }, code: maybe { $0.text() },
      administratorKey: maybe { $0.text() })
  }

  private mutating func activation() -> Activation {
    Activation(
      activity(), ifBusy: one(), control: one(), waitingPolicy: policy(),
      dismissalPolicy: maybe { $0.one() }, initialTiming: maybe { $0.timing() },
      oneDevicePerUser: chance(), hasAudience: chance())
  }

  private mutating func groupRequest(_ type: String) -> Request? {
    switch type {
    case "joinGroup": .joinGroup(id(), key: maybe { $0.text() })
    case "changeKey": .changeKey(maybe { $0.id() })
    case "removeUser": .removeUser(id(), from: maybe { $0.id() })
    case "pair": .pair(maybe { $0.id() })
    case "confirmPairing": .confirmPairing(chance())
    case "freeName": .freeName(id())
    case "drain": .drain(id())
    case "leaveGroup": .leaveGroup
    case "renew": .renew(credential: text())
    case "closeGroup": .closeGroup(maybe { $0.id() })
    case "setSharing": .setSharing(chance())
    case "setPreferredDevice": .setPreferredDevice(maybe { $0.id() })
    case "updateObject": .updateObject(id(), set: payloadFields())
    case "removeObject": .removeObject(id())
    case "listMedia": .listMedia
    case "openMedia": .openMedia(url: text())
    case "status": .status(after: maybe { $0.id() })
    default: nil
    }
  }

  private mutating func sessionRequest(_ type: String) -> Request? {
    switch type {
    case "activate": .activate(activation())
    case "stage": .stage(activation())
    case "activateStaged": .activateStaged(id())
    case "withdraw": .withdraw(id())
    case "join": .join(id(), handoffFrom: maybe { $0.id() })
    case "decline": .decline(id())
    case "leave": .leave(maybe { $0.id() })
    case "dismiss": .dismiss(maybe { $0.id() })
    case "end": .end(maybe { $0.id() })
    default: nil
    }
  }

  private mutating func participantRequest(_ type: String) -> Request? {
    let session: SessionID? = maybe { $0.id() }
    return switch type {
    case "setActivity": .setActivity(session, activity(), ifRevision: maybe { $0.count() })
    case "send": .send(session, payload(), to: recipients())
    case "setRole": .setRole(session, id(), one())
    case "setReadyToStart": .setReadyToStart(session, chance(), of: maybe { $0.id() })
    case "setControl": .setControl(session, one())
    case "setWaitingPolicy": .setWaitingPolicy(session, policy())
    case "setDismissalPolicy": .setDismissalPolicy(session, one())
    case "remove": .remove(session, id(), isBanned: chance())
    default: nil
    }
  }

  private mutating func attachmentRequest(_ type: String) -> AttachmentRequest? {
    switch type {
    case "addAttachment": .begin(bytes: count(), metadata: payload())
    case "addAttachmentPart": .add(id(), part: count(), part())
    case "removeAttachment": .remove(id())
    case "loadAttachment": .load(id(), part: count())
    default: nil
    }
  }

  private mutating func playbackCommand(_ type: String) -> PlaybackCommand? {
    switch type {
    case "transition":
      .transition(
        to: maybe { $0.id() }, proposing: maybe { $0.timing() }, duration: maybe { $0.duration() },
        interstitials: interstitials(), seekWindow: maybe { $0.seekWindow() })
    case "play": .play(id(), rate: maybe { $0.rate() }, immediately: chance())
    case "pause": .pause(id(), at: maybe { $0.mediaTime() })
    case "seek": .seek(id(), to: mediaTime(), immediately: chance())
    case "setRate": .setRate(id(), rate())
    case "suspend": .suspend(SuspensionReason(text()))
    case "endSuspension": .endSuspension(count(), proposing: maybe { $0.mediaTime() })
    case "ready": .ready(id(), seq: count(), duration: maybe { $0.duration() })
    case "reportEnd": .reportEnd(id(), seq: count())
    default: nil
    }
  }

  private mutating func queueCommand(_ type: String) -> QueueCommand? {
    switch type {
    case "insert": .insert(list { $0.media() }, at: position())
    case "move": .move(id(), to: position())
    case "removeEntry": .remove(id())
    case "clearQueue": .clear
    case "select": .select(id())
    case "next": .next(from: maybe { $0.id() })
    case "previous": .previous(from: maybe { $0.id() })
    case "setRepeat": .setRepeat(one())
    case "shuffle": .shuffle(seed: 0)
    case "unshuffle": .unshuffle
    case "setAutoAdvance": .setAutoAdvance(chance())
    default: nil
    }
  }
}
