import Naming
import Testing
import UserNotifications
import Vocabulary

/// What people do about notifications, and what becomes of those then.
@Suite struct TrayResponseTests {
  private func respond(
    _ id: NotificationID, _ actionID: String, _ device: DeviceID? = "tv", text: String? = nil
  ) -> TrayCommand {
    .report(id, .responded(actionID: actionID, text: text), on: device)
  }

  private func scene(outlivesResponse: Bool = false) throws -> TrayScene {
    var scene = try TrayScene.household()
    for device in ["phone", "tv"] as [DeviceID] { try scene.connect(device) }
    try scene.settlePushes(
      try scene.post("n1", addressing: TrayAddressing(outlivesResponse: outlivesResponse)))
    return scene
  }

  @Test func `a response on one device ends it on all the others`() throws {
    var scene = try scene()
    let decision = try scene.run(respond("n1", ActionIdentifier.defaultAction))
    #expect(decision.events.contains(.ended(["n1"], .answered)))
    #expect(decision.revokedOn == ["phone"])
    #expect(decision.pushedTo == ["browser"])
  }

  // Proves: §7.14
  @Test func `a response that is replayed, late or made up is refused`() throws {
    var scene = try scene()
    let accept = respond("n1", ActionIdentifier.accept)
    try scene.run(accept)
    #expect(scene.rejection(accept) == .notificationOver)
    #expect(scene.rejection(respond("n1", ActionIdentifier.decline)) == .notificationOver)
    #expect(scene.rejection(respond("n2", ActionIdentifier.accept)) == .unknownNotification)
    try scene.post("n3")
    let long = respond("n3", "REPLY", text: String(repeating: "x", count: 5_000))
    #expect(scene.rejection(long) == .tooLong(limit: scene.policy.responseBytes))
    for report in [.removed, .acknowledged(.presented)] as [NotificationReport] {
      for id in ["n1", "n2"] as [NotificationID] {
        #expect(try scene.run(.report(id, report, on: "tv")).isRepeat, "of no use any more")
      }
      #expect(try scene.run(.report("n3", report, on: nil)).isRepeat, "nobody knows where")
    }
  }

  @Test func `a dismissed notification stands on elsewhere`() throws {
    var scene = try scene()
    let dismissal = respond("n1", ActionIdentifier.dismissAction)
    let decision = try scene.run(dismissal)
    #expect(decision.events.count == 1)
    #expect(decision.effects.isEmpty)
    #expect(try scene.connect("tv").list?.map(\.isPutAway) == [true])
    #expect(try scene.connect("phone").list?.map(\.isPutAway) == [false])
    #expect(try scene.run(dismissal).isRepeat)
  }

  @Test func `an invitation stands until it is taken back, whatever is said to it`() throws {
    var scene = try scene(outlivesResponse: true)
    let responses = [
      TrayResponse(actionID: ActionIdentifier.reply, text: "in a minute", on: "tv"),
      TrayResponse(actionID: ActionIdentifier.dismissAction, on: "phone"),
      TrayResponse(actionID: ActionIdentifier.accept, on: nil),
    ]
    for response in responses {
      let command = respond("n1", response.actionID, response.device, text: response.text)
      #expect(try scene.run(command).events == [.responded("n1", response)])
      #expect(try scene.run(command).isRepeat)
      #expect(scene.tray["n1"]?.response == response)
    }
    let decision = try scene.run(.revoke(["n1"]))
    #expect(decision.revokedOn == ["phone", "tv"])
    #expect(decision.pushedTo == ["browser"])
  }

  @Test func `one who responds from ever other devices fills no memory`() throws {
    var scene = try scene(outlivesResponse: true)
    for number in 1...100 {
      try scene.run(respond("n1", "a", DeviceID("stranger\(number)")))
    }
    #expect(scene.tray["n1"]?.deliveries.keys.sorted() == ["browser"])
  }
}
