import Demonstrations
import Scenarios
import Simulation
import Testing

/// What people of a scenario can do about notifications, and what they are told when they cannot.
@Suite struct NotificationScenarioTests {
  private func report(_ peers: String, _ steps: String) throws -> ScenarioReport {
    let scenario = try ScenarioReader(file: "test.yaml").read(
      "peers: {\(peers)}\nsteps:\n" + steps)
    var stage = MemoryStage(scenario, seed: 1)
    return ScenarioRunner.run(scenario, on: &stage)
  }

  private func check(_ peers: String, _ steps: String) throws {
    let report = try report(peers, steps)
    let hasPassed = report.hasPassed
    #expect(hasPassed, "\(report.text)")
  }

  @Test func `there is nothing to be done about a notification that is not there`() throws {
    try check(
      "ann: ",
      """
      - {at: 0, ann: register, see: {ann: connected}}
      - {after: 0.1, ann: accept invitation, see: {ann: refused noInvitation}}
      - {after: 0.1, ann: decline invitation by token, see: {ann: refused noInvitation}}
      - {after: 0.1, ann: reply Yes, see: {ann: refused noInvitation}}
      - {after: 0.1, ann: tap, see: {ann: refused noNotification}}
      - {after: 0.1, ann: dismiss notification, see: {ann: refused noNotification}}
      - {after: 0.1, ann: subscribe state, see: {ann: refused noOffer}}
      - {after: 0.1, ann: app started, see: {ann: refused runsAlready}}
      """)
  }

  @Test func `an app that does not run does nothing but what needs none`() throws {
    try check(
      "ann: , ben: ",
      """
      - {at: 0, all: [register, group join], see: {all: eligible}}
      - {after: 0.1, ann: activate, see: {ben: notification film}}
      - {after: 0, ann: join, see: {ann: invitation ben pending}}
      - {after: 0, ben: app ended, see: {ben: [not connected, notification film]}}
      - {after: 0, ben: accept invitation, see: {ben: refused notRunning}}
      - {after: 0, ben: decline invitation by token, see: {ann: invitation ben declined}}
      - {after: 0, ben: app ended, see: {ben: refused notRunning}}
      - {after: 0, ben: app started, see: {ben: [connected, no notification], for: 1}}
      """)
  }

  // Proves: §7.14
  @Test func `the first answer counts, whichever way the others come`() throws {
    try check(
      "ann: , phone: {user: ben}, watch: {user: ben}",
      """
      - {at: 0, all: register, ann phone: group join, see: {ann phone: eligible}}
      - {after: 0.1, ann: activate, see: {phone watch: notification film}}
      - {after: 0, ann: join, see: {ann: invitation ben pending}}
      - {after: 0, watch: app ended, see: {watch: not connected}}
      - {after: 0, phone: accept invitation, see: {ann: participants ann phone, phone: joined}}
      - {after: 0, watch: decline invitation by token, see: {watch: refused invitationAnswered}}
      - {after: 0, see: {ann: [invitation ben accepted, participants ann phone], throughout: 1}}
      """)
  }

  @Test func `who unregisters hears no more; who follows a part no more knows nothing of it`()
    throws
  {
    try check(
      "ann: , ben: ",
      """
      - {at: 0, all: [register, group join], see: {all: eligible}}
      - {after: 0, ann: subscribe group/demo, see: {ann: not refused invalidTopic}}
      - {after: 0.1, ann: publish group/demo Hello, see: {ann: notification Hello}}
      - {after: 0, ann: [dismiss notification, unregister], see: {ann: no notification}}
      - {after: 0.1, ann: publish group/demo Hello, see: {ann: no notification, throughout: 1}}
      - {after: 0, ann: activate, see: {ben: offered}}
      - {after: 0, ben: subscribe queue, see: {ben: not mirror queue current nothing}}
      - {after: 0.5, see: {ben: mirror queue shuffled false}}
      - {after: 0, ben: unsubscribe queue, see: {ben: not mirror queue shuffled false}}
      """)
  }

  // Proves: §7.14
  @Test(arguments: Array(stride(from: 0, through: 200, by: 10)))
  func `whenever a server dies after an answer, neither is lost`(milliseconds: Int) throws {
    var scenario = try #require(Demonstration.named("answer-and-crash")).scenario()
    let answer = try #require(
      scenario.steps.firstIndex { $0.cues.contains { $0.text == "accept invitation" } })
    guard case .after(let pause) = scenario.steps[answer].moment else {
      throw Missing.moment
    }
    scenario.steps[answer + 1].moment = .after(pause + .milliseconds(milliseconds))
    #expect(scenario.steps[answer + 1].server == [.kill])
    var stage = MemoryStage(scenario, seed: UInt64(milliseconds))
    let report = ScenarioRunner.run(scenario, on: &stage)
    let hasPassed = report.hasPassed
    #expect(hasPassed, "\(report.text)")
  }

  private enum Missing: Error { case moment }
}
