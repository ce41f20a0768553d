import GroupSessions
import Participation
import UserNotifications
import Vocabulary
import Wire

/// A client whose server is the test: line by line, in virtual time.
struct Desk {
  var participant: Client
  var now = HostTime(microseconds: 0)
  /// What the server's clock is ahead of the client's.
  var serverStart = Instant(microseconds: 1_795_292_100_000_000)
  /// Requests that were sent and are not answered, in order.
  private(set) var asked: [(id: RequestID, request: Request)] = []
  private(set) var updates: [Client.Update] = []
  private(set) var disconnects = 0

  init(_ adjust: (inout ClientSettings) -> Void = { _ in }) {
    var settings = ClientSettings(user: UserID("ann"), device: DeviceID("tv"), name: "Ann")
    settings.hasPlayer = false
    adjust(&settings)
    participant = Client(settings, seed: 1)
    feed(.center(.categories([.groupWatchInvite()])))
    feed(.start)
    welcome(isResumed: true)
  }

  var serverInstant: Instant { serverStart + (now - HostTime(microseconds: 0)) }

  mutating func feed(_ input: Client.Input) {
    for output in participant.handle(input, at: now) {
      switch output {
      case .send(.request(let id, let request)): asked.append((id, request))
      case .publish(let update): updates.append(update)
      case .disconnect: disconnects += 1
      case .send, .connect, .player: break
      }
    }
  }

  mutating func center(_ input: NotificationCenterState.Input) { feed(.center(input)) }

  mutating func ask(_ request: TrayRequest, tag: Int = 1) {
    feed(.ask(.notifications(request), tag))
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let due = participant.nextDeadline, due <= end {
      now = max(now, due)
      feed(.clockAdvanced)
    }
    now = end
  }

  // MARK: The server

  /// The server takes the client in; one that knew it may have forgotten it.
  mutating func welcome(isResumed: Bool = false) {
    feed(.connectionOpened)
    if !isResumed { hear(.error(nil, ProtocolError(.resumeRefused))) }
    hear(
      .welcome(
        Welcome(
          version: 1, server: "test", device: DeviceID("tv"), token: "secret",
          isResumed: isResumed, at: serverInstant, features: [], limits: WireLimits(Limits()))))
  }

  mutating func hear(_ message: ServerMessage) { feed(.received(message)) }

  /// Breaks the connection, and makes another one.
  mutating func reconnect(isResumed: Bool = true) {
    cut()
    pass(.seconds(1))
    welcome(isResumed: isResumed)
  }

  mutating func cut() {
    asked = []
    feed(.connectionClosed("cut"))
  }

  /// Answers the oldest request of that sort.
  mutating func answer(
    _ answer: Answer = .done(seq: nil), where isMeant: (Request) -> Bool = { _ in true }
  ) {
    if let id = take(where: isMeant) { hear(.answer(id, answer)) }
  }

  mutating func refuse(
    _ code: ErrorCode, retryAfter: Duration? = nil,
    where isMeant: (Request) -> Bool = { _ in true }
  ) {
    if let id = take(where: isMeant) {
      hear(.error(id, ProtocolError(code, retryAfter: retryAfter)))
    }
  }

  /// The server hears everything for so many seconds, but can store nothing.
  mutating func storeNothing(for seconds: Int) {
    for _ in 0..<seconds {
      while !asked.isEmpty { refuse(.journalUnavailable, retryAfter: .seconds(1)) }
      hear(.pong(Pong(sent: now, heard: serverInstant, answered: serverInstant)))
      pass(.seconds(1))
    }
  }

  mutating func take(where isMeant: (Request) -> Bool) -> RequestID? {
    guard let index = asked.firstIndex(where: { isMeant($0.request) }) else { return nil }
    return asked.remove(at: index).id
  }

  /// Sends an invitation, or whatever the payload is.
  mutating func notify(
    _ id: String, _ payload: NotificationPayload = Desk.invitation, expires: Duration? = nil
  ) {
    hear(.notification(remote(id, payload, expires: expires)))
  }

  func remote(
    _ id: String, _ payload: NotificationPayload = Desk.invitation, expires: Duration? = nil
  ) -> RemoteNotification {
    RemoteNotification(
      id: NotificationID(id), date: serverInstant, payload: payload,
      expires: expires.map { serverInstant + $0 })
  }

  static var invitation: NotificationPayload {
    var payload = NotificationPayload(.init(body: "Ben watches Sintel"))
    payload.categoryID = NotificationCategory.groupWatchInviteID
    return payload
  }

  // MARK: What is true

  /// What about notifications was sent and not answered, in order.
  var open: [TrayRequest] {
    asked.compactMap { if case .notifications(let request) = $0.request { request } else { nil } }
  }

  var standing: [String] { participant.center.standingNotifications.map(\.id.text) }

  /// What the app was told since the last time.
  mutating func take() -> [Client.Update] {
    defer { updates = [] }
    return updates
  }

  /// The notifications that were shown since the last time.
  mutating func takeShown() -> [String] {
    take().compactMap {
      if case .center(.show(let shown)) = $0 { shown.notification.id.text } else { nil }
    }
  }
}
