internal import Vocabulary

/// A decision in the making: each event is applied at once, so that later steps see its effect.
struct MessagingDraft {
  private(set) var user: UserMessaging
  private(set) var decision = MessagingDecision()
  let now: Instant
  let conditions: MessagingConditions

  init(_ user: UserMessaging, at now: Instant, under conditions: MessagingConditions) {
    self.user = user
    self.now = now
    self.conditions = conditions
  }

  var campaigns: CampaignSet { conditions.campaigns }
  var policy: MessagingPolicy { conditions.policy }
  var limits: Limits { conditions.limits }

  mutating func record(_ event: MessagingEvent) {
    user.evolve(event, at: now)
    decision.events.append(event)
  }

  mutating func carryOut(_ effect: MessagingEffect) {
    decision.effects.append(effect)
  }

  /// Notes the evaluation of a campaign; the first ones of an event matter most.
  mutating func note(_ campaign: CampaignID, trigger: UInt8? = nil, _ ineligibility: Ineligibility?)
  {
    guard hasRoomForEvaluations else { return }
    if decision.evaluations.isEmpty {
      decision.evaluations.reserveCapacity(EvaluationTrace.limit)
    }
    decision.evaluations.append(
      Evaluation(
        campaign: campaign, at: now, trigger: trigger, refusal: ineligibility?.refusal,
        clue: ineligibility?.clue))
  }

  /// Notes that a campaign's message is sent, although others went first or one of its own goes.
  mutating func noteSent(_ campaign: CampaignID) {
    let last = decision.evaluations.last { $0.campaign == campaign }
    if let last, last.refusal == nil { return }
    let chosen = decision.evaluations.last { $0.campaign == campaign && $0.trigger != nil }
    decision.evaluations.removeAll { $0.campaign == campaign }
    note(campaign, trigger: chosen?.trigger, nil)
  }

  var hasRoomForEvaluations: Bool {
    decision.evaluations.count < EvaluationTrace.limit
  }

  /// The device as it is now, if it is connected.
  func presence(of device: DeviceID?) -> DevicePresence? {
    guard let device else { return nil }
    return conditions.devices.first { $0.device == device }
  }
}

// MARK: Events

extension MessagingDraft {
  mutating func log(_ occurrence: Occurrence) throws(MessagingRejection) {
    try occurrence.what.check(against: limits)
    guard user.collects, !user.isPaused else { return }
    guard isNew(occurrence.identity) else { return }
    let begins = beginsSession(occurrence)
    let isLate = isAway && !isElsewhere(than: occurrence.device) && !begins
    if let identity = occurrence.identity { record(.logged(identity, isLate: isLate)) }
    if occurrence.device != nil, !isLate, user.lastSeen != now { record(.seen) }
    if begins { record(.sessionStarted) }
    if occurrence.what == .sessionStart, !begins { return }
    let isMatched = evaluate(
      .app(occurrence.what, beginsSession: begins),
      Delivery.Cause(
        event: occurrence.what, triggerClass: occurrence.what.triggerClass, at: now,
        device: occurrence.device, session: occurrence.session))
    decision.matchesNothing = !isMatched
  }

  /// Whether an event or a report is new; a repeat is only acknowledged.
  func isNew(_ identity: EventIdentity?) -> Bool {
    guard let identity, let mark = user.marks[identity.source] else { return true }
    return identity.sequence > mark.sequence
  }

  /// A session begins when the app comes to the front after the person was away for the time-out,
  /// or when the app says so.
  ///
  /// Both within the time-out are one session.
  private func beginsSession(_ occurrence: Occurrence) -> Bool {
    switch occurrence.what {
    case .launch, .foreground:
      user.sessionStart == nil || isAway && !isElsewhere(than: occurrence.device)
    case .sessionStart: hasTimedOut(since: user.sessionStart)
    case .event, .purchase, .pushOpened: false
    }
  }

  /// Whether the person's last session is over.
  ///
  /// An event or a report that arrives then does not say that they are back, because it may have
  /// waited in a client without a connection: the launch or the return comes behind it.
  var isAway: Bool { user.sessionStart != nil && hasTimedOut(since: user.lastSeen) }

  /// Whether the person never left, because another of their devices has the app in sight.
  private func isElsewhere(than device: DeviceID?) -> Bool {
    conditions.devices.contains { $0.isVisible && $0.device != device }
  }

  private func hasTimedOut(since last: Instant?) -> Bool {
    last.map { now - $0 >= policy.sessionTimeOut } ?? true
  }

  /// Finds the campaigns that an event triggers, delivers the first one, and keeps the next ones as
  /// fallbacks.
  ///
  /// - Returns: whether a live campaign waits for the event, even if the person may not see it.
  @discardableResult
  mutating func evaluate(_ event: TriggeringEvent, _ cause: Delivery.Cause) -> Bool {
    let device = origin(of: cause)
    var chosen: [CampaignID] = []
    var last: UInt16?
    var isMatched = false
    // The rules are read in place, because copying two hundred of them took a fifth of the time.
    let campaigns = conditions.campaigns
    let rules = campaigns.rules.span
    var questions = campaigns.questions(about: event)
    for entry in campaigns.entries(for: event) where entry.ordinal != last {
      let ordinal = Int(entry.ordinal)
      var ineligibility: Ineligibility?
      if let filter = questions.unmetFilter(of: entry) {
        ineligibility = Ineligibility(.noMatch, .place(filter))
      } else {
        last = entry.ordinal
        ineligibility =
          chosen.count > Delivery.mostFallbacks
          ? Ineligibility(.outranked)
          : self.ineligibility(to: rules[ordinal], at: ordinal, on: device, cause, &questions)
        if ineligibility?.refusal != .notLive { isMatched = true }
        if ineligibility == nil {
          chosen.append(rules[ordinal].id)
          ineligibility = chosen.count == 1 ? nil : Ineligibility(.outranked)
        }
      }
      if hasRoomForEvaluations { note(rules[ordinal].id, trigger: entry.trigger, ineligibility) }
    }
    send(chosen[...], cause, rechecks: false)
    return isMatched
  }
}

extension MessagingDraft {
  private func ineligibility(
    to rule: borrowing CampaignRule, at ordinal: Int, on device: DevicePresence?,
    _ cause: Delivery.Cause, _ questions: inout EventQuestions
  ) -> Ineligibility? {
    if let ineligibility = rule.ineligibility(at: now) { return ineligibility }
    if rule.bindsSession, cause.namesOtherSession { return Ineligibility(.sessionEnded) }
    guard questions.isInAudience(of: ordinal, rule, user, on: device) else {
      return Ineligibility(.audience)
    }
    return user.historyBar(to: rule, at: now)
      ?? user.distanceBar(
        to: rule, of: cause.triggerClass, after: rule.delay, at: now, under: conditions.policy)
  }
}

extension AppEvent {
  /// The trigger class of its messages, for the interval rules.
  fileprivate var triggerClass: TriggerClass {
    switch self {
    case .launch, .foreground, .sessionStart: .foreground
    case .event, .purchase, .pushOpened: .contextual
    }
  }

  /// Refuses events that are larger than the limits.
  func check(against limits: Limits) throws(MessagingRejection) {
    switch self {
    case .launch, .foreground, .sessionStart: return
    case .pushOpened(let campaign):
      if let campaign { try limits.check(name: campaign) }
    case .event(let name, _), .purchase(let name, _): try limits.check(name: name)
    }
    let properties = properties
    guard properties.count <= limits.eventProperties else {
      throw .tooManyProperties(limit: limits.eventProperties)
    }
    for key in properties.keys { try limits.check(name: key) }
    guard bytes <= limits.eventBytes else { throw .eventTooLong(limit: limits.eventBytes) }
  }

  /// The approximate size of its properties.
  var bytes: Int { properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes } }
}

extension Limits {
  func check(name: String) throws(MessagingRejection) {
    guard (1...nameBytes).contains(name.utf8.count) else {
      throw .badName(String(name.prefix(nameBytes)), limit: nameBytes)
    }
  }
}

extension PropertyValue {
  /// Its approximate size.
  var bytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .number, .bool: 8
    case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count + 16 }
    }
  }
}
