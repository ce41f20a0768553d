import EventLoops
import MatineeClient

/// An app's handlers of notifications, that write down what they hear, and are done when a test
/// says so.
final class Doorbell: NotificationPresentationDelegate, NotificationReceiver,
  LegacyNotificationActionHandler
{
  struct Script: Sendable {
    var presents = PresentationOptions.all
    /// Whether handlers are done at once; else their completions are kept.
    var completes = true
  }

  let script: Locked<Script>
  private let state = Locked<[String]>([])
  private let kept = Locked<[HandlerCompletion<Void>]>([])
  private let heard = Locked<[NotificationResponse]>([])
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)

  init(_ adjust: (inout Script) -> Void = { _ in }) {
    var script = Script()
    adjust(&script)
    self.script = Locked(script)
  }

  /// What was heard, in order.
  var lines: [String] { state.withLock { $0 } }

  var responses: [NotificationResponse] { heard.withLock { $0 } }

  /// The completions of what is not done yet.
  var completions: [HandlerCompletion<Void>] { kept.withLock { $0 } }

  /// Waits until something was written; for one reader.
  func waits(until isMeant: (String) -> Bool) async {
    if lines.contains(where: isMeant) { return }
    for await _ in news where lines.contains(where: isMeant) { return }
  }

  func waits(for line: String) async { await waits { $0 == line } }

  private func note(_ line: String) {
    state.withLock { $0.append(line) }
    writer.yield()
  }

  private func end(_ completion: HandlerCompletion<Void>) {
    if script.withLock({ $0.completes }) {
      completion()
    } else {
      kept.withLock { $0.append(completion) }
    }
  }

  func willPresent(_ notification: UserNotification) -> PresentationOptions {
    note("W \(notification.content.body)")
    return script.withLock { $0.presents }
  }

  func didReceive(_ response: NotificationResponse, completion: HandlerCompletion<Void>) {
    heard.withLock { $0.append(response) }
    end(completion)
    note("U \(response.notification.content.body) \(Self.word(response.actionID))")
  }

  func didReceive(_ notification: UserNotification, alreadyDelivered: Bool) -> FetchResult {
    note("R \(notification.content.body)" + (alreadyDelivered ? " again" : ""))
    return .newData
  }

  func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?,
    completion: HandlerCompletion<Void>
  ) {
    end(completion)
    let text = responseText.map { " “\($0)”" } ?? ""
    note("A \(notification.content.body) \(identifier)" + text)
  }

  private static func word(_ actionID: String) -> String {
    switch actionID {
    case ActionIdentifier.defaultAction: "tap"
    case ActionIdentifier.dismissAction: "dismissal"
    default: actionID
    }
  }
}

extension UserNotificationCenter {
  /// Waits until a notification with that text stands.
  func stands(_ body: String) async -> NotificationID? {
    let standing = await delivered.becomes { $0.contains { $0.content.body == body } }
    return standing?.first { $0.content.body == body }?.id
  }

  /// Waits until the first invitation stands.
  func invitation() async -> InvitationNotification? {
    let standing = await delivered.becomes { $0.contains { self.invitation($0) != nil } }
    return standing?.compactMap { self.invitation($0) }.first
  }

  func install(_ bell: Doorbell) {
    delegate = bell
    receiver = bell
    legacyActionHandler = bell
  }
}
