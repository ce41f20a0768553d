import Naming
import Testing
import UserNotifications
import Vocabulary

/// Where a person's notifications go, and what the person wants to hear of.
@Suite struct InstallationTests {
  // Proves: K6
  @Test(arguments: RegistrationMode.allCases)
  func `an installation keeps how its app registered`(mode: RegistrationMode) throws {
    var scene = TrayScene()
    try scene.run(.register("phone", mode: mode, isDevelopment: true, TrayScene.iPhone))
    #expect(
      scene.tray.installation(on: "phone")
        == Installation(
          device: "phone", mode: mode, isDevelopment: true, endpoint: TrayScene.iPhone,
          registered: scene.now))
  }

  @Test func `the last one to install a token has it, in one tray and over all`() throws {
    var scene = try TrayScene.household()
    let events = try scene.run(.register("phone2", TrayScene.iPhone)).events
    #expect(events.first == .unregistered("phone", .takenOver))
    #expect(scene.tray.installations.map(\.device) == ["browser", "tv", "phone2"])
    try scene.run(.tokenTaken(TrayScene.iPhone.token))
    #expect(scene.tray.installations.map(\.device) == ["browser", "tv"])
    #expect(try scene.run(.tokenTaken("other")).isRepeat)
  }

  @Test func `a device that registers again is the same, and hears nothing twice`() throws {
    var scene = try TrayScene.household()
    try scene.connect("phone")
    try scene.post("n1")
    try scene.run(.report("n1", .acknowledged(.presented), on: "phone"))
    scene.now = scene.now + .seconds(60)
    let decision = try scene.run(.register("phone", TrayScene.iPhone))
    #expect(decision.list?.map(\.isNew) == [false])
    #expect(scene.tray.installations.map(\.device) == ["browser", "tv", "phone"])
    #expect(scene.tray.installation(on: "phone")?.registered == scene.now)
  }

  @Test func `a device that is unregistered gets nothing more`() throws {
    var scene = try TrayScene.household()
    try scene.post("n1")
    try scene.run(.unregister("phone"))
    #expect(try scene.run(.unregister("phone")).isRepeat)
    #expect(scene.tray["n1"]?.deliveries.keys.sorted() == ["browser"])
    #expect(try scene.post("n2").pushedTo == ["browser"])
    try scene.run(.report("n2", .acknowledged(.presented), on: "phone"))
    #expect(scene.tray["n2"]?.deliveries["phone"] == nil)
  }

  @Test func `beyond the bound the one registered the longest ago goes`() throws {
    var scene = TrayScene()
    scene.policy.installations = 3
    for name in ["a", "b", "c", "a", "d"] {
      scene.now = scene.now + .seconds(1)
      try scene.run(.register(DeviceID(name)))
    }
    #expect(scene.tray.installations.map(\.device) == ["c", "a", "d"])
    #expect(scene.history.map(\.event).contains(.unregistered("b", .displaced)))
  }

  @Test func `tabs that were closed make way for one another before a phone that can be told`()
    throws
  {
    var scene = try TrayScene.household()
    scene.connected = ["tv"]
    for number in 1...scene.policy.installations {
      try scene.run(.register(DeviceID("tab \(number)")))
    }
    let kept = scene.tray.installations.map(\.device)
    #expect(kept.count == scene.policy.installations && kept.last == "tab 16")
    #expect(Array(kept.prefix(4)) == ["phone", "browser", "tv", "tab 4"])
    #expect(try scene.post("n1").pushedTo == ["browser", "phone"])
    // Where all can be told, the oldest goes.
    scene.policy.installations = 3
    scene.connected = ["tv", "laptop"]
    try scene.run(.register("laptop"))
    #expect(scene.tray.installations.map(\.device) == ["browser", "tv", "laptop"])
  }

  @Test func `an endpoint has no room for more than endpoints have`() throws {
    let scene = TrayScene()
    let long = PushEndpoint.webPush(
      endpoint: String(repeating: "x", count: scene.policy.endpointBytes), publicKey: "k",
      secret: "")
    #expect(
      scene.rejection(.register("browser", long)) == .tooLong(limit: scene.policy.endpointBytes))
  }

  // Proves: K16
  @Test func `topics and objects are subscribed to once, within a bound, and objects end`() throws {
    var scene = TrayScene()
    scene.policy.subscriptions = 3
    let topic = Subscription.topic("group/friday")
    let state = Subscription.object(.part(.state, of: "s1"))
    let queue = Subscription.object(.part(.queue, of: "s1"))
    for subscription in [topic, state, queue] {
      #expect(try scene.run(.subscribe(subscription)).events == [.subscribed(subscription)])
      #expect(try scene.run(.subscribe(subscription)).isRepeat)
    }
    let other = Subscription.object(.part(.state, of: "s2"))
    #expect(scene.rejection(.subscribe(other)) == .tooManySubscriptions(limit: 3))
    let over = [ServerObject.part(.queue, of: "s1"), .part(.state, of: "s1")]
    #expect(
      try scene.run(.objectsOver(over + [.own("votes", of: "g")])).events
        == [.unsubscribed(queue), .unsubscribed(state)])
    try scene.run(.subscribe(other))
    try scene.run(.unsubscribe(topic))
    #expect(try scene.run(.unsubscribe(topic)).isRepeat)
    #expect(scene.tray.subscriptions == [other])
  }

  @Test func `a person has room for 128 topics and objects`() throws {
    var scene = TrayScene()
    for number in 1...128 { try scene.run(.subscribe(.topic(TopicID("t\(number)")))) }
    #expect(scene.rejection(.subscribe(.topic("more"))) == .tooManySubscriptions(limit: 128))
  }

  @Test func `a wipe pushes nothing to devices that are away`() throws {
    var scene = try TrayScene.household()
    try scene.settlePushes(try scene.post("n1"))
    #expect(try scene.run(.wipe).events == [.ended(["n1"], .removed), .wiped])
  }

  @Test func `a wipe leaves nothing, and a blank tray stays blank`() throws {
    var scene = try TrayScene.household()
    try scene.run(.subscribe(.topic("t")))
    try scene.connect("tv")
    let order = try #require(try scene.post("n1").pushes.first)
    let decision = try scene.run(.wipe)
    #expect(decision.revokedOn == ["tv"])
    #expect(decision.pushes.isEmpty)
    #expect(scene.tray.isBlank)
    #expect(scene.tray.nextDeadline == nil)
    try scene.run(
      .pushEnded("n1", to: order.device, at: order.endpoint, attempt: 1, .retry(after: .seconds(1)))
    )
    #expect(try scene.run(.wipe).isRepeat)
  }
}
