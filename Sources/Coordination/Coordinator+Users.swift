import DequeModule
import GroupSessions
import InAppMessaging
import Vocabulary
import Wire

// The one way a person's messages change: decide, append, and, once kept, evolve, deliver, answer.

extension Coordinator {
  /// Carries a command out on a person's messages, or behind those that wait for their journal.
  ///
  /// Requests met the bound on waiting before; what has to happen anyway, such as a loss, does not
  /// meet it. While writing fails, requests are turned away, and the rest is made good later.
  mutating func perform(_ work: UserWork, on id: UserID) {
    guard let isBusy = users[id]?.inFlight.isPresent else { return }
    guard users[id]?.isResting == false else {
      return refuse(work.reply, .journalUnavailable(limits))
    }
    guard isBusy else { return decide(work, on: id) }
    users[id]?.waiting.append(work)
  }

  func messagingConditions(of id: UserID) -> MessagingConditions {
    MessagingConditions(
      campaigns: campaigns ?? CampaignSet(), policy: messagingPolicy, limits: limits,
      devices: users[id]?.devices ?? [], salt: erasures)
  }

  private mutating func decide(_ work: UserWork, on id: UserID) {
    do {
      guard let (beginning, decision) = try decision(on: work.command, of: id) else { return }
      let events = beginning.isEmpty ? decision.events : beginning + decision.events
      users[id]?.trace.note(decision.evaluations)
      let answer = record(
        decision.matchesNothing ? .noMatchingTrigger : .done(seq: nil), for: work.reply)
      guard !events.isEmpty || answer != nil else {
        carryOut(decision.effects, for: id)
        return forgetUnknown(id)
      }
      var work = work
      work.effects = decision.effects
      users[id]?.inFlight = .present(work)
      append(
        events.map { .user($0) }, to: .user(id), after: users[id]?.messaging.seq ?? 0,
        answer: answer)
    } catch {
      refuse(work.reply, ProtocolError(error))
      forgetUnknown(id)
    }
  }

  /// Takes in what became of an append.
  ///
  /// What follows from its events waits until all are applied.
  mutating func userAppended(_ id: UserID, _ append: Append, _ outcome: AppendOutcome) {
    guard let work = users[id]?.inFlight.value else { return }
    users[id]?.inFlight = .absent
    switch outcome {
    case .kept:
      apply(append.events, to: id, areOurs: true)
      carryOut(work.effects, for: id)
      if let answer = append.answer { tell(answer) }
      upholdChoices(of: id)
    case .preceded(let others):
      apply(others, to: id, areOurs: false)
      // A stream that is shorter than what was known of it is another one.
      if others.isEmpty { eraseUser(id, isOurs: false) }
      decide(work, on: id)
    case .failed:
      return rest(id, without: work)
    }
    while users[id]?.inFlight.isPresent == false, let next = users[id]?.takeWaiting() {
      decide(next, on: id)
    }
    loseAbsent(id)
    armUser(id)
    forgetUnknown(id)
  }

  /// What lies on a device is kept for as long as it may come back, also where a client tells of it
  /// that never said how its app is: so none lies there for ever.
  private mutating func loseAbsent(_ id: UserID) {
    for delivery in users[id]?.messaging.deliveries ?? [] {
      guard let device = delivery.lyingOn, users[id]?.messaging.lost[device] == nil,
        users[id]?.devices.contains(where: { $0.device == device }) == false
      else { continue }
      perform(UserWork(command: .disconnected(device)), on: id)
    }
  }

  private mutating func apply(_ records: [RecordedEvent], to id: UserID, areOurs: Bool) {
    guard !records.isEmpty, let before = users[id]?.messaging.seq else { return }
    for record in records {
      if case .user(let event) = record.event { users[id]?.messaging.evolve(event, at: record.at) }
    }
    users[id]?.choices = MessagingChoices()
    guard !records.contains(where: { $0.event == .user(.wiped) }),
      users[id]?.messaging.isBlank == false
    else {
      return eraseUser(id, isOurs: areOurs)
    }
    guard let seq = users[id]?.messaging.seq, isSnapshotDue(from: before, to: seq),
      let messaging = users[id]?.messaging
    else { return }
    outputs.append(.snapshot(.user(messaging)))
  }

  private mutating func carryOut(_ effects: [MessagingEffect], for id: UserID) {
    for effect in effects {
      switch effect {
      case .deliver(let message, let device, let expires, let wasSeen):
        guard devices[device]?.identity.user == id else { continue }
        let delivery = MessageDelivery(message, expires: expires, wasSeen: wasSeen)
        send(.inAppMessage(delivery), to: device)
      case .withdraw(let message, let device, let reason, let isForced):
        guard devices[device]?.identity.user == id else { continue }
        let revocation = MessageRevocation(message, because: reason, isForced: isForced)
        send(.messageRevoked(revocation), to: device)
      case .warn(let warning): outputs.append(.warn(warning, of: id))
      }
    }
  }

  mutating func armUser(_ id: UserID) {
    guard users[id]?.inFlight.isPresent == false else { return }
    deadlines.arm(.user(id), at: users[id]?.messaging.nextDeadline(under: messagingPolicy))
  }

  /// Time passed for a person's messages.
  mutating func wakeUser(_ id: UserID) {
    if users[id]?.isResting == true {
      users[id]?.isResting = false
      reconcileUser(id)
    }
    if users[id]?.messaging.nextDeadline(under: messagingPolicy).map({ $0 <= now }) == true {
      perform(UserWork(command: .clockAdvanced), on: id)
    }
    armUser(id)
    forgetUnknown(id)
  }

  /// Somebody nothing is known of, and who is not here, takes no room.
  mutating func forgetUnknown(_ id: UserID) {
    guard users[id]?.isForgettable == true else { return }
    users[id] = nil
    deadlines.forget(.user(id))
  }
}

// MARK: When writing fails

extension Coordinator {
  private mutating func rest(_ id: UserID, without work: UserWork) {
    let waiting = users[id]?.waiting ?? []
    users[id]?.waiting = []
    users[id]?.isResting = true
    for work in [work] + waiting { refuse(work.reply, .journalUnavailable(limits)) }
    deadlines.arm(.user(id), at: now + limits.journalRetry)
  }

  /// Brings a person's messages up to what is so meanwhile: what happened while nothing could be
  /// kept.
  private mutating func reconcileUser(_ id: UserID) {
    guard let aggregate = users[id] else { return }
    let holders = Set(aggregate.messaging.deliveries.compactMap(\.device))
    for device in holders.sorted() {
      if let known = devices[device], known.identity.user != id {
        perform(UserWork(command: .released(device)), on: id)
      } else if !aggregate.devices.contains(where: { $0.device == device }) {
        perform(UserWork(command: .disconnected(device)), on: id)
      }
    }
    for (device, epoch) in aggregate.epochs {
      perform(UserWork(command: .connected(device, epoch: epoch)), on: id)
    }
    if aggregate.messaging.concernsCampaigns {
      perform(UserWork(command: .campaignsChanged), on: id)
    }
    endLostSessions(of: id)
    upholdChoices(of: id)
  }

  /// Messages that belong to a session go when that is over, or their device has left it.
  mutating func endLostSessions(of id: UserID) {
    for delivery in users[id]?.messaging.deliveries ?? [] where delivery.isSessionBound {
      guard let session = delivery.cause.session else { continue }
      if sessions[session]?.session == nil {
        perform(UserWork(command: .sessionOver(session, on: nil)), on: id)
      } else if let device = delivery.device ?? delivery.cause.device,
        delivery.cause.device != nil, devices[device]?.session != session
      {
        perform(UserWork(command: .sessionOver(session, on: device)), on: id)
      }
    }
  }
}
