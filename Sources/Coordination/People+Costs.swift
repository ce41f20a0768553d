import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

// What requests about messages and notifications cost their person.

extension People {
  /// Takes what a publication costs: each subscriber's tray keeps it, and is sent it.
  mutating func takeCost(
    ofPublishing notification: RemoteNotification, _ options: PushOptions,
    to topic: TopicID, by user: UserID
  ) throws(ProtocolError) {
    let receivers = trayIndex.subscribers[topic]?.count ?? 0
    let bytes = Cost.envelope + options.byteBound(of: notification.payload)
    try takeCost(
      ofWork: receivers > 0 ? Cost.passing(bytes, to: receivers) : 0, storing: receivers * bytes,
      by: user)
  }

  /// Takes what a request about messages costs: the texts that are kept, and a look at each campaign.
  mutating func takeCost(
    of request: MessagingRequest, among campaigns: CampaignSet, by user: UserID
  ) throws(ProtocolError) {
    let look = Cost.weighing(campaigns.campaigns.count)
    switch request {
    case .explain(nil, of: _), .appState: try takeCost(ofWork: look, storing: 0, by: user)
    case .logEvent(let name, let properties, _), .logPurchase(let name, let properties, _):
      let bytes = properties.reduce(name.byteBound) { $0 + $1.key.byteBound + $1.value.byteBound }
      try takeCost(ofWork: look, storing: Cost.envelope + bytes, by: user)
    case .logPushOpened, .test:
      try takeCost(ofWork: look, storing: Cost.envelope, by: user)
    case .setAttributes(let attributes):
      let bytes = attributes.reduce(Cost.envelope) {
        $0 + $1.key.byteBound + ($1.value?.byteBound ?? 0)
      }
      try takeCost(ofWork: 0, storing: bytes, by: user)
    case .setMembership(let list, true):
      try takeCost(ofWork: 0, storing: Cost.envelope + list.byteBound, by: user)
    case .report, .setMembership, .setCollection, .pause, .wipe, .revalidate, .explain: break
    }
  }

  /// Takes what a request about notifications costs; a publication's is taken with its receivers.
  mutating func takeCost(of request: TrayRequest, by user: UserID) throws(ProtocolError) {
    switch request {
    case .register(_, _, let endpoint):
      let bytes = Cost.envelope + (endpoint?.byteCount ?? 0)
      try takeCost(ofWork: 0, storing: bytes, by: user)
    case .subscribe: try takeCost(ofWork: 0, storing: 2 * Cost.envelope, by: user)
    case .list:
      let entries = trays[user]?.tray.entries ?? []
      let bytes = entries.reduce(0) { $0 + $1.notification.payload.jsonByteCount }
      try takeCost(ofWork: Cost.answering(bytes), storing: 0, by: user)
    // The administrator's pushes are not a person's.
    case .publish, .push, .unregister, .unsubscribe, .report, .remove, .wipe, .objectState: break
    }
  }

  private mutating func takeCost(
    ofWork work: Int, storing stored: Int, by user: UserID
  ) throws(ProtocolError) {
    let cost = Cost(bytes: Cost.counted(work), stored: stored, user: user)
    try costs.take(cost, at: turn.now)
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
