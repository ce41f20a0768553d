import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Who comes in: hellos, and what credentials allow.

extension Front {
  mutating func greet(_ hello: Hello, _ peer: PeerID) {
    guard hello.versions.contains(ProtocolVersion.current) else {
      return close(peer, ProtocolError(.unsupportedVersion))
    }
    do throws(ProtocolError) {
      if hello.code != nil { try gate.checkPairing() }
      if hello.code != nil || hello.administratorKey != nil { try checkTrying(on: peer) }
      switch try gate.meet(hello, on: peer, at: now, limits) {
      case .known(let identity): greet(hello, identity, peer)
      case .credential(let hash):
        turn.say(.people(.prove(peer, hello.user, hash, code: hello.code, name: hello.name)))
      }
    } catch {
      turnAway(peer, error)
    }
  }

  /// Checks that nobody on the way reads a secret that others could use.
  private func checkPrivacy(of peer: PeerID) throws(ProtocolError) {
    guard peers[peer]?.isPrivate != false else { throw ProtocolError(.tlsRequired) }
  }

  /// Checks that a connection may try a code or an administrator's key: nobody on the way reads it,
  /// and its address has not guessed too much.
  private func checkTrying(on peer: PeerID) throws(ProtocolError) {
    try checkPrivacy(of: peer)
    try gate.checkTrying(from: peers[peer]?.address, at: now)
  }

  /// Closes a connection whose hello is refused; the refusal may be a wrong guess.
  private mutating func turnAway(_ peer: PeerID, _ error: ProtocolError) {
    close(peer, gate.judged(error, from: peers[peer]?.address, at: now))
  }

  /// Handles what the credential of a hello proves.
  mutating func enter(_ peer: PeerID, _ proof: Proof) {
    guard peers[peer] != nil, let (hello, hash) = gate.takeHello(of: peer) else { return }
    let earlier = deviceBefore(hello)
    switch proof {
    case .proved: gate.admit(hash, isProved: true, on: peer)
    case .held where earlier != nil, .unclaimed where earlier != nil:
      // Whoever can resume is the person: the name is theirs from now on.
      gate.admit(hash, isProved: true, on: peer)
      turn.say(.people(.claim(hello.user, hash, nil)))
    case .unclaimed: gate.admit(hash, isProved: false, on: peer)
    case .held: return turnAway(peer, ProtocolError(.held, reason: "name"))
    case .refused(let error): return turnAway(peer, error)
    }
    let device = earlier ?? hash.device(named: hello.device)
    greet(hello, Identity(user: hello.user, device: device, name: hello.name), peer)
  }

  /// A device that resumes from a time when the server asked for no credentials.
  private func deviceBefore(_ hello: Hello) -> DeviceID? {
    guard let token = hello.resume?.token, let device = devices[hello.device],
      device.identity.user == hello.user, device.token.matches(token)
    else { return nil }
    return device.id
  }

  private mutating func greet(_ hello: Hello, _ identity: Identity, _ peer: PeerID) {
    if let resumption = hello.resume { return resume(hello, resumption, identity, peer) }
    if let old = devices[identity.device]?.peer {
      guard gate.ownsDevice(hello) else {
        return send(.error(nil, ProtocolError(.deviceInUse)), to: peer)
      }
      // A program that was started again has no token to resume with, and its old connection may be
      // broken without the server having noticed.
      close(old, ProtocolError(.superseded))
    }
    if let old = devices[identity.device] {
      if old.identity.user != identity.user {
        turn.say(.people(.lost(old.id, old.identity.user, isReleased: true)))
      }
      remove(old)
    }
    devices.add(
      identity, Secret(high: turn.freshNumber(), low: turn.freshNumber()),
      hello.features, on: peer)
    welcome(hello, identity.device, peer)
  }

  private mutating func resume(
    _ hello: Hello, _ resumption: Resumption, _ identity: Identity, _ peer: PeerID
  ) {
    // One credential may have said hello under several names; what it proves is this person's only.
    // A device whose credential no longer names its group starts over outside of it.
    guard let device = devices[identity.device], device.identity.user == identity.user,
      device.token.matches(resumption.token),
      device.place.group.map({ gate.mayEnter($0, from: peer) }) ?? true
    else {
      let isClosed = farewells.has(identity.device, token: resumption.token, at: now)
      let reason = isClosed ? Ineligibility.groupClosed.rawValue : nil
      return send(.error(nil, ProtocolError(.resumeRefused, reason: reason)), to: peer)
    }
    // The old connection may be broken without the server having noticed.
    if let old = device.peer {
      gate.moveClaim(from: old, to: peer)
      close(old, ProtocolError(.superseded), isSuperseded: true)
    }
    devices.rename(device.id, identity.name)
    devices.connect(device.id, to: peer)
    welcome(hello, device.id, peer)
  }
}

// MARK: Names

extension Front {
  /// Claims the name of a device that a group lets in.
  mutating func claimName(_ reply: Reply) {
    guard devices.isAsking(reply.device, reply.life), let device = devices[reply.device],
      let peer = device.peer, let hash = gate.claimant(of: peer)
    else { return }
    turn.say(.people(.claim(device.identity.user, hash, reply)))
  }

  /// Lets a device join whose name is its person's from now on.
  mutating func enterProved(_ reply: Reply) {
    guard devices.isAsking(reply.device, reply.life), let device = devices[reply.device],
      let peer = device.peer,
      let joining = gate.endClaim(of: peer, by: reply, isProved: true)
    else { return }
    sayPresent(device)
    if let word = joining.word(reply, by: device.sender) { turn.say(word) }
  }

  /// Removes the devices of a person whose name was freed.
  mutating func expel(_ user: UserID) {
    for device in devices.keys.compactMap({ devices[$0] }) where device.identity.user == user {
      turn.say(.groups(.expel(device.id)))
      if let peer = device.peer { close(peer, ProtocolError(.credentialRefused, reason: "freed")) }
      if let device = devices[device.id] { forget(device) }
    }
  }
}

// MARK: Credentials

extension Front {
  /// Sets the time of day, by which credentials live.
  mutating func set(_ wall: WallTime) { gate.set(wall) }

  /// Replaces the keys, and closes the connections whose credentials are void now.
  mutating func set(_ access: Access) {
    for peer in gate.set(access) {
      close(peer, ProtocolError(.credentialRefused, reason: TokenFault.unknownKey.reason))
    }
  }

  /// Renews a credential, or refuses what the connection's credential does not allow.
  ///
  /// - Returns: whether nothing is left to do for the request.
  mutating func isSettledAtGate(_ request: Request, _ reply: Reply) -> Bool {
    do throws(ProtocolError) {
      let peer = devices.peer(of: reply.device)
      if let peer, !gate.isProved(peer) { return try claim(by: request, reply, on: peer) }
      if let peer, gate.isNobody(peer), !request.isForAdministrators {
        throw ProtocolError(.noPerson)
      }
      switch request {
      case .renew(let credential):
        try renew(credential, of: reply.device)
        send(.answer(reply.id, .done(seq: nil)), to: reply.device)
        return true
      case .joinGroup(let group, _): if let peer { try gate.checkEntry(of: peer, to: group) }
      case .status:
        guard let device = devices[reply.device], let peer = device.peer else { break }
        if device.place.group == nil { try gate.checkListing(by: peer) }
      case .closeGroup(.some), .changeKey(.some), .removeUser(_, from: .some), .pair(.some),
        .freeName, .messaging(.explain(_, of: .some)):
        if let peer { try gate.checkAdministrator(on: peer) }
        if case .pair = request { try gate.checkPairing() }
      case .drain(let server):
        guard let peer else { return true }
        try gate.checkAdministrator(on: peer)
        try drain(server, reply)
        return true
      case .pair, .confirmPairing:
        try gate.checkPairing()
        if let peer { try checkPrivacy(of: peer) }
      case .notifications(let request):
        if let peer, request.administratorKey != nil { try checkTrying(on: peer) }
      case .leaveGroup, .closeGroup, .changeKey, .removeUser, .listMedia, .openMedia, .setSharing,
        .setPreferredDevice, .updateObject, .removeObject, .activate, .stage, .activateStaged,
        .withdraw, .join, .decline, .leave, .dismiss, .end, .setActivity, .invite,
        .revokeInvitations, .answerInvitation, .playback, .queue, .attachment, .send, .setRole,
        .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy, .remove,
        .messaging:
        break
      }
      return false
    } catch {
      refuse(reply, error)
      return true
    }
  }

  /// Drains a server, if another one can go on; one that is being drained already is left alone.
  ///
  /// The answer does not wait for the journal, because who asks may be among the first to be sent back.
  private mutating func drain(_ id: ServerID, _ reply: Reply) throws(ProtocolError) {
    let named = servers.filter { $0.id == id }
    guard named.count == 1 else { throw ProtocolError(.unknownServer) }
    guard servers.contains(where: { $0.id != id && !$0.isDraining }) else {
      throw ProtocolError(.onlyServer)
    }
    tell(reply.recorded(.answered(.done(seq: nil))))
    if !named[0].isDraining { take(.drain(id)) }
  }

  /// Begins a joining that claims the device's name; everything else waits until then.
  private mutating func claim(by request: Request, _ reply: Reply, on peer: PeerID)
    throws(ProtocolError) -> Bool
  {
    guard case .joinGroup(let group, let key) = request else { throw ProtocolError(.unproved) }
    guard gate.beginClaim(of: peer, by: request, reply) else { throw .busy(limits) }
    turn.say(.groups(.knock(group, key: key, reply)))
    return true
  }

  /// Renews a credential; the device leaves a group that the new one does not name.
  private mutating func renew(_ credential: String, of id: DeviceID) throws(ProtocolError) {
    guard let device = devices[id], let peer = device.peer else { return }
    let earlier = gate.groups(of: peer)
    guard
      let name = try gate.renew(
        credential, of: device.identity.user, on: peer, at: now, limits)
    else { return }
    devices.rename(id, name)
    let identity = device.identity.named(name)
    turn.say(.groups(.renewed(identity, within: gate.groups(of: peer))))
    sayGroups(of: identity.user, on: peer)
    // It is told of the invitations that were hidden from it.
    if gate.groups(of: peer) != earlier { sayPresent(device) }
  }

  /// Says which groups the token that a person showed last names, outside of which no subscription goes on.
  mutating func sayGroups(of user: UserID, on peer: PeerID) {
    if let groups = gate.groups(of: peer) { turn.say(.people(.bounded(user, to: groups))) }
  }
}

extension Gate {
  /// A message as a connection is told it: without invitations to groups that its token does not
  /// name.
  func visible(_ message: ServerMessage, to peer: PeerID) -> ServerMessage? {
    func isVisible(_ notification: RemoteNotification) -> Bool {
      notification.invitingGroup.map { mayEnter($0, from: peer) } ?? true
    }
    switch message {
    case .notification(let notification): return isVisible(notification) ? message : nil
    case .notifications(let listed):
      return .notifications(listed.filter { isVisible($0.notification) })
    default: return message
    }
  }
}
