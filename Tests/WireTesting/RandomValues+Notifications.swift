package import UserNotifications
package import Vocabulary
import Wire

extension RandomValues {
  mutating func invitationRequest(_ type: String) -> Request? {
    switch type {
    case "invite": .invite(maybe { $0.id() }, list { $0.id() }, lifetime: maybe { $0.lifetime() })
    case "revokeInvitations": .revokeInvitations(maybe { $0.id() }, list { $0.id() })
    case "answerInvitation": .answerInvitation(id(), one(), seq: maybe { $0.count() })
    default: nil
    }
  }

  mutating func notificationRequest(_ type: String) -> TrayRequest? {
    switch type {
    case "registerForNotifications":
      .register(mode: one(), isDevelopment: chance(), maybe { $0.endpoint() })
    case "unregisterFromNotifications": .unregister
    case "subscribe": .subscribe(subscription())
    case "unsubscribe": .unsubscribe(subscription())
    case "publish":
      .publish(
        TopicPublication(
          to: id(), alert: maybe { $0.alert() }, category: maybe { $0.text() },
          data: payloadFields(), options: options(), key: maybe { $0.text() }))
    case "push":
      .push(
        DirectPush(
          to: id(), notificationPayload(), options: options(), collapseID: maybe { $0.text() },
          timeToLive: maybe { $0.lifetime() }, key: maybe { $0.text() }))
    case "listNotifications": .list
    case "reportNotification": .report(id(), report())
    case "removeNotifications": .remove(list { $0.id() })
    case "wipeNotifications": .wipe
    case "objectState": .objectState(object())
    default: nil
    }
  }

  private mutating func report() -> NotificationReport {
    switch number(0...2) {
    case 0: .acknowledged(one())
    case 1: .responded(actionID: text(), text: maybe { $0.text() })
    default: .removed
    }
  }

  /// A valid lifetime of an invitation or a notification.
  private mutating func lifetime() -> Duration { .microseconds(number(1...86_400_000_000)) }
}

// MARK: Endpoints and payloads

extension RandomValues {
  /// An endpoint of a push service.
  package mutating func endpoint() -> PushEndpoint {
    chance()
      ? .webPush(endpoint: text(), publicKey: text(), secret: text())
      : .apns(token: text(), topic: text(), isSandbox: chance())
  }

  /// A subscription to a topic or to an object.
  package mutating func subscription() -> Subscription {
    chance() ? .topic(id()) : .object(object())
  }

  package mutating func object() -> ServerObject {
    chance() ? .part(one(), of: id()) : .own(id(), of: id())
  }

  /// Options, many of which differ from the defaults.
  package mutating func options() -> PushOptions {
    var options = PushOptions()
    guard chance() else { return options }
    options.sendsAppID = chance()
    options.sendsSender = chance()
    options.sendsWhen = chance()
    options.sendsOrigin = chance()
    options.sendsObjectScope = chance()
    options.sendsTopicID = chance()
    options.sendsToDevelopment = chance()
    options.sendsToProduction = chance()
    for kind in TransportKind.allCases where chance() {
      options.transports[kind] = PushOptions.Transport(
        isEnabled: chance(), data: payloadFields())
    }
    return options
  }

  /// A notification as it is sent to a device.
  package mutating func notification() -> RemoteNotification {
    RemoteNotification(
      id: id(), date: instant(), payload: notificationPayload(), collapseID: maybe { $0.text() },
      expires: maybe { $0.instant() })
  }

  mutating func listedNotification() -> ListedNotification {
    ListedNotification(notification(), isNew: chance(), isPutAway: chance())
  }

  /// A payload that sometimes has a value in every field.
  package mutating func notificationPayload() -> NotificationPayload {
    var payload = NotificationPayload(maybe { $0.alert() }, custom: payloadFields())
    payload.badge = maybe { $0.count() }
    payload.sound = maybe { random in
      NotificationSound(
        random.text(), isCritical: random.chance(), volume: random.maybe { $0.share() })
    }
    payload.threadID = maybe { $0.text() }
    payload.categoryID = maybe { $0.text() }
    payload.isContentAvailable = chance()
    payload.isMutable = chance()
    payload.targetContentID = maybe { $0.text() }
    payload.interruptionLevel = maybe { $0.one() }
    payload.relevanceScore = maybe { $0.share() }
    payload.otherFields = payloadFields()
    return payload
  }

  private mutating func share() -> Double { Double(number(0...1_000)) / 1_000 }

  /// An alert with at least one text, because an alert without texts is none.
  private mutating func alert() -> NotificationPayload.Alert {
    NotificationPayload.Alert(
      title: maybe { $0.alertText() }, subtitle: maybe { $0.alertText() }, body: alertText(),
      launchImage: maybe { $0.text() })
  }

  private mutating func alertText() -> NotificationPayload.Text {
    guard chance() else { return NotificationPayload.Text(text()) }
    return NotificationPayload.Text(
      key: text(), arguments: list { $0.text() }, otherwise: maybe { $0.text() })
  }

  /// An app's own fields; none has the reserved name `aps`.
  package mutating func payloadFields() -> [String: PayloadValue] {
    Dictionary(list { ("x" + $0.text(), $0.payloadValue()) }) { first, _ in first }
  }

  /// A JSON value with at most this many levels.
  package mutating func payloadValue(levels: Int = 3) -> PayloadValue {
    switch number(0...(levels > 0 ? 7 : 5)) {
    case 0: .string(text())
    case 1: .integer(Int64(bitPattern: generator.next()))
    case 2: .integer(Int64(number(-10...10)))
    case 3: .number(number())
    case 4: .bool(chance())
    case 5: .null
    case 6: .list(list { $0.payloadValue(levels: levels - 1) })
    default:
      .dictionary(
        Dictionary(list { ($0.text(), $0.payloadValue(levels: levels - 1)) }) { first, _ in first })
    }
  }

  /// An integer or a fraction of any magnitude.
  private mutating func number() -> Double {
    let number = Double(bitPattern: generator.next())
    return number.isFinite && chance() ? number : Double(self.number(-100...100)) / 4
  }
}
