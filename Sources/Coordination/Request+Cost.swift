import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

// What requests about messages and notifications cost their person.

extension MessagingRequest {
  /// What is stored, and a look at each campaign.
  func cost(among campaigns: CampaignSet, by user: UserID) -> Cost {
    let look = Cost.weighing(campaigns.campaigns.count)
    switch self {
    case .explain(nil, of: _), .appState: return Cost(work: look, by: user)
    case .logEvent(let name, let properties, _), .logPurchase(let name, let properties, _):
      let bytes = properties.reduce(name.byteBound) { $0 + $1.key.byteBound + $1.value.byteBound }
      return Cost(work: look, stored: Cost.envelope + bytes, by: user)
    case .logPushOpened, .test: return Cost(work: look, stored: Cost.envelope, by: user)
    case .setAttributes(let attributes):
      let bytes = attributes.reduce(Cost.envelope) {
        $0 + $1.key.byteBound + ($1.value?.byteBound ?? 0)
      }
      return Cost(stored: bytes, by: user)
    case .setMembership(let list, true):
      return Cost(stored: Cost.envelope + list.byteBound, by: user)
    case .report, .setMembership, .setCollection, .pause, .wipe, .revalidate, .explain:
      return Cost(by: user)
    }
  }
}

extension TrayRequest {
  /// What is stored, or the listed entries; a publication is charged once its receivers are known.
  func cost(listing entries: [TrayEntry], by user: UserID) -> Cost {
    switch self {
    case .register(_, _, let endpoint):
      return Cost(stored: Cost.envelope + (endpoint?.byteCount ?? 0), by: user)
    case .subscribe: return Cost(stored: 2 * Cost.envelope, by: user)
    case .list:
      let bytes = entries.reduce(0) { $0 + $1.notification.payload.jsonByteCount }
      return Cost(work: Cost.answering(bytes), by: user)
    // The administrator's pushes are not a person's.
    case .publish, .push, .unregister, .unsubscribe, .report, .remove, .wipe, .objectState:
      return Cost(by: user)
    }
  }
}

extension RemoteNotification {
  /// As a publication: each subscriber's tray keeps it, and is sent it.
  func cost(_ options: PushOptions, to receivers: Int, by user: UserID) -> Cost {
    let bytes = Cost.envelope + options.byteBound(of: payload)
    return Cost(
      work: receivers > 0 ? Cost.passing(bytes, to: receivers) : 0, stored: receivers * bytes,
      by: user)
  }
}

extension Cost {
  fileprivate init(work: Int = 0, stored: Int = 0, by user: UserID) {
    self.init(bytes: Cost.counted(work), stored: stored, user: user)
  }
}

extension PushOptions {
  /// The bytes of a payload, with what each way of sending adds to it.
  fileprivate func byteBound(of payload: NotificationPayload) -> Int {
    let bytes = payload.jsonByteCount
    return TransportKind.allCases.reduce(bytes) { sum, transport in
      sum + max(0, self.payload(payload, over: transport).jsonByteCount - bytes)
    }
  }
}

extension PropertyValue {
  fileprivate var byteBound: Int {
    switch self {
    case .string(let text): text.byteBound
    case .list(let texts): texts.reduce(2) { $0 + $1.byteBound + 1 }
    // Seventeen digits with sign, point and exponent.
    case .number: 24
    case .bool: 5
    }
  }
}
