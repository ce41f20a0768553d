import InAppMessaging
import Naming
import Testing
import Vocabulary

/// One person with a clock, campaigns and devices: commands are decided, and what they decide made so.
struct Person {
  var user = UserMessaging("ann")
  var now = Instant(microseconds: 1_000_000_000)
  var policy = MessagingPolicy()
  var limits = Limits()
  var campaigns = CampaignSet()
  var devices: [DevicePresence] = []
  var trace = EvaluationTrace()
  /// What was decided, in order.
  private(set) var events: [MessagingEvent] = []
  /// Messages as they were delivered, in order.
  var delivered: [(message: InAppMessage, device: DeviceID)] = []
  /// Those that were said to count as seen already, when they were delivered again.
  var seenBefore: [MessageID] = []
  var withdrawn: [MessageID] = []
  var warnings: [MessagingWarning] = []
  private var sequence = 0

  /// A person with a phone in the hand, and no distance between messages.
  init(_ campaigns: [Campaign] = [], intervals: [IntervalRule] = []) throws(CampaignProblem) {
    self.campaigns = try CampaignSet(campaigns)
    policy.intervals = intervals
    devices = [DevicePresence("phone", lastActive: now)]
  }

  var conditions: MessagingConditions {
    MessagingConditions(campaigns: campaigns, policy: policy, limits: limits, devices: devices)
  }

  @discardableResult
  mutating func run(_ command: MessagingCommand) throws(MessagingRejection) -> MessagingDecision {
    let before = user
    let decision: MessagingDecision
    do {
      decision = try user.decide(command, at: now, under: conditions)
    } catch {
      #expect(user == before)
      throw error
    }
    for event in decision.events { user.evolve(event, at: now) }
    events += decision.events
    #expect(user.seq == before.seq + decision.events.count)
    trace.note(decision.evaluations)
    for effect in decision.effects {
      switch effect {
      case .deliver(let message, let device, _, let wasSeen):
        delivered.append((message, device))
        if wasSeen { seenBefore.append(message.id) }
      case .withdraw(let id, _, _, _): withdrawn.append(id)
      case .warn(let warning): warnings.append(warning)
      }
    }
    return decision
  }

  /// An event on the phone; returns the campaigns of the messages that were delivered for it.
  @discardableResult
  mutating func log(
    _ event: AppEvent, on device: DeviceID? = "phone", in session: SessionID? = nil
  ) throws(MessagingRejection) -> [CampaignID] {
    sequence += 1
    let identity = device.map { EventIdentity(.client($0), sequence) }
    let count = delivered.count
    try run(.log(Occurrence(event, identity: identity, on: device, in: session)))
    return delivered[count...].compactMap(\.message.campaign?.id)
  }

  @discardableResult
  mutating func log(_ name: String, _ properties: [String: PropertyValue] = [:])
    throws(MessagingRejection) -> [CampaignID]
  {
    try log(.event(name: name, properties: properties))
  }

  /// Something is told of the message that was delivered last.
  mutating func report(_ reports: MessageReport...) throws {
    let id = try #require(delivered.last?.message.id)
    for report in reports { try run(.report(report, of: id)) }
  }

  /// The message that was delivered last comes on the screen, is seen, and is closed.
  mutating func watch() throws {
    try report(.started, .impression, .dismissed(.closeButton))
  }

  @discardableResult
  mutating func wait(_ duration: Duration) throws(MessagingRejection) -> [CampaignID] {
    let count = delivered.count
    let end = now + duration
    var turns = 0
    while let deadline = user.nextDeadline(under: policy), deadline <= end, turns < 100 {
      turns += 1
      now = max(now, deadline)
      try run(.clockAdvanced)
    }
    #expect(turns < 100, "the clock advances, and the same is due again")
    now = end
    return delivered[count...].compactMap(\.message.campaign?.id)
  }

  func refusal(_ campaign: CampaignID) -> InAppMessage.Refusal? { trace[campaign]?.refusal }
}

extension Campaign {
  /// A live campaign that an event `go` triggers, with a modal for everyone, always again.
  static func sample(
    _ id: CampaignID, on name: String = "go", filters: [PropertyFilter] = [],
    _ change: (inout Campaign) -> Void = { _ in }
  ) -> Campaign {
    var campaign = Campaign(
      id: id, name: id.text, triggers: [.event(name: name, filters: filters)],
      variants: [.init(id: "a", .message(.sample()))])
    campaign.reEligibility = .after(.zero)
    change(&campaign)
    return campaign
  }
}

extension InAppMessage {
  static func sample(_ text: String = "Hello") -> InAppMessage {
    InAppMessage(id: "", kind: .modal, body: .text(.init(text)))
  }
}
