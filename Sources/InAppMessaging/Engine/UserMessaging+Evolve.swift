package import Vocabulary

extension UserMessaging {
  /// Applies an event, and counts it.
  package mutating func evolve(_ event: MessagingEvent, at now: Instant) {
    seq += 1
    switch event {
    case .logged(let identity, let isLate):
      if case .client = identity.source, !isLate { lastSeen = now }
      mark(identity, at: now)
    case .seen: lastSeen = now
    case .sessionStarted:
      sessionStart = now
      failed = []
    case .attributeSet(let key, let value): attributes[key] = value
    case .membershipSet(let list, let isMember): setMembership(list, isMember)
    case .collectionSet(let collects): self.collects = collects
    case .pausedSet(let isPaused): self.isPaused = isPaused
    case .connected(let device, let epoch):
      marks[.client(device)] = EventMark(epoch: epoch, sequence: 0, at: now)
      dropOldestMark(like: .client(device))
      lost[device] = nil
    case .lost(let device, let until): lost[device] = until
    case .resumed(let device): lost[device] = nil
    case .interrupted(let until):
      for delivery in deliveries {
        if let device = delivery.lyingOn, lost[device] == nil { lost[device] = until }
      }
    case .failuresForgotten: failed = []
    case .forgotten(let campaign): history[campaign] = nil
    case .wiped: wipe()
    case .reserved(let delivery):
      deliveries.makeRoom()
      deliveries.append(delivery)
      nextNumber += 1
    case .fellDue, .offered, .waiting, .started, .impression, .clicked, .ended, .lapsed:
      evolveDelivery(event, at: now)
    }
  }

  private mutating func evolveDelivery(_ event: MessagingEvent, at now: Instant) {
    switch event {
    case .fellDue(let id): change(id) { $0.phase = .due }
    case .offered(let id, let device):
      change(id) { $0.phase = .offered(to: device, at: now) }
      change(id) { $0.fallbacks = [] }
    case .waiting(let id): change(id) { $0.phase = .waiting(on: $0.device ?? DeviceID("")) }
    case .started(let id): start(id, at: now)
    case .impression(let id):
      start(id, at: now)
      see(id, at: now)
    case .clicked(let id, _): change(id) { $0.isClicked = true }
    case .ended(let id, let outcome): end(id, outcome, at: now)
    case .lapsed(let id, _):
      guard let delivery = delivery(id) else { return }
      deliveries.removeAll { $0.id == id }
      deliveries.giveBackRoom()
      lapsed.append(delivery)
      lapsed.removeFirst(max(0, lapsed.count - Self.mostLapsed))
      dropLostDevices()
    default: break
    }
  }

  private mutating func setMembership(_ list: String, _ isMember: Bool) {
    lists.removeAll { $0 == list }
    guard isMember else { return }
    lists.insert(list, at: lists.firstIndex { list < $0 } ?? lists.endIndex)
  }

  /// The marks stay, so that repeats are still recognised.
  private mutating func wipe() {
    var empty = UserMessaging(id)
    empty.seq = seq
    empty.collects = collects
    empty.isPaused = isPaused
    empty.marks = marks
    empty.nextNumber = nextNumber
    self = empty
  }
}

// MARK: Identities

extension UserMessaging {
  private mutating func mark(_ identity: EventIdentity, at now: Instant) {
    let epoch = marks[identity.source]?.epoch ?? 0
    marks[identity.source] = EventMark(epoch: epoch, sequence: identity.sequence, at: now)
    dropOldestMark(like: identity.source)
  }

  /// Devices and participations are counted separately, so that many sessions do not evict a
  /// device.
  private mutating func dropOldestMark(like source: EventSource) {
    guard marks.count > Self.mostMarks else { return }
    let alike = marks.filter { $0.key.isClient == source.isClient }
    guard alike.count > Self.mostMarks,
      let oldest = alike.min(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) })
    else { return }
    marks[oldest.key] = nil
  }
}

extension EventSource {
  fileprivate var isClient: Bool { if case .client = self { true } else { false } }
}

// MARK: Deliveries

extension UserMessaging {
  /// The delivery of that id that is under way.
  package func delivery(_ id: MessageID) -> Delivery? {
    deliveries.first { $0.id == id }
  }

  /// The delivery of that id, also if its client went away.
  private func known(_ id: MessageID) -> Delivery? {
    delivery(id) ?? lapsed.first { $0.id == id }
  }

  private mutating func change(_ id: MessageID, _ change: (inout Delivery) -> Void) {
    if let place = deliveries.firstIndex(where: { $0.id == id }) {
      change(&deliveries[place])
    } else if let place = lapsed.firstIndex(where: { $0.id == id }) {
      change(&lapsed[place])
    }
  }

  /// It is shown; a late report does not tell when.
  private mutating func start(_ id: MessageID, at now: Instant) {
    guard let place = deliveries.firstIndex(where: { $0.id == id }) else { return }
    let delivery = deliveries[place]
    guard let device = delivery.device, delivery.phase != .started(on: device) else { return }
    deliveries[place].phase = .started(on: device)
    // A restored or restacked message was shown before.
    guard delivery.keepsDistance, !delivery.isSeen else { return }
    switch delivery.cause.triggerClass {
    case .foreground: starts.foreground = now
    case .contextual: starts.contextual = now
    }
  }

  private mutating func see(_ id: MessageID, at now: Instant) {
    guard let delivery = known(id) else { return }
    change(id) { $0.isSeen = true }
    consume(delivery, at: now)
  }

  /// Counts one more impression of its campaign.
  private mutating func consume(_ delivery: Delivery, at now: Instant) {
    guard !delivery.isTest, !delivery.isSeen else { return }
    history.note(delivery.campaign, at: now, remembered: delivery.remembered)
  }

  private mutating func end(_ id: MessageID, _ outcome: InAppMessage.Outcome, at now: Instant) {
    guard let delivery = known(id) else { return }
    switch outcome {
    case .refused(.choice): consume(delivery, at: now)
    case .refused(.assets), .refused(.invalidContent):
      // The content of such a message comes with the event, so the next event may bring a valid
      // item. The same holds for faults that the server found before it sent the message.
      if !delivery.isTest, !delivery.isSessionBound, delivery.device != nil {
        fail(delivery.campaign)
      }
    case .refused, .presented, .control: break
    }
    deliveries.removeAll { $0.id == id }
    deliveries.giveBackRoom()
    lapsed.removeAll { $0.id == id }
    lapsed.giveBackRoom()
    dropLostDevices()
  }

  private mutating func fail(_ campaign: CampaignID) {
    failed.removeAll { $0 == campaign }
    failed.append(campaign)
    failed.removeFirst(max(0, failed.count - Self.mostFailed))
  }

  /// A lost device without deliveries need not be remembered.
  private mutating func dropLostDevices() {
    guard !lost.isEmpty else { return }
    for device in Array(lost.keys) where !deliveries.contains(where: { $0.lyingOn == device }) {
      lost[device] = nil
    }
  }
}
