import Naming
import Testing
import UserNotifications
import Vocabulary

/// What is left to be pushed, and when, over failures and restarts.
@Suite struct PushingTests {
  private func scene() throws -> (TrayScene, PushOrder) {
    var scene = TrayScene()
    try scene.run(.register("phone", TrayScene.iPhone))
    let order = try #require(try scene.post("n1").pushes.first)
    return (scene, order)
  }

  private func ended(_ order: PushOrder, _ result: PushResult) -> TrayCommand {
    .pushEnded(
      order.notification.id, to: order.device, at: order.endpoint, attempt: order.attempt, result)
  }

  @Test func `a push that was taken is not asked for again`() throws {
    var (scene, order) = try scene()
    #expect(order.endpoint == TrayScene.iPhone && order.attempt == 1)
    #expect(scene.tray.nextDeadline == scene.now + scene.policy.pushPatience)
    try scene.run(ended(order, .delivered))
    #expect(scene.tray["n1"]?.deliveries["phone"]?.isPushed == true)
    #expect(try scene.advance(.seconds(1_000)).isRepeat)
    #expect(try scene.run(ended(order, .delivered)).isRepeat)
    #expect(try scene.connect("phone").list?.map(\.isNew) == [true], "it said nothing yet")
  }

  @Test func `one that failed is tried again when its push service wants it`() throws {
    var (scene, order) = try scene()
    for attempt in 2...5 {
      try scene.run(ended(order, .retry(after: .seconds(30))))
      #expect(try scene.advance(.seconds(29)).pushes.isEmpty)
      order = try #require(try scene.advance(.seconds(1)).pushes.first)
      #expect(order.attempt == attempt)
    }
    try scene.run(ended(order, .refused))
    #expect(try scene.advance(.seconds(1_000)).isRepeat)
    #expect(scene.standing == ["n1"], "the device may still come")
  }

  @Test func `what a server was at when it was killed is done by the next one`() throws {
    var (scene, first) = try scene()
    scene.tray = scene.replayed
    #expect(try scene.run(.presenceChanged).isRepeat, "the other one may have done it")
    let again = try #require(try scene.advance(scene.policy.pushPatience).pushes.first)
    #expect(again.attempt == 2)
    #expect(try scene.run(ended(first, .retry(after: .seconds(1)))).isRepeat, "an older attempt")
    #expect(try scene.run(ended(first, .refused)).isRepeat)
    try scene.run(ended(first, .delivered))
    #expect(try scene.run(ended(again, .retry(after: .seconds(1)))).isRepeat)
    #expect(scene.tray["n1"]?.deliveries["phone"]?.isPushed == true)
  }

  @Test func `a device that came meanwhile is not pushed to, and is when it goes again`() throws {
    var (scene, order) = try scene()
    try scene.run(ended(order, .retry(after: .seconds(30))))
    try scene.connect("phone")
    #expect(try scene.advance(.seconds(30)).events == [.pushSpared("n1", to: "phone")])
    #expect(scene.tray.nextDeadline == scene.tray["n1"]?.notification.expires)
    #expect(try scene.disconnect("phone").pushedTo == ["phone"])
    try scene.connect("phone")
    try scene.run(.report("n1", .acknowledged(.presented), on: "phone"))
    #expect(try scene.disconnect("phone").isRepeat)
  }

  @Test func `an endpoint that is given up is not pushed to any more`() throws {
    var (scene, order) = try scene()
    try scene.run(ended(order, .retry(after: .seconds(30))))
    try scene.run(.register("phone"))
    #expect(try scene.advance(.seconds(30)).events == [.pushSpared("n1", to: "phone")])
    #expect(try scene.run(ended(order, .forget(since: scene.now))).isRepeat)
  }

  @Test func `a push service that forgot an installation has it forgotten, unless it is newer`()
    throws
  {
    var (scene, order) = try scene()
    let before = scene.now
    scene.now = scene.now + .seconds(60)
    try scene.run(.register("phone", TrayScene.iPhone))
    #expect(try scene.run(ended(order, .forget(since: before))).isRepeat)
    #expect(
      try scene.run(ended(order, .forget(since: scene.now))).events
        == [.unregistered("phone", .gone)])
    try scene.run(.register("phone", TrayScene.iPhone))
    try scene.run(ended(order, .forget(since: scene.now)))
    #expect(scene.tray.installations.isEmpty)
    #expect(scene.standing == ["n1"])
  }

  @Test func `a push service that forgot an endpoint leaves the one that came since`() throws {
    var (scene, order) = try scene()
    let other = PushEndpoint.apns(token: "0102", topic: "org.example.app", isSandbox: false)
    try scene.run(.register("phone", other))
    #expect(try scene.run(ended(order, .forget(since: scene.now))).isRepeat)
    #expect(scene.tray.installations.map(\.endpoint) == [other])
  }

  @Test func `only the installation that is gone goes`() throws {
    var scene = try TrayScene.household()
    let decision = try scene.post("n1")
    let order = try #require(decision.pushes.first { $0.device == "browser" })
    try scene.run(ended(order, .forget(since: scene.now)))
    #expect(scene.tray.installations.map(\.device) == ["phone", "tv"])
    #expect(scene.tray["n1"]?.deliveries.keys.sorted() == ["phone"])
  }

  @Test func `a browser is pushed only what shows a text, and what takes one back`() throws {
    var scene = try TrayScene.household()
    #expect(try scene.post("d1", nil).pushedTo == ["phone"])
    var payload = NotificationPayload()
    payload.badge = 3
    let counts = RemoteNotification(id: "b1", date: scene.now, payload: payload)
    #expect(try scene.run(.post(counts)).pushedTo == ["phone"])
    let shown = try scene.post("n1")
    #expect(shown.pushedTo == ["browser", "phone"])
    try scene.settlePushes(shown)
    #expect(try scene.run(.revoke(["n1", "b1"])).pushedTo == ["browser", "phone"])
    // The page is told of the rest once it connects.
    #expect(try scene.connect("browser").list?.map(\.notification.id).contains("d1") == true)
  }

  @Test func `a push that an earlier server began for nothing is not made again`() throws {
    var scene = TrayScene()
    try scene.run(.register("browser", TrayScene.browser))
    try scene.post("d1", nil)
    let due = scene.now + .seconds(30)
    scene.tray.evolve(.pushing("d1", to: ["browser"], until: due), at: scene.now)
    #expect(try scene.advance(.seconds(30)).events == [.pushSpared("d1", to: "browser")])
    #expect(scene.standing == ["d1"])
  }

  @Test func `a device that no push reached is not told of the end by one`() throws {
    var scene = try TrayScene.household()
    for order in try scene.post("n1").pushes {
      try scene.run(ended(order, order.device == "browser" ? .refused : .delivered))
    }
    #expect(try scene.run(.revoke(["n1"])).pushedTo == ["phone"])
  }

  @Test func `a push service hears of a notification no longer than that stands`() throws {
    var scene = TrayScene()
    try scene.run(.register("phone", TrayScene.iPhone))
    let order = try #require(try scene.post("n1", lives: .seconds(60)).pushes.first)
    try scene.run(ended(order, .retry(after: .seconds(90))))
    let decision = try scene.advance(.seconds(60))
    #expect(decision.events.first == .ended(["n1"], .expired))
    #expect(decision.pushes.map(\.notification.payload.revokes) == [["n1"]])
    #expect(decision.pushes.map(\.notification.id) == ["n1-revoked"])
    _ = try scene.advance(scene.policy.revocationLifetime)
    #expect(scene.tray.entries.isEmpty)
    #expect(scene.tray.nextDeadline == nil)
  }
}
