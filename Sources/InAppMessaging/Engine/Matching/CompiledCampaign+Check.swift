internal import Vocabulary

extension CompiledCampaign {
  /// Checks and compiles a campaign.
  init(_ campaign: Campaign) throws(CampaignProblem) {
    let checks = Checks(id: campaign.id)
    try checks.header(of: campaign)
    try checks.times(of: campaign)
    self.campaign = campaign
    let audience: AudienceCondition
    do { audience = try AudienceCondition(campaign.audience) } catch {
      throw checks.problem(error.field, error.reason)
    }
    dependsOnDevice = audience.dependsOnDevice
    rule = CampaignRule(campaign, audience: audience)
    filters = try checks.filters(of: campaign.triggers)
    messages = try checks.messages(of: campaign)
    totalWeight = UInt64(campaign.variants.reduce(0) { $0 + $1.weight })
    remembered = try checks.remembered(campaign.caps)
  }

  private struct Checks {
    let id: CampaignID

    func problem(_ field: String, _ reason: String) -> CampaignProblem {
      CampaignProblem(id, field, reason)
    }

    private func check(_ holds: Bool, _ field: String, _ reason: @autoclosure () -> String)
      throws(CampaignProblem)
    {
      if !holds { throw problem(field, reason()) }
    }

    func header(of campaign: Campaign) throws(CampaignProblem) {
      try check(
        (1...CampaignLimits.identifierBytes).contains(id.text.utf8.count)
          && !id.text.unicodeScalars.contains { $0.value < 0x20 },
        "id", "1 to \(CampaignLimits.identifierBytes) bytes without control characters")
      try check(
        campaign.name.utf8.count <= CampaignLimits.nameBytes, "name",
        "longer than \(CampaignLimits.nameBytes) bytes")
      // A draft is only sent as a trial, so it needs no trigger.
      try count(
        campaign.triggers, campaign.state == .draft ? 0 : 1, CampaignLimits.triggers, "triggers")
      try count(campaign.variants, 1, CampaignLimits.variants, "variants")
      try count(campaign.caps, 0, CampaignLimits.caps, "caps")
    }

    private func count(
      _ parts: [some Any], _ least: Int, _ most: Int, _ field: String
    ) throws(CampaignProblem) {
      try check(
        (least...most).contains(parts.count), field, "there must be \(least) to \(most)")
    }

    func times(of campaign: Campaign) throws(CampaignProblem) {
      if let start = campaign.start, let end = campaign.end {
        try check(start < end, "end", "it is not after the start")
      }
      try check(
        .zero <= campaign.delay && campaign.delay <= CampaignLimits.delay, "delay",
        "it is from 0 to \(CampaignLimits.delay.inSeconds) seconds")
      if let life = campaign.timeToLive {
        try check(
          campaign.delay < life, "timeToLive",
          "it counts from the trigger, and is over before the delay; make it longer")
        try check(
          life <= CampaignLimits.timeToLive, "timeToLive",
          "at most \(CampaignLimits.timeToLive.inSeconds) seconds")
      }
      if case .after(let window) = campaign.reEligibility {
        try check(window >= .zero, "reEligibility", "it is negative")
      }
      if case .atLeast(let interval) = campaign.interval {
        try check(interval >= .zero, "interval", "it is negative")
      }
    }

    func filters(of triggers: [Trigger]) throws(CampaignProblem) -> [[Condition]] {
      var all: [[Condition]] = []
      for (place, trigger) in triggers.enumerated() {
        let filters = trigger.filters
        if case .event(let name, _) = trigger {
          try check(!name.isEmpty, "triggers[\(place)].name", "name the event to wait for")
        }
        try count(filters, 0, CampaignLimits.filters, "triggers[\(place)].filters")
        var conditions: [Condition] = []
        for (number, filter) in filters.enumerated() {
          do { conditions.append(try Condition(filter)) } catch {
            throw problem("triggers[\(place)].filters[\(number)].\(error.field)", error.reason)
          }
        }
        all.append(conditions)
      }
      return all
    }

    func messages(of campaign: Campaign) throws(CampaignProblem) -> [MessageTemplate?] {
      var messages: [MessageTemplate?] = []
      for (place, variant) in campaign.variants.enumerated() {
        let field = "variants[\(place)]"
        try check(
          !campaign.variants[..<place].contains { $0.id == variant.id }, "\(field).id",
          "two variants have it; give each its own")
        try check(
          (0...CampaignLimits.weight).contains(variant.weight), "\(field).weight",
          "from 0 to \(CampaignLimits.weight)")
        switch variant.content {
        case .control:
          try check(
            !campaign.bindsSession, field,
            "a campaign whose messages belong to sessions has no control: somebody would be "
              + "in a session and see nothing of it")
          messages.append(nil)
        case .message(let message):
          try check(message.kind != .control, "\(field).kind", "write control instead of a message")
          let template: MessageTemplate
          do { template = try MessageTemplate(message) } catch {
            throw problem("\(field).\(error.field)", error.error.description)
          }
          // The results of templates are checked when the message is made.
          if !template.hasPlaces, let fault = message.universalFault {
            throw problem(field, "no client would show it: \(fault)")
          }
          messages.append(template)
        }
      }
      try check(
        campaign.variants.contains { $0.weight > 0 }, "variants", "none of them has a weight")
      return messages
    }

    /// How many impressions the caps look at, including the last one.
    func remembered(_ caps: [FrequencyCap]) throws(CampaignProblem) -> Int {
      var most = 1
      for (place, cap) in caps.enumerated() {
        try check(cap.limit > 0, "caps[\(place)].limit", "at least 1; or pause the campaign")
        if case .ever = cap.window { continue }
        if case .rolling(let window) = cap.window {
          try check(window > .zero, "caps[\(place)].window", "it is empty")
        }
        try check(
          cap.limit <= CampaignLimits.cap, "caps[\(place)].limit", "at most \(CampaignLimits.cap)")
        most = max(most, cap.limit)
      }
      return most
    }
  }
}
