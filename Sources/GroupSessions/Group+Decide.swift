package import Vocabulary

extension Group {
  /// Checks a command and returns its events.
  ///
  /// - Returns: the events, to be numbered from `seq + 1`; empty for a repeated command.
  /// - Throws: why the command is refused; nothing has changed then.
  package func decide(_ command: GroupCommand, at now: Instant, limits: Limits)
    throws(GroupRejection) -> [GroupEvent]
  {
    if isClosed {
      if case .endSession = command { return [] }
      throw .closed
    }
    switch command {
    case .join(let member, let pass): return try join(member, with: pass, limits)
    case .leave(let device):
      _ = try member(device)
      return departure(of: [device], .left, at: now, limits)
    case .lose(let device):
      _ = try member(device)
      return lost[device] == nil ? [.memberLost(device, until: now + limits.resumeGrace)] : []
    case .resume(let device):
      return resumed(try member(device))
    case .interrupt:
      return connectedCount > 0 ? [.interrupted(until: now + limits.resumeGrace)] : []
    case .setSharing(let device, let isSharing):
      return try member(device).isSharing == isSharing ? [] : [.sharingSet(device, isSharing)]
    case .setPreferredDevice(let preferred, let device):
      return try prefer(preferred, by: device)
    case .startSession(let session, let device, let replaceable):
      return try start(session, by: device, replaceable, limits)
    case .endSession(let session):
      return self.session == session ? [.sessionEnded(session)] : []
    case .close(let device):
      try check(.closeGroup, by: device)
      return [.closed]
    case .changeKey(let device): return try changeKey(by: device)
    case .removeUser(let user, let device): return try remove(user, by: device, at: now, limits)
    case .updateObject(let id, let changes, let device):
      return try objects.update(id, changes, by: try member(device).user, limits)
    case .removeObject(let id, let device):
      let user = try member(device).user
      return objects[id] == nil ? [] : [.objectRemoved(id, by: user)]
    case .clockAdvanced:
      if members.isEmpty { return isOver(at: now) ? [.closed] : [] }
      let overdue = lost.filter { $0.value <= now }.map(\.key)
      return departure(of: overdue, .connectionLost, at: now, limits)
    }
  }

  private func join(_ member: Member, with pass: Pass, _ limits: Limits) throws(GroupRejection)
    -> [GroupEvent]
  {
    if members[member.device] != nil { return lost[member.device] == nil ? [] : resumed(member) }
    let isNew = try checkEntry(of: member.user, with: pass, limits: limits)
    guard members.count < limits.groupMembers else { throw .full(limit: limits.groupMembers) }
    return (isNew ? [.userAdmitted(member.user)] : []) + [.memberJoined(member)]
  }

  /// Whether the group closes now that it has no members.
  ///
  /// Without a time to close it closes at once: it has no key, or never had a member, because its
  /// opening was stored and its first join was not.
  private func isOver(at now: Instant) -> Bool {
    entry?.closes.map { $0 <= now } ?? true
  }

  /// Checks a founder, or an administrator, who has no device.
  func check(_ permission: Permission, by device: DeviceID?) throws(GroupRejection) {
    var asker = Asker(isAdministrator: true)
    if let device { asker = Asker(isFounder: try member(device).user == founder) }
    guard may(permission, asker) else { throw .notFounder }
  }

  private func member(_ device: DeviceID) throws(GroupRejection) -> Member {
    guard let member = members[device] else { throw .notMember }
    return member
  }

  private func resumed(_ member: Member) -> [GroupEvent] {
    lost[member.device] == nil ? [] : [.memberResumed(member.device)]
  }

  /// Members leave.
  ///
  /// With the last one the group closes, because it is as short-lived as a call; with a key, it
  /// lasts for a while. The consequences of the departure come before that.
  func departure(
    of devices: [DeviceID], _ reason: MemberLeaveReason, at now: Instant, _ limits: Limits,
    before consequences: [GroupEvent] = []
  ) -> [GroupEvent] {
    let departures = devices.map { GroupEvent.memberLeft($0, reason) } + consequences
    guard !devices.isEmpty, devices.count == members.count else { return departures }
    let isLasting = entry?.generation != nil
    return departures + [isLasting ? .emptied(until: now + limits.groupRetention) : .closed]
  }

  private func prefer(_ preferred: DeviceID?, by device: DeviceID) throws(GroupRejection)
    -> [GroupEvent]
  {
    let user = try member(device).user
    if let preferred, members[preferred]?.user != user { throw .notYourDevice }
    return preferredDevices[user] == preferred ? [] : [.preferredDeviceSet(user, preferred)]
  }

  private func start(
    _ session: SessionID, by device: DeviceID, _ replaceable: SessionID?, _ limits: Limits
  ) throws(GroupRejection) -> [GroupEvent] {
    if case .ineligible(let reason) = eligibility(of: device, limits: limits) {
      throw .notEligible(reason)
    }
    guard let live = self.session else { return [.sessionStarted(session, by: device)] }
    guard live != session else { return [] }
    guard live == replaceable else { throw .sessionLive(live) }
    return [.sessionStarted(session, by: device)]
  }
}

extension Group {
  /// Applies an event and counts it.
  package mutating func evolve(_ event: GroupEvent) {
    seq += 1
    switch event {
    case .opened: break
    case .memberJoined(let member):
      members.enter(member)
      entry?.closes = nil
    case .keyChanged(let generation):
      if entry == nil {
        entry = GroupEntry(generation: generation, admitted: [founder])
      } else {
        entry?.generation = generation
      }
    case .userAdmitted(let user): entry?.admitted.insert(user)
    case .userRemoved(let user):
      entry = entry ?? GroupEntry(generation: nil, admitted: [])
      entry?.admitted.remove(user)
      entry?.removed.insert(user)
    case .emptied(let until): entry?.closes = until
    case .objectUpdated(let id, let changes, _): objects.apply(changes, to: id, version: seq)
    case .objectRemoved(let id, _): objects.remove(id)
    case .memberLeft(let device, _):
      if let user = members[device]?.user, preferredDevices[user] == device {
        preferredDevices[user] = nil
      }
      members.remove(device)
      lost[device] = nil
    case .memberLost(let device, let until):
      // The deadline of somebody who is not there would never pass.
      if members[device] != nil { lost[device] = until }
    case .memberResumed(let device): lost[device] = nil
    case .interrupted(let until):
      for device in members.keys where lost[device] == nil { lost[device] = until }
    case .preferredDeviceSet(let user, let device): preferredDevices[user] = device
    case .sharingSet(let device, let isSharing): members.change(device) { $0.isSharing = isSharing }
    case .sessionStarted(let session, _): self.session = session
    case .sessionEnded: session = nil
    case .closed: isClosed = true
    }
  }
}
