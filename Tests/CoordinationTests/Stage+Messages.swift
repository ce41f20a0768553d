import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// People, their campaigns, and the messages that they are sent.
extension Stage {
  /// A server with these campaigns, no distance between messages, and no client yet.
  static func campaigning(
    _ campaigns: [Campaign], limits: Limits = Limits(), intervals: [IntervalRule] = [],
    seed: UInt64 = 1, journal: SharedJournal = SharedJournal()
  ) throws -> Stage {
    var policy = MessagingPolicy()
    policy.intervals = intervals
    var stage = Stage(limits: limits, messaging: policy, seed: seed, journal: journal)
    stage.handle(.campaigns(try CampaignSet(campaigns)))
    return stage
  }

  /// The device says hello, and that its app is in sight.
  mutating func open(
    _ device: DeviceID, as user: UserID = "ann", epoch: Int = 1, isVisible: Bool = true
  ) throws {
    connect(as: device, user: user)
    try tell(device, .appState(AppState(isVisible: isVisible, epoch: epoch)))
  }

  @discardableResult
  mutating func tell(_ device: DeviceID, _ request: MessagingRequest) throws -> Answer {
    try ask(device, .messaging(request))
  }

  @discardableResult
  mutating func log(_ device: DeviceID, _ name: String = "go", _ sequence: Int? = nil) throws
    -> Answer
  {
    try tell(device, .logEvent(name, [:], sequence: sequence))
  }

  mutating func report(_ device: DeviceID, _ message: MessageID, _ reports: MessageReport...) throws
  {
    for report in reports { try tell(device, .report(message, report, sequence: nil)) }
  }

  /// The message that was sent there last is seen and closed.
  mutating func watch(_ device: DeviceID) throws {
    let id = try #require(deliveries(device).last?.id)
    try report(device, id, .started, .impression, .dismissed(.closeButton))
  }

  /// The messages that a device was sent on its connection.
  func deliveries(_ device: DeviceID) -> [InAppMessage] { sentDeliveries(device).map(\.message) }

  /// The messages as they were sent.
  func sentDeliveries(_ device: DeviceID) -> [MessageDelivery] {
    inbox(device).compactMap {
      if case .inAppMessage(let delivery) = $0 { delivery } else { nil }
    }
  }

  func revocations(_ device: DeviceID) -> [MessageRevocation] {
    inbox(device).compactMap {
      if case .messageRevoked(let revocation) = $0 { revocation } else { nil }
    }
  }

  func messaging(_ user: UserID = "ann") -> UserMessaging? {
    coordinator.people.users[user]?.messaging
  }

  /// The person's events, as the journal has them.
  func kept(_ user: UserID = "ann") -> [MessagingEvent] {
    (journal.live[.user(user)] ?? []).compactMap {
      if case .user(let event) = $0.event { event } else { nil }
    }
  }
}

extension Campaign {
  /// A live campaign that an event `go` triggers, with a modal for everyone, always again.
  static func sample(
    _ id: CampaignID, on name: String = "go", _ change: (inout Campaign) -> Void = { _ in }
  ) -> Campaign {
    let message = InAppMessage(id: "", kind: .modal, body: .text(.init("Hello")))
    var campaign = Campaign(
      id: id, name: id.text, triggers: [.event(name: name, filters: [])],
      variants: [.init(id: "a", .message(message))])
    campaign.reEligibility = .after(.zero)
    change(&campaign)
    return campaign
  }
}

extension UserMessaging {
  /// The messages that these events make.
  init(replaying records: some Collection<RecordedEvent>, id: UserID) {
    self.init(id)
    for record in records {
      if case .user(let event) = record.event { evolve(event, at: record.at) }
    }
  }
}
