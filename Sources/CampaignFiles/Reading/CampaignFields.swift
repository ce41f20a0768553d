import InAppMessaging
import Vocabulary
import YAML

/// The lines of one campaign.
struct CampaignFields {
  private let fields: MappingFields
  private let findings: Findings
  /// The campaign's default id.
  private let name: String?

  private static let known = [
    "id", "name", "state", "start", "end", "audience", "triggers", "priority", "rank",
    "reEligibility", "caps", "interval", "delay", "timeToLive", "reevaluates", "bindsSession",
    "message", "variants",
  ]

  init(_ node: FileNode, _ findings: Findings, name: String?) {
    fields = MappingFields(node, findings, "a campaign", known: Self.known)
    self.findings = findings
    self.name = name
  }

  /// The campaign; nil if there are mistakes, which are noted.
  func campaign() -> Campaign? {
    let before = findings.errors.count
    guard fields.node.isMapping, let id = id() else { return nil }
    var campaign = Campaign(id: CampaignID(id), name: id, triggers: [], variants: [])
    readLife(&campaign)
    if let node = fields["audience"] {
      var reading = AudienceReading(findings)
      campaign.audience = reading.audience(node)
    }
    campaign.triggers = triggers(campaign.state)
    readFrequency(&campaign)
    campaign.bindsSession =
      fields.read("bindsSession") { value throws(FileError) in
        try value.bool("its messages belong to the session")
      } ?? campaign.bindsSession
    campaign.variants = variants(bindsSession: campaign.bindsSession)
    return findings.errors.count == before ? campaign : nil
  }

  // MARK: Its life

  private func id() -> String? {
    if fields.has("id") {
      return fields.read("id") { value throws(FileError) in try value.identifier("an id") }
    }
    guard let name, name.isIdentifier, name.utf8.count <= CampaignLimits.identifierBytes else {
      findings.add(
        fields.node.error(
          "the campaign has no id", "add `id:` with a name that stays, such as summer-sale"))
      return nil
    }
    return name
  }

  private func readLife(_ campaign: inout Campaign) {
    campaign.name =
      fields.read("name") { value throws(FileError) in
        try value.name("a name")
      } ?? campaign.name
    campaign.state =
      fields.read("state") { value throws(FileError) in try value.choice("a state") }
      ?? campaign.state
    campaign.start = fields.read("start") { value throws(FileError) in
      try value.instant("an instant")
    }
    campaign.end = fields.read("end") { value throws(FileError) in try value.instant("an instant") }
    if let start = campaign.start, let end = campaign.end, end <= start {
      findings.add(
        fields.place(of: "end").error(
          "the campaign ends before it starts", "put `end` behind `start`, or leave one out"))
    }
  }

  // MARK: When

  private func triggers(_ state: Campaign.State) -> [Trigger] {
    let reading = TriggerReading(findings)
    let nodes =
      fields.read("triggers") { value throws(FileError) in
        value.isEmpty ? [] : try value.elementsOrSelf()
      } ?? []
    if nodes.count > CampaignLimits.triggers {
      findings.add(
        fields.place(of: "triggers").error(
          "the campaign has \(nodes.count) triggers, and at most \(CampaignLimits.triggers) are read",
          "tell cases apart with `where`, or make two campaigns of it"))
      return []
    }
    // A draft needs no trigger, because it can be sent as a trial.
    if nodes.isEmpty, state != .draft {
      findings.add(
        fields.place(of: "triggers").error(
          "nothing triggers the campaign",
          "add `triggers:`, such as sessionStart or {event: Added to list}; "
            + "only a campaign with `state: draft` needs none"))
    }
    return nodes.compactMap { reading.trigger($0) }
  }

  private func readFrequency(_ campaign: inout Campaign) {
    if let bucket = fields.read(
      "priority",
      { value throws(FileError) in try value.choice("a priority", Campaign.Priority.Bucket.self) })
    {
      campaign.priority.bucket = bucket
    }
    campaign.priority.rank =
      fields.read("rank") { value throws(FileError) in
        try value.integer("a rank", in: 0...1_000_000)
      } ?? campaign.priority.rank
    campaign.reEligibility =
      fields.read("reEligibility") { value throws(FileError) in try value.reEligibility() }
      ?? campaign.reEligibility
    campaign.caps = caps()
    campaign.interval =
      fields.read("interval") { value throws(FileError) in try value.intervalOverride() }
      ?? campaign.interval
    readTimes(&campaign)
    campaign.reevaluates =
      fields.read("reevaluates") { value throws(FileError) in
        try value.bool("the audience is looked at again")
      } ?? campaign.reevaluates
  }

  private func readTimes(_ campaign: inout Campaign) {
    campaign.delay =
      fields.read("delay") { value throws(FileError) in
        try value.duration("a delay", upTo: CampaignLimits.delay)
      } ?? campaign.delay
    campaign.timeToLive = fields.read("timeToLive") { value throws(FileError) in
      try value.duration("a time to live", upTo: CampaignLimits.timeToLive)
    }
    if let life = campaign.timeToLive, life <= campaign.delay {
      findings.add(
        fields.place(of: "timeToLive").error(
          "the time to live counts from the trigger, and is over before the message comes",
          "make it longer than the delay, such as 5m"))
    }
  }

  private func caps() -> [FrequencyCap] {
    let nodes =
      fields.read("caps") { value throws(FileError) in try value.elementsOrSelf() } ?? []
    if nodes.count > CampaignLimits.caps {
      findings.add(
        fields.place(of: "caps").error(
          "the campaign has \(nodes.count) caps, and at most \(CampaignLimits.caps) are read",
          "leave the looser ones out"))
      return []
    }
    return nodes.compactMap { node in
      findings.note { () throws(FileError) in try node.cap() }
    }
  }

  // MARK: What

  private func variants(bindsSession: Bool) -> [Campaign.Variant] {
    guard fields.has("message") != fields.has("variants") else {
      let problem =
        fields.has("message") ? "the campaign has both a message and variants" : "nothing is said"
      findings.add(
        fields.place(of: "message").error(
          problem, "add `message:`, or `variants:` with a message each"))
      return []
    }
    if let node = fields["message"] {
      guard let content = content(node) else { return [] }
      if content == .control {
        findings.add(
          node.error(
            "nobody would see anything of the campaign",
            "put the control beside a message, under `variants:`"))
      }
      return [Campaign.Variant(id: "1", content)]
    }
    return VariantReading(findings).variants(fields["variants"] ?? fields.node) { node in
      let content = content(node)
      if content == .control, bindsSession {
        findings.add(
          node.error(
            "who is in a session has to see its message, and a control is shown to nobody",
            "leave the control out, or `bindsSession`"))
      }
      return content
    }
  }

  private func content(_ node: FileNode) -> Campaign.Content? {
    MessageReading(findings).content(node)
  }
}
