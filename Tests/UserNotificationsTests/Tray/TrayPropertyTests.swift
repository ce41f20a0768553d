import Naming
import Testing
import UserNotifications
import Vocabulary

/// Whatever happens, in whatever order.
@Suite struct TrayPropertyTests {
  static let devices: [DeviceID] = ["phone", "browser", "tv", "tablet"]
  static let endpoints: [PushEndpoint?] = [
    TrayScene.iPhone, TrayScene.browser, nil,
    .apns(token: "ffff", topic: "app", isSandbox: true),
  ]

  private struct World {
    var scene = TrayScene()
    var random: SplitMix64
    /// Pushes that nobody knows the outcome of yet.
    var orders: [PushOrder] = []
    var nextID = 1

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      scene.policy.notifications = 6
      scene.policy.installations = 3
      scene.policy.subscriptions = 4
    }

    mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

    mutating func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func step() throws {
      let device = pick(devices)
      let id = NotificationID("n\(max(1, nextID - Int.random(in: 0..<6, using: &random)))")
      switch Int.random(in: 0..<30, using: &random) {
      case 0..<3:
        run(.register(device, mode: pick(RegistrationMode.allCases), pick(endpoints)))
      case 3: run(pick([.unregister(device), .tokenTaken("a1b2"), .wipe]))
      case 4..<7: post()
      case 7..<10: run(.report(id, .acknowledged(pick(DeliveryResult.allCases)), on: device))
      case 10: run(.report(id, .removed, on: device))
      case 11..<13: run(.report(id, response(), on: chance(3) ? nil : device))
      case 13: run(pick([.revoke([id]), .remove([id, "n1"])]))
      case 14: run(subscription())
      case 15..<19:
        if scene.connected.remove(device) == nil {
          scene.connected.insert(device)
          run(.connected(device))
        } else {
          run(.presenceChanged)
        }
      case 19..<26: finishPush()
      default:
        scene.now = scene.now + .seconds(pick([1, 30, 130, 4_000]))
        run(.clockAdvanced)
      }
    }

    private mutating func post() {
      var addressing = TrayAddressing(
        devices: chance(4) ? [pick(devices)] : nil, outlivesResponse: chance(3))
      if chance(5) {
        addressing.options.transports[pick(TransportKind.allCases)] = .init(isEnabled: false)
      }
      let notification = scene.notification(
        NotificationID("n\(nextID)"), chance(3) ? nil : "text",
        collapse: chance(3) ? pick(["a", "b"]) : nil,
        lives: chance(3) ? .seconds(pick([60, 600])) : nil)
      nextID += 1
      run(.post(notification, addressing))
    }

    private mutating func response() -> NotificationReport {
      let action = pick([
        ActionIdentifier.accept, ActionIdentifier.dismissAction, ActionIdentifier.reply,
      ])
      return .responded(actionID: action, text: chance(2) ? "text" : nil)
    }

    private mutating func subscription() -> TrayCommand {
      let topic = Subscription.topic(TopicID("t\(Int.random(in: 0..<9, using: &random))"))
      let object = Subscription.object(.part(.queue, of: pick(["s1", "s2"])))
      return pick([
        .subscribe(topic), .subscribe(object), .unsubscribe(topic),
        .objectsOver([.part(.queue, of: "s1")]),
      ])
    }

    private mutating func finishPush() {
      guard !orders.isEmpty else { return }
      let order = orders.remove(at: Int.random(in: 0..<orders.count, using: &random))
      let result: PushResult = pick([
        .delivered, .delivered, .retry(after: .seconds(20)), .refused,
        .forget(since: chance(2) ? scene.now : scene.now - .seconds(60)),
      ])
      run(
        .pushEnded(
          order.notification.id, to: order.device, at: order.endpoint, attempt: order.attempt,
          result))
    }

    mutating func run(_ command: TrayCommand) {
      let before = scene.tray
      do throws(TrayRejection) {
        let decision = try scene.run(command)
        check(decision, of: command)
        orders += decision.pushes
      } catch { #expect(scene.tray == before) }
      check()
    }

    private func check(_ decision: TrayDecision, of command: TrayCommand) {
      for order in decision.pushes {
        let isAsked = decision.events.contains {
          if case .pushing(order.notification.id, let devices, _) = $0 {
            devices.contains(order.device)
          } else {
            false
          }
        }
        #expect(isAsked, "\(command)")
        #expect(scene.tray.installation(on: order.device)?.endpoint == order.endpoint)
      }
      #expect(Set(decision.deliveredTo).isSubset(of: scene.connected), "\(command)")
      #expect(Set(decision.revokedOn).isSubset(of: scene.connected), "\(command)")
      #expect(Set(decision.deliveredTo).count == decision.deliveredTo.count, "\(command)")
    }

    func check() {
      let (tray, policy) = (scene.tray, scene.policy)
      let devices = tray.installations.map(\.device)
      #expect(devices.count <= policy.installations && Set(devices).count == devices.count)
      let tokens = tray.installations.compactMap(\.endpoint?.token)
      #expect(Set(tokens).count == tokens.count)
      #expect(tray.subscriptions.count <= policy.subscriptions)
      #expect(tray.entries.count <= policy.notifications)
      #expect(Set(scene.standing).count == tray.entries.count)
      let places = tray.entries.compactMap(\.notification.collapseID)
      #expect(Set(places).count == places.count)
      #expect(Set(scene.standing).isDisjoint(with: tray.past))
      for entry in tray.entries {
        #expect(entry.notification.expires.map { $0 > scene.now } == true)
        #expect(Set(entry.deliveries.keys).isSubset(of: devices))
        for (device, delivery) in entry.deliveries where delivery.nextPush != nil {
          #expect(!delivery.hasArrived && delivery.attempts > 0, "\(device)")
        }
      }
    }

    /// Everybody answers, nobody is connected: nothing is left to be done but what expires.
    mutating func finish() {
      scene.connected = []
      run(.presenceChanged)
      while let order = orders.popLast() {
        run(
          .pushEnded(
            order.notification.id, to: order.device, at: order.endpoint, attempt: order.attempt,
            .delivered))
      }
      scene.now = scene.now + scene.policy.pushPatience
      run(.clockAdvanced)
      while let order = orders.popLast() {
        run(
          .pushEnded(
            order.notification.id, to: order.device, at: order.endpoint, attempt: order.attempt,
            .delivered))
      }
      for entry in scene.tray.entries {
        #expect(entry.deliveries.values.allSatisfy { $0.nextPush == nil })
        for installation in scene.tray.installations {
          guard let transport = installation.endpoint?.transport,
            let payload = entry.notification(for: installation, over: transport)?.payload,
            transport != .webPush || payload.alert != nil || !payload.revokes.isEmpty
          else { continue }
          #expect(entry.deliveries[installation.device] != nil, "everyone was asked once")
        }
      }
      scene.now = scene.now + scene.policy.timeToLive
      run(.clockAdvanced)
      scene.now = scene.now + scene.policy.revocationLifetime
      run(.clockAdvanced)
      #expect(scene.tray.entries.isEmpty)
      #expect(scene.tray.nextDeadline == nil)
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `bounds hold, nobody is pushed to in vain, and a replay is the same`(seed: UInt64) throws {
    var world = World(seed: seed)
    for _ in 0..<120 { try world.step() }
    #expect(world.scene.replayed == world.scene.tray, "seed \(seed)")
    world.finish()
    #expect(world.scene.replayed == world.scene.tray, "seed \(seed)")
  }
}
