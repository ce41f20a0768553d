internal import Vocabulary

/// A decision in the making: each event is applied at once, so that what follows sees it.
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

  /// Writes down what came of a campaign; the first of an event are those that matter most.
  mutating func note(_ campaign: CampaignID, trigger: UInt8? = nil, _ bar: Bar?) {
    guard hasRoomForEvaluations else { return }
    if decision.evaluations.isEmpty {
      decision.evaluations.reserveCapacity(EvaluationTrace.limit)
    }
    decision.evaluations.append(
      Evaluation(
        campaign: campaign, at: now, trigger: trigger, refusal: bar?.refusal, clue: bar?.clue))
  }

  var hasRoomForEvaluations: Bool {
    decision.evaluations.count < EvaluationTrace.limit
  }

  mutating func acknowledgeRepeat() {
    decision.isRepeat = true
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
    guard take(occurrence.identity) else { return acknowledgeRepeat() }
    let begins = beginsSession(occurrence.what)
    if let identity = occurrence.identity { record(.logged(identity)) }
    if occurrence.device != nil, user.lastSeen != now { record(.seen) }
    if begins { record(.sessionStarted) }
    if occurrence.what == .sessionStart, !begins { return }
    let isMatched = evaluate(
      .app(occurrence.what, beginsSession: begins),
      Delivery.Cause(
        event: occurrence.what, triggerClass: occurrence.what.triggerClass, at: now,
        device: occurrence.device, session: occurrence.session))
    decision.matchesNothing = !isMatched
  }

  /// Whether an event or a report is a new one.
  func take(_ identity: EventIdentity?) -> Bool {
    guard let identity, let mark = user.marks[identity.source] else { return true }
    return identity.sequence > mark.sequence
  }

  /// A session begins when the app comes to the front after the person was away for the time-out,
  /// or when it says so; saying so right after is the same session.
  private func beginsSession(_ event: AppEvent) -> Bool {
    let last: Instant?
    switch event {
    case .launch, .foreground: last = user.sessionStart == nil ? nil : user.lastSeen
    case .sessionStart: last = user.sessionStart
    case .event, .purchase, .pushOpened: return false
    }
    return last.map { now - $0 >= policy.sessionTimeOut } ?? true
  }

  /// Finds the campaigns that an event triggers, sends the first one on its way, and keeps those
  /// behind it in case it comes to nothing.
  ///
  /// - Returns: whether a live campaign waits for it, be it kept from the person or not.
  @discardableResult
  mutating func evaluate(_ event: TriggeringEvent, _ cause: Delivery.Cause) -> Bool {
    let device = origin(of: cause)
    var chosen: [CampaignID] = []
    var last: UInt16?
    var isMatched = false
    // Asked where they lie: copying two hundred rules took a fifth of the time.
    let campaigns = conditions.campaigns
    let rules = campaigns.rules.span
    var questions = campaigns.questions(about: event)
    for entry in campaigns.entries(for: event) where entry.ordinal != last {
      let ordinal = Int(entry.ordinal)
      var bar: Bar?
      if let filter = questions.unmetFilter(of: entry) {
        bar = Bar(.noMatch, .place(filter))
      } else {
        last = entry.ordinal
        bar =
          chosen.count > Delivery.mostFallbacks
          ? Bar(.outranked)
          : self.bar(to: rules[ordinal], at: ordinal, on: device, cause, &questions)
        if bar?.refusal != .notLive { isMatched = true }
        if bar == nil {
          chosen.append(rules[ordinal].id)
          bar = chosen.count == 1 ? nil : Bar(.outranked)
        }
      }
      if hasRoomForEvaluations { note(rules[ordinal].id, trigger: entry.trigger, bar) }
    }
    send(chosen[...], cause, rechecks: false)
    return isMatched
  }
}

extension MessagingDraft {
  private func bar(
    to rule: borrowing CampaignRule, at ordinal: Int, on device: DevicePresence?,
    _ cause: Delivery.Cause, _ questions: inout EventQuestions
  ) -> Bar? {
    if let bar = rule.bar(at: now) { return bar }
    guard questions.isInAudience(of: ordinal, rule, user, on: device) else {
      return Bar(.audience)
    }
    return user.historyBar(to: rule, at: now)
      ?? user.distanceBar(
        to: rule, of: cause.triggerClass, after: rule.delay, at: now, under: conditions.policy)
  }
}

extension AppEvent {
  /// Which interval rules a message falls under that it triggers.
  fileprivate var triggerClass: TriggerClass {
    switch self {
    case .launch, .foreground, .sessionStart: .foreground
    case .event, .purchase, .pushOpened: .contextual
    }
  }

  /// Refuses what is larger than anything worth a message.
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
    var bytes = 0
    for (key, value) in properties {
      try limits.check(name: key)
      bytes += key.utf8.count + value.bytes
    }
    guard bytes <= limits.eventBytes else { throw .eventTooLong(limit: limits.eventBytes) }
  }
}

extension Limits {
  func check(name: String) throws(MessagingRejection) {
    guard (1...nameBytes).contains(name.utf8.count) else {
      throw .badName(String(name.prefix(nameBytes)), limit: nameBytes)
    }
  }
}

extension PropertyValue {
  /// What it takes, about.
  var bytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .number, .bool: 8
    case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count + 16 }
    }
  }
}
