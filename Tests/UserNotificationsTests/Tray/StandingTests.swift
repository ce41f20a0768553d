import Naming
import Testing
import UserNotifications
import Vocabulary

/// What stands in a tray, for how long, and what devices are told of it.
@Suite struct StandingTests {
  @Test func `everyone with a connection hears of it there, the others are pushed to`() throws {
    var scene = try TrayScene.household()
    try scene.connect("phone")
    try scene.connect("tv")
    let decision = try scene.post("n1")
    #expect(decision.deliveredTo == ["phone", "tv"])
    #expect(decision.pushedTo == ["browser"])
    #expect(try scene.post("n1").isRepeat, "the same one")
  }

  @Test func `what is not acknowledged is listed as new at the next connect`() throws {
    var scene = try TrayScene.household()
    try scene.post("n1")
    try scene.post("n2")
    try scene.connect("tv")
    try scene.run(.report("n1", .acknowledged(.presented), on: "tv"))
    try scene.disconnect("tv")
    let list = try #require(try scene.connect("tv").list)
    #expect(list.map(\.notification.id) == ["n1", "n2"])
    #expect(list.map(\.isNew) == [false, true])
    #expect(try scene.connect("fridge").list == nil, "it never registered")
  }

  @Test func `a device that goes without a word is pushed to`() throws {
    var scene = try TrayScene.household()
    try scene.connect("phone")
    try scene.post("n1")
    try scene.post("n2")
    try scene.run(.report("n2", .acknowledged(.presented), on: "phone"))
    #expect(try scene.disconnect("phone").pushes.map(\.notification.id) == ["n1"])
    #expect(try scene.disconnect("phone").isRepeat)
  }

  @Test func `a result that is new is noted, one that says it was there before is not`() throws {
    var scene = try TrayScene.household()
    try scene.connect("tv")
    try scene.post("n1")
    for result in [.presented, .completed, .timedOut] as [DeliveryResult] {
      #expect(try scene.run(.report("n1", .acknowledged(result), on: "tv")).events.count == 1)
      #expect(try scene.run(.report("n1", .acknowledged(result), on: "tv")).isRepeat)
      #expect(try scene.run(.report("n1", .acknowledged(.alreadyDelivered), on: "tv")).isRepeat)
      #expect(scene.tray["n1"]?.deliveries["tv"]?.result == result)
    }
    #expect(try scene.run(.report("n9", .acknowledged(.presented), on: "tv")).isRepeat)
  }

  @Test func `a later one takes the place of the one it collapses with`() throws {
    var scene = try TrayScene.household()
    try scene.post("n1", collapse: "inv")
    try scene.post("n2", collapse: "other")
    let events = try scene.post("n3", collapse: "inv").events
    #expect(events.first == .ended(["n1"], .collapsed))
    #expect(scene.standing == ["n2", "n3"])
    #expect(scene.tray.entry(collapsing: "inv")?.id == "n3")
    let long = scene.notification("n4", collapse: String(repeating: "x", count: 65))
    #expect(scene.rejection(.post(long)) == .tooLong(limit: 64))
    scene.policy.collapseBytes = 0
    #expect(scene.rejection(.post(scene.notification("n5"))) == nil, "it collapses with none")
  }

  @Test func `in a full tray, too, a later one takes only the place of the one it collapses with`()
    throws
  {
    var scene = try TrayScene.household()
    scene.policy.notifications = 2
    try scene.connect("tv")
    try scene.settlePushes(try scene.post("n1"))
    try scene.settlePushes(try scene.post("n2", collapse: "inv"))
    let shown = try scene.post("n3", collapse: "inv")
    #expect(shown.events.first == .ended(["n2"], .collapsed))
    #expect(scene.standing == ["n1", "n3"])
    try scene.settlePushes(shown)
    // The other devices are told that the one before is over, though that has no place in the tray.
    let told = try scene.post("n4", collapse: "inv", addressing: TrayAddressing(devices: ["tv"]))
    #expect(scene.standing == ["n1", "n4"])
    #expect(told.deliveredTo == ["tv"] && told.revokedOn.isEmpty)
    #expect(told.pushedTo == ["browser", "phone"])
    #expect(told.pushes.allSatisfy { $0.notification.payload.revokes == ["n3"] })
    try scene.settlePushes(told)
    #expect(scene.standing == ["n1", "n4"])
    #expect(scene.replayed == scene.tray)
  }

  @Test func `a later one that is not shown ends the one before it, too`() throws {
    var scene = try TrayScene.household()
    try scene.connect("tv")
    try scene.settlePushes(try scene.post("n1", collapse: "seat"))
    let shown = try scene.post("n2", collapse: "seat")
    #expect(shown.revokedOn.isEmpty && shown.pushes.allSatisfy { $0.notification.id == "n2" })
    try scene.settlePushes(shown)
    // A silent one shows nothing anywhere.
    let silent = try scene.post("n3", nil, collapse: "seat")
    #expect(silent.events.first == .ended(["n2"], .collapsed))
    #expect(silent.revokedOn == ["tv"])
    let revocations = silent.pushes.filter { !$0.notification.payload.revokes.isEmpty }
    #expect(revocations.map(\.device).sorted() == ["browser", "phone"])
    #expect(revocations.allSatisfy { $0.notification.payload.revokes == ["n2"] })
    // One for push services alone does not reach the connected device, and one for connections
    // alone reaches no other.
    var options = PushOptions()
    options.transports[.connection] = .init(isEnabled: false)
    try scene.settlePushes(try scene.post("n4", collapse: "bell"))
    let pushed = try scene.post(
      "n5", collapse: "bell", addressing: TrayAddressing(options: options))
    #expect(pushed.revokedOn == ["tv"])
    #expect(pushed.pushes.allSatisfy { $0.notification.id == "n5" })
    try scene.settlePushes(pushed)
    let told = try scene.post("n6", collapse: "bell", addressing: TrayAddressing(devices: ["tv"]))
    #expect(told.deliveredTo == ["tv"] && told.revokedOn.isEmpty)
    #expect(told.pushes.map(\.notification.payload.revokes) == [["n5"], ["n5"]])
  }

  // Proves: §7.14
  @Test func `what is taken back goes from every device, connected or not`() throws {
    var scene = try TrayScene.household()
    try scene.connect("tv")
    try scene.settlePushes(try scene.post("n1"))
    let decision = try scene.run(.revoke(["n1", "unknown"]))
    #expect(decision.revokedOn == ["tv"])
    #expect(decision.pushedTo == ["browser", "phone"])
    for order in decision.pushes {
      #expect(order.notification.payload.isSilent)
      #expect(order.notification.payload.revokes == ["n1"])
    }
    try scene.settlePushes(decision)
    #expect(scene.standing.isEmpty)
    #expect(try scene.run(.revoke(["n1"])).isRepeat)
    #expect(try scene.post("n1").isRepeat, "it is not posted again by a server that starts anew")
  }

  @Test func `a device that was never pushed to is not woken to forget it`() throws {
    var scene = try TrayScene.household()
    for device in ["phone", "browser"] as [DeviceID] { try scene.connect(device) }
    try scene.post("n1")
    let decision = try scene.run(.revoke(["n1"]))
    #expect(decision.revokedOn == ["browser", "phone"])
    #expect(decision.pushes.isEmpty)
    try scene.disconnect("phone")
    #expect(scene.tray.entries.isEmpty)
  }

  @Test func `a browser is not pushed the end of what only its page had`() throws {
    for result in [.presented, .notPresented] as [DeliveryResult] {
      var scene = try TrayScene.household()
      let devices: [DeviceID] = ["browser", "phone"]
      for device in devices { try scene.connect(device) }
      try scene.post("n1")
      for device in devices { try scene.run(.report("n1", .acknowledged(result), on: device)) }
      for device in devices { try scene.disconnect(device) }
      let unseen = try scene.run(.revoke(["n1"]))
      #expect(unseen.pushedTo == ["phone"])
      // What was pushed stays the system's, also once the page has it.
      try scene.settlePushes(try scene.post("n2"))
      try scene.connect("browser")
      try scene.run(.report("n2", .acknowledged(result), on: "browser"))
      try scene.disconnect("browser")
      let pushed = try scene.run(.revoke(["n2"]))
      #expect(pushed.pushedTo == devices)
    }
  }

  @Test func `it expires, and nothing lives for ever`() throws {
    var scene = try TrayScene.household()
    scene.tray = NotificationTray("ann")
    try scene.run(.register("tv"))
    try scene.post("n1", lives: .seconds(60))
    try scene.post("n2")
    #expect(scene.tray.nextDeadline == scene.now + .seconds(60))
    #expect(try scene.advance(.seconds(59)).isRepeat)
    #expect(try scene.advance(.seconds(1)).events == [.ended(["n1"], .expired)])
    #expect(scene.tray.nextDeadline == Instant(microseconds: 1_000_000) + scene.policy.timeToLive)
    #expect(scene.rejection(.post(scene.notification("n3", lives: .zero))) == .expired)
    try scene.post("n4", lives: .seconds(1_000_000_000))
    #expect(scene.tray["n4"]?.notification.expires == scene.now + scene.policy.longestTimeToLive)
  }

  @Test func `a person who removes it removes it everywhere; putting it away is for one device`()
    throws
  {
    var scene = try TrayScene.household()
    for device in ["phone", "tv"] as [DeviceID] { try scene.connect(device) }
    try scene.post("n1")
    try scene.post("n2")
    try scene.run(.report("n1", .removed, on: "tv"))
    #expect(try scene.run(.report("n1", .removed, on: "tv")).isRepeat)
    #expect(try scene.connect("tv").list?.map(\.isNew) == [false, true])
    #expect(try scene.connect("phone").list?.map(\.isNew) == [true, true])
    #expect(try scene.run(.remove(["n1", "n2"])).revokedOn == ["phone", "tv"])
  }

  @Test func `there is room for so many; silent ones go first, and nobody is woken`() throws {
    var scene = try TrayScene.household()
    scene.policy.notifications = 3
    try scene.connect("tv")
    try scene.post("n1")
    try scene.post("n2", nil)
    try scene.post("n3")
    try scene.post("n4")
    #expect(scene.standing == ["n1", "n3", "n4"])
    let decision = try scene.post("n5")
    #expect(decision.events.first == .ended(["n1"], .displaced))
    #expect(decision.revokedOn == ["tv"])
    #expect(decision.pushes.map(\.notification.id) == ["n5", "n5"])
  }

  @Test func `what is for apps alone stands until all have it`() throws {
    var scene = try TrayScene.household()
    try scene.connect("tv")
    try scene.settlePushes(try scene.post("d1", nil))
    try scene.run(.report("d1", .acknowledged(.newData), on: "tv"))
    #expect(scene.standing == ["d1"], "no browser is pushed to for nothing")
    #expect(try scene.connect("browser").list?.map(\.isNew) == [true])
    #expect(
      try scene.run(.report("d1", .acknowledged(.noData), on: "browser")).events.last
        == .ended(["d1"], .settled))
    #expect(scene.tray.past.isEmpty)
    var nobody = TrayScene()
    #expect(try nobody.post("d1", nil).isRepeat, "nobody is there to have it")
    #expect(try nobody.post("n1").events.count == 1, "a person may come")
  }

  // Proves: K16
  @Test func `it goes over the ways, and with the fields, that its sender named`() throws {
    var scene = TrayScene()
    try scene.run(.register("phone", isDevelopment: true, TrayScene.iPhone))
    try scene.run(.register("browser", TrayScene.browser))
    try scene.connect("tv")
    try scene.run(.register("tv"))
    var options = PushOptions()
    options.sendsToDevelopment = false
    options.transports[.webPush] = .init(data: ["page": "film"])
    let decision = try scene.post("n1", addressing: TrayAddressing(options: options))
    #expect(decision.deliveredTo == ["tv"])
    #expect(decision.pushedTo == ["browser"])
    #expect(decision.pushes.first?.notification.payload.custom["page"] == "film")
    options = PushOptions()
    options.transports[.connection] = .init(isEnabled: false)
    let other = try scene.post("n2", addressing: TrayAddressing(options: options))
    #expect(other.deliveredTo.isEmpty)
    #expect(other.pushedTo == ["browser", "phone"])
    #expect(try scene.connect("tv").list?.map(\.notification.id) == ["n1"])
    let direct = try scene.post("n3", addressing: TrayAddressing(devices: ["phone"]))
    #expect(direct.deliveredTo.isEmpty)
    #expect(direct.pushedTo == ["phone"])
  }

  @Test(arguments: [4_096, 4_097])
  func `a payload of 4096 bytes travels, a longer one does not`(size: Int) throws {
    var scene = try TrayScene.household()
    let empty = scene.notification("n1", "").payload.jsonByteCount
    let text = String(repeating: "x", count: size - empty)
    let notification = scene.notification("n1", text)
    #expect(notification.payload.jsonByteCount == size)
    let tooLarge = TrayRejection.payload(.tooLarge(bytes: size, limit: 4_096))
    #expect(scene.rejection(.post(notification)) == (size > 4_096 ? tooLarge : nil))
    guard size == 4_096 else { return }
    var options = PushOptions()
    options.transports[.apns] = .init(data: ["x": 1])
    #expect(
      scene.rejection(.post(notification, TrayAddressing(options: options)))
        == .payload(.tooLarge(bytes: 4_102, limit: 4_096)))
    try scene.run(.post(notification))
  }
}
