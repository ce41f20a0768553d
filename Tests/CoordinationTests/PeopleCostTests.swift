import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// What requests about messages and notifications cost.
@Suite struct PeopleCostTests {
  /// Ann and Bob, who both subscribe to the group's talk.
  private func scene(_ limits: Limits) throws -> Stage {
    var stage = try Stage.notifying(limits: limits)
    for device in ["a", "b"] as [DeviceID] {
      try stage.install(device, as: device == "a" ? "ann" : "bob", in: "g")
      try stage.notify(device, .subscribe(.topic("group/g/talk")))
    }
    return stage
  }

  /// A publication of 2 KiB.
  private let publication = Request.notifications(
    .publish(
      TopicPublication(
        to: "group/g/talk",
        alert: .init(body: .init(String(repeating: "x", count: 2_048))))))

  /// Publishes until it is refused; returns how often that went well.
  private func publish(_ stage: inout Stage, by device: DeviceID) -> (Int, ProtocolError?) {
    for count in 0..<500 {
      let request = stage.post(publication, from: device)
      if case .failure(let error)? = stage[device].answers[request]?.first { return (count, error) }
    }
    return (500, nil)
  }

  @Test func `a publication leaves a copy in the journal for each subscriber`() throws {
    var limits = Limits()
    limits.userJournalBytes = 100 * 1024
    var stage = try scene(limits)
    let (count, refusal) = publish(&stage, by: "a")
    // Two copies of 2.4 KiB each.
    #expect(count > 15 && count < 25, "\(count)")
    #expect(refusal?.code == .rateLimited && refusal?.reason == "user")
    #expect(try #require(refusal?.retryAfter) > .seconds(600))
    try stage.ask("b", publication)
    try stage.ask("a", .notifications(.unsubscribe(.topic("group/g/talk"))))
    try stage.ask("a", .leaveGroup)
  }

  @Test func `a publication to many costs what it makes the server send`() throws {
    var limits = Limits()
    (limits.userCostBurst, limits.userCostPerSecond) = (1 << 20, 1 << 18)
    var stage = try scene(limits)
    for number in 0..<30 {
      let device = DeviceID("d\(number)")
      try stage.install(device, as: UserID(device.text), in: "g")
      try stage.notify(device, .subscribe(.topic("group/g/talk")))
    }
    let (count, refusal) = publish(&stage, by: "a")
    #expect(count > 2 && count < 10, "\(count)")
    #expect(refusal?.code == .rateLimited)
  }
}
