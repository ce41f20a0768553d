import GroupSessions
import Signatures
import Vocabulary
import Wire

// The outcomes of requests, and answers to invitations with their tokens.

extension Front {
  /// Answers an invitation with its token, on a connection that has not said hello.
  mutating func answer(
    _ answer: InvitationAnswer, byToken token: String, _ request: RequestID, from peer: PeerID
  ) {
    do throws(ProtocolError) {
      guard !isStopping else { throw ProtocolError(.shuttingDown) }
      let bearer = Bearer(peer: peer, request: request)
      turn.say(.groups(.answer(try signer.claim(token, at: now), answer, bearer)))
    } catch {
      send(.error(request, error), to: peer)
    }
  }

  /// Answers an invitation with its token on a device, as if it were named by its session, once the
  /// token turns out to belong to the device's person.
  mutating func answer(
    _ answer: InvitationAnswer, byToken token: String, _ request: RequestID, on device: DeviceID
  ) {
    do throws(ProtocolError) {
      let claim = try signer.claim(token, at: now)
      guard claim.user == devices[device]?.identity.user else {
        throw ProtocolError(.invalidToken, reason: "person")
      }
      begin(request, .answerInvitation(claim.session, answer, seq: claim.seq), from: device)
    } catch {
      send(.error(request, error), to: device)
    }
  }
}

// MARK: Answers

extension Front {
  /// Answers a status request; an administrator is also told how much of the limits is used.
  mutating func tell(_ report: StatusReport, to device: DeviceID, _ request: RequestID) {
    guard let peer = devices.peer(of: device) else { return }
    var report = report
    report.obstacle = obstacle
    guard gate.administers(peer) else {
      report.usage = []
      return send(.status(request, report), to: peer)
    }
    report.usage.insert(.init("peers", used: peers.count, most: limits.peers), at: 0)
    report.servers = servers
    let connected = devices.keys.filter { devices.peer(of: $0) != nil }
      .compactMap { devices[$0]?.identity.user }
    turn.say(
      .people(
        .tellStatus(
          request, report, device, connected: Set(connected), holdsNames: gate.mode == .keys)))
  }

  /// Sends a request's stored outcome to its device, and remembers it for repetitions.
  mutating func tell(_ answer: RecordedAnswer) {
    guard devices.isAsking(answer.device, answer.life) else { return }
    devices.settle(answer)
    send(answer.outcome.message(to: answer.request), to: answer.device)
  }

  /// Refuses a request; the refusal is remembered unless its cause is temporary.
  mutating func refuse(_ reply: Reply, _ error: ProtocolError) {
    guard devices.isAsking(reply.device, reply.life) else { return }
    let peer = devices.peer(of: reply.device)
    let error = gate.judged(error, from: peer.flatMap { peers[$0]?.address }, at: now)
    let isProved = peer.map { gate.isProved($0) } ?? true
    if let peer, !isProved { gate.endClaim(of: peer, by: reply, isProved: false) }
    // Nothing is stored of a device that is not known to be its person's.
    guard error.isTemporary || reply.isQuestion || !isProved else {
      return settle(reply, .refused(error))
    }
    devices.forget(reply.id, of: reply.device)
    send(.error(reply.id, error), to: reply.device)
  }

  /// Stores and sends the outcome of a request that has no events.
  mutating func settle(_ reply: Reply, _ outcome: RequestOutcome) {
    guard devices.isAsking(reply.device, reply.life) else { return }
    guard devices[reply.device]?.place.isInAudience == false else {
      return tell(reply.recorded(outcome))
    }
    let answer = reply.recorded(outcome)
    take(.append(Append(to: .device(reply.device), after: 1, [], answer: answer)))
  }

  /// Handles the outcome of an append of a hello, or of an answer without events.
  mutating func appended(_ append: Append, _ outcome: AppendOutcome) {
    guard outcome != .unknown else { return }
    if case .device(.greeted(let greeting))? = append.events.first?.event {
      let ready = devices.finishGreeting(greeting, isKept: outcome == .kept)
      for append in ready { take(.append(append)) }
    }
    guard let answer = append.steps.first?.answer else { return }
    guard outcome != .kept else { return tell(answer) }
    guard devices.isAsking(answer.device, answer.life) else { return }
    devices.forget(answer.request, of: answer.device)
    send(.error(answer.request, .journalUnavailable(limits)), to: answer.device)
  }
}
