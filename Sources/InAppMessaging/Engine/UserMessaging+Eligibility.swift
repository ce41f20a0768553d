internal import Vocabulary

/// Why a campaign is not shown to a person.
struct Ineligibility: Error, Equatable {
  let refusal: InAppMessage.Refusal
  let clue: Evaluation.Clue?

  init(_ refusal: InAppMessage.Refusal, _ clue: Evaluation.Clue? = nil) {
    self.refusal = refusal
    self.clue = clue
  }
}

extension UserMessaging {
  /// Why a campaign is not shown to the person, apart from the intervals.
  ///
  /// - Parameters:
  ///   - rule: the campaign's rule.
  ///   - own: the delivery to check, which does not block itself.
  ///   - device: the device for which the audience is evaluated; `nil` for none.
  ///   - asksAudience: whether the audience is evaluated; not after the delay, unless the campaign
  ///     wants it.
  ///   - now: the present time.
  func ineligibility(
    to rule: borrowing CampaignRule, except own: MessageID? = nil,
    on device: DevicePresence?, asksAudience: Bool = true, at now: Instant
  ) -> Ineligibility? {
    if let ineligibility = rule.ineligibility(at: now) { return ineligibility }
    if asksAudience, !rule.audience.holds(for: self, on: device) { return Ineligibility(.audience) }
    return historyBar(to: rule, except: own, at: now)
  }

  /// Why a campaign is not shown because of impressions, deliveries under way or failures.
  func historyBar(
    to rule: borrowing CampaignRule, except own: MessageID? = nil, at now: Instant
  ) -> Ineligibility? {
    var open = 0
    for delivery in deliveries
    where delivery.isReserving && delivery.id != own && delivery.campaign == rule.id {
      // A newer item to watch replaces a delivery under way; other campaigns wait for theirs to
      // end.
      guard rule.bindsSession else { return Ineligibility(.reserved) }
      open += 1
    }
    for (place, cap) in rule.caps.enumerated()
    where open + impressions(of: rule.id, in: cap.window, at: now) >= cap.limit {
      return Ineligibility(.cap, .place(place))
    }
    if let last = history.last(of: rule.id) {
      switch rule.reEligibility {
      case .never: return Ineligibility(.frequency)
      case .after(let window):
        if now - min(last, now) < window { return Ineligibility(.frequency, .until(last + window)) }
      }
    }
    return failed.contains(rule.id) ? Ineligibility(.invalidContent) : nil
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

  /// Why the intervals keep a campaign back.
  func distanceBar(
    to rule: borrowing CampaignRule, of triggerClass: TriggerClass,
    except own: MessageID? = nil,
    after delay: Duration, at now: Instant, under policy: MessagingPolicy
  ) -> Ineligibility? {
    guard !rule.bindsSession else { return nil }
    let free: Instant?
    switch rule.interval {
    case .ignore: return nil
    case .inherit: free = distanceEnd(for: triggerClass, except: own, at: now, under: policy)
    case .atLeast(let minimum):
      free = lastStart(except: own, at: now) { _ in true }.map { $0 + minimum }
    }
    guard let free, now + delay < free else { return nil }
    return Ineligibility(.interval, .until(free))
  }

  /// When the rules next allow a message of that class; `nil` if always.
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
  /// An offered message without a report counts as shown, because it may be shown before the next
  /// one. No start is later than now, so that a clock that stepped back does not block messages.
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
  /// Why the campaign is shown to nobody.
  func ineligibility(at now: Instant) -> Ineligibility? {
    guard isLive else { return Ineligibility(.notLive) }
    if let start, now < start { return Ineligibility(.notLive, .until(start)) }
    if let end, now >= end { return Ineligibility(.notLive) }
    return nil
  }
}

extension Delivery {
  /// Whether the intervals of other messages count from it.
  var keepsDistance: Bool { !isTest && !isSessionBound }
}
