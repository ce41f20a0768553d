package import Vocabulary

extension UserMessaging {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - command: what someone wants, or what happened to someone.
  ///   - now: the command's instant.
  ///   - conditions: the campaigns, the policy, and the person's devices.
  /// - Returns: the events, to be numbered from `seq + 1`, and the effects.
  /// - Throws: why it may not be, with nothing changed.
  package func decide(
    _ command: MessagingCommand, at now: Instant, under conditions: MessagingConditions
  ) throws(MessagingRejection) -> MessagingDecision {
    var draft = MessagingDraft(self, at: now, under: conditions)
    switch command {
    case .log(let occurrence): try draft.log(occurrence)
    case .report(let report, let id, let identity): draft.report(report, of: id, identity)
    case .setAttributes(let attributes): try draft.setAttributes(attributes)
    case .setMembership(let list, let isMember): try draft.setMembership(list, isMember)
    case .setCollection(let collects):
      guard collects != self.collects else { break }
      draft.record(.collectionSet(collects))
      if !collects { draft.withdrawAll() }
    case .setPaused(let isPaused):
      guard isPaused != self.isPaused else { break }
      draft.record(.pausedSet(isPaused))
      if isPaused { draft.withdrawAll() }
    case .connected(let device, let epoch): draft.connect(device, epoch: epoch)
    case .disconnected(let device): draft.disconnect(device)
    case .released(let device): draft.release(device)
    case .hidden: if collects, lastSeen != now { draft.record(.seen) }
    // Of a person without a session of use, such as one who was just wiped, nothing is kept.
    case .vanished: if collects, sessionStart != nil, lastSeen != now { draft.record(.seen) }
    case .presenceChanged: draft.offerWhatIsDue()
    case .interrupted: draft.interrupt()
    case .campaignsChanged: draft.takeBackStopped()
    case .sessionOver(let session, let device): draft.sessionOver(session, on: device)
    case .test(let campaign, let variant, let device, let event):
      try draft.test(campaign, variant: variant, on: device, event)
    case .forget(let campaign):
      if history[campaign] != nil { draft.record(.forgotten(campaign)) }
    case .wipe: draft.wipe()
    case .clockAdvanced: draft.clockAdvanced()
    }
    return draft.decision
  }

  /// When `.clockAdvanced` is due; `nil` while only a command can change anything.
  package func nextDeadline(under policy: MessagingPolicy) -> Instant? {
    deliveries.reduce(lost.values.min()) { Instant.earlier($0, $1.deadline(policy)) }
  }

  /// Whether a message waits for one of the person's devices.
  package var awaitsDevice: Bool { deliveries.contains { $0.phase == .due } }

  /// Whether a change of the campaigns could have an effect.
  package var concernsCampaigns: Bool { !deliveries.isEmpty || !failed.isEmpty }
}

extension MessagingDraft {
  fileprivate mutating func setAttributes(_ changes: [String: PropertyValue?])
    throws(MessagingRejection)
  {
    guard user.collects else { return }
    for (key, value) in changes.sorted(by: { $0.key < $1.key }) where user.attributes[key] != value
    {
      try limits.check(name: key)
      guard value?.bytes ?? 0 <= limits.attributeBytes else {
        throw .valueTooLong(key: key, limit: limits.attributeBytes)
      }
      record(.attributeSet(key, value))
    }
    guard user.attributes.count <= limits.attributes else {
      throw .tooManyAttributes(limit: limits.attributes)
    }
  }

  fileprivate mutating func setMembership(_ list: String, _ isMember: Bool)
    throws(MessagingRejection)
  {
    guard user.collects, user.lists.contains(list) != isMember else { return }
    try limits.check(name: list)
    guard !isMember || user.lists.count < limits.lists else {
      throw .tooManyLists(limit: limits.lists)
    }
    record(.membershipSet(list: list, isMember))
  }

  /// without regard to its state, its audience and its limits; on one device, once.
  fileprivate mutating func test(
    _ id: CampaignID, variant name: String?, on device: DeviceID, _ event: AppEvent?
  ) throws(MessagingRejection) {
    guard user.collects, !user.isPaused else { throw .collectionOff }
    guard let compiled = campaigns.compiled(id) else { throw .unknownCampaign(id) }
    try event?.check(against: limits)
    let variants = compiled.campaign.variants
    var place = compiled.variant(for: user.id)
    if let name {
      guard let named = variants.firstIndex(where: { $0.id == name }) else {
        throw .unknownVariant(name)
      }
      place = named
    }
    guard user.deliveries.count < limits.deliveries else {
      return note(id, Ineligibility(.overflow))
    }
    let delivery = Delivery(
      id: nextID, campaign: id, variant: variants[place].id,
      cause: Delivery.Cause(
        event: event, triggerClass: .contextual, at: now, device: device, session: nil),
      expires: now + policy.timeToLive, isControl: compiled.messages[place] == nil, isTest: true,
      isSessionBound: compiled.campaign.bindsSession, phase: .due)
    note(id, nil)
    record(.reserved(delivery))
    offer(delivery)
  }
}
