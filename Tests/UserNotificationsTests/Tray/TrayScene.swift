import Naming
import Testing
import UserNotifications
import Vocabulary

/// A person's tray with a clock, and devices that come and go.
struct TrayScene {
  var tray = NotificationTray("ann")
  var now = Instant(microseconds: 1_000_000)
  var policy = TrayPolicy()
  var connected: Set<DeviceID> = []
  private(set) var history: [(event: TrayEvent, at: Instant)] = []

  static let browser = PushEndpoint.webPush(
    endpoint: "https://push.example/1", publicKey: "key", secret: "secret")
  static let iPhone = PushEndpoint.apns(token: "a1b2", topic: "app", isSandbox: false)

  /// Ann's phone can be pushed to, as can her browser; her TV only has its connection.
  static func household() throws -> TrayScene {
    var scene = TrayScene()
    try scene.run(.register("phone", iPhone))
    try scene.run(.register("browser", browser))
    try scene.run(.register("tv"))
    return scene
  }

  @discardableResult
  mutating func run(_ command: TrayCommand) throws(TrayRejection) -> TrayDecision {
    let before = tray
    let decision: TrayDecision
    do {
      decision = try tray.decide(
        command, at: now, under: TrayConditions(policy: policy, connected: connected))
    } catch {
      #expect(tray == before)
      throw error
    }
    for event in decision.events {
      tray.evolve(event, at: now)
      history.append((event, now))
    }
    #expect(tray.seq == before.seq + decision.events.count)
    return decision
  }

  @discardableResult
  mutating func connect(_ device: DeviceID) throws(TrayRejection) -> TrayDecision {
    connected.insert(device)
    return try run(.connected(device))
  }

  @discardableResult
  mutating func disconnect(_ device: DeviceID) throws(TrayRejection) -> TrayDecision {
    connected.remove(device)
    return try run(.presenceChanged)
  }

  mutating func advance(_ duration: Duration) throws(TrayRejection) -> TrayDecision {
    now = now + duration
    return try run(.clockAdvanced)
  }

  @discardableResult
  mutating func post(
    _ id: NotificationID, _ text: String? = "Film", collapse: String? = nil,
    lives: Duration? = nil, addressing: TrayAddressing = TrayAddressing()
  ) throws(TrayRejection) -> TrayDecision {
    try run(.post(notification(id, text, collapse: collapse, lives: lives), addressing))
  }

  /// A notification; silent without a text.
  func notification(
    _ id: NotificationID, _ text: String? = "Film", collapse: String? = nil,
    lives: Duration? = nil
  ) -> RemoteNotification {
    RemoteNotification(
      id: id, date: now,
      payload: text.map { NotificationPayload(.init(body: .init($0))) } ?? .silent(["n": 1]),
      collapseID: collapse, expires: lives.map { now + $0 })
  }

  /// Every push that is asked for succeeds.
  mutating func settlePushes(_ decision: TrayDecision) throws(TrayRejection) {
    for order in decision.pushes {
      try run(
        .pushEnded(
          order.notification.id, to: order.device, at: order.endpoint, attempt: order.attempt,
          .delivered))
    }
  }

  func rejection(_ command: TrayCommand) -> TrayRejection? {
    do {
      _ = try tray.decide(
        command, at: now, under: TrayConditions(policy: policy, connected: connected))
      return nil
    } catch { return error }
  }

  /// The tray that the events alone make.
  var replayed: NotificationTray {
    var tray = NotificationTray("ann")
    for (event, at) in history { tray.evolve(event, at: at) }
    return tray
  }

  var standing: [NotificationID] { tray.entries.map(\.id) }
}

extension TrayDecision {
  /// Whether the command changed nothing, such as a response that was sent again.
  var isRepeat: Bool { events.isEmpty }

  var pushes: [PushOrder] {
    effects.compactMap { if case .push(let order) = $0 { order } else { nil } }
  }

  var pushedTo: [DeviceID] { pushes.map(\.device).sorted() }

  var deliveredTo: [DeviceID] {
    effects.compactMap { if case .deliver(_, let device) = $0 { device } else { nil } }.sorted()
  }

  var revokedOn: [DeviceID] {
    effects.compactMap { if case .revoke(_, let device) = $0 { device } else { nil } }.sorted()
  }

  var list: [ListedNotification]? {
    effects.lazy.compactMap { if case .list(let list, _) = $0 { list } else { nil } }.first
  }
}
