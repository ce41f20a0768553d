internal import Vocabulary

/// What keeps a campaign from a person.
struct Bar: Error, Equatable {
  let refusal: InAppMessage.Refusal
  let clue: Evaluation.Clue?

  init(_ refusal: InAppMessage.Refusal, _ clue: Evaluation.Clue? = nil) {
    self.refusal = refusal
    self.clue = clue
  }
}

extension UserMessaging {
  /// What keeps a campaign from the person, other than distance from other messages.
  ///
  /// - Parameters:
  ///   - own: the delivery that is asked for, which does not stand in its own way.
  ///   - device: where the audience is asked; `nil` for none of the devices.
  ///   - asksAudience: not when the delay is over, unless the campaign wants it.
  func bar(
    to rule: borrowing CampaignRule, except own: MessageID? = nil,
    on device: DevicePresence?, asksAudience: Bool = true, at now: Instant
  ) -> Bar? {
    if let bar = rule.bar(at: now) { return bar }
    if asksAudience, !rule.audience.holds(for: self, on: device) { return Bar(.audience) }
    return historyBar(to: rule, except: own, at: now)
  }

  /// What keeps a campaign from the person for what they saw and see, and for what failed.
  func historyBar(
    to rule: borrowing CampaignRule, except own: MessageID? = nil, at now: Instant
  ) -> Bar? {
    var open = 0
    for delivery in deliveries
    where delivery.isReserving && delivery.id != own && delivery.campaign == rule.id {
      // The newest item to watch replaces what is on its way; others wait for the one before.
      guard rule.bindsSession else { return Bar(.reserved) }
      open += 1
    }
    for (place, cap) in rule.caps.enumerated()
    where open + impressions(of: rule.id, in: cap.window, at: now) >= cap.limit {
      return Bar(.cap, .place(place))
    }
    if let last = history.last(of: rule.id) {
      switch rule.reEligibility {
      case .never: return Bar(.frequency)
      case .after(let window):
        if now - min(last, now) < window { return Bar(.frequency, .until(last + window)) }
      }
    }
    return failed.contains(rule.id) ? Bar(.invalidContent) : nil
  }

  private func impressions(
    of campaign: CampaignID, in window: FrequencyCap.Window, at now: Instant
  ) -> Int {
    switch window {
    case .ever: return history.count(of: campaign)
    case .session:
      guard let sessionStart else { return history.count(of: campaign) }
      return history.count(of: campaign) { $0 >= sessionStart }
    case .rolling(let window): return history.count(of: campaign) { now - $0 < window }
    }
  }

  /// What keeps a campaign at a distance from other messages.
  func distanceBar(
    to rule: borrowing CampaignRule, of triggerClass: TriggerClass,
    except own: MessageID? = nil,
    after delay: Duration, at now: Instant, under policy: MessagingPolicy
  ) -> Bar? {
    guard !rule.bindsSession else { return nil }
    let free: Instant?
    switch rule.interval {
    case .ignore: return nil
    case .inherit: free = distanceEnd(for: triggerClass, except: own, at: now, under: policy)
    case .atLeast(let minimum):
      free = lastStart(except: own, at: now) { _ in true }.map { $0 + minimum }
    }
    guard let free, now + delay < free else { return nil }
    return Bar(.interval, .until(free))
  }

  /// From when on the rules let a message of that class onto the screen; `nil` if always.
  func distanceEnd(
    for triggerClass: TriggerClass, except own: MessageID? = nil, at now: Instant,
    under policy: MessagingPolicy
  ) -> Instant? {
    var end: Instant?
    for rule in policy.intervals where rule.appliesTo.contains(triggerClass) {
      let last = lastStart(except: own, at: now) { rule.startedBy.contains($0) }
      if let last { end = max(end ?? last, last + rule.minimum) }
    }
    return end
  }

  /// When a message of these classes last came on the screen.
  ///
  /// One that was offered and not heard of yet counts as if it had: it may be there before the next
  /// is. A clock that stepped back must not keep messages away, so no start is later than now.
  private func lastStart(
    except own: MessageID?, at now: Instant, where matches: (TriggerClass) -> Bool
  ) -> Instant? {
    var last: Instant?
    func note(_ start: Instant?, _ triggerClass: TriggerClass) {
      guard let start, matches(triggerClass) else { return }
      last = max(last ?? start, start)
    }
    note(starts.foreground, .foreground)
    note(starts.contextual, .contextual)
    for delivery in deliveries where delivery.keepsDistance && delivery.id != own {
      if case .offered(_, let at) = delivery.phase { note(at, delivery.cause.triggerClass) }
    }
    return last.map { min($0, now) }
  }
}

extension CampaignRule {
  /// What keeps the campaign from everybody.
  func bar(at now: Instant) -> Bar? {
    guard isLive else { return Bar(.notLive) }
    if let start, now < start { return Bar(.notLive, .until(start)) }
    if let end, now >= end { return Bar(.notLive) }
    return nil
  }
}

extension Delivery {
  /// Whether others keep their distance from it.
  var keepsDistance: Bool { !isTest && !isSessionBound }
}
