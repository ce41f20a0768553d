import Naming
import UserNotifications
import Vocabulary

/// Drives a notification centre as an app's library would, in virtual time, and writes down what
/// happens.
struct Phone {
  var center: NotificationCenterState
  var time: HostTime
  /// What the app says when asked whether to show one; `nil` is nothing.
  var presents: PresentationOptions? = .all
  /// What handlers say; `nil` is nothing.
  var result: FetchResult? = .newData
  /// All outputs so far, as one line each.
  var lines: [String] = []
  var tokens: [CallToken] = []
  var responses: [NotificationResponse] = []
  var shown: [ShownNotification] = []

  static let start = HostTime(microseconds: 5_000_000)
  /// 2026-11-21T20:15:00Z, a Saturday.
  static let evening = Instant(microseconds: 1_795_292_100_000_000)

  init(
    _ mode: RegistrationMode = .center, _ phase: AppPhase = .foreground,
    handlers: NotificationCenterState.Handlers = [
      .reception, .willPresent, .userAction, .launch, .legacyAction,
    ], settings: CenterSettings = CenterSettings(), offset: Duration = .zero
  ) {
    time = Self.start
    center = NotificationCenterState(
      settings, mode: mode, phase: phase,
      clock: DeviceClock(Self.evening, at: Self.start, offset: offset))
    feed(.handlers(handlers))
    feed(.categories([.groupWatchInvite(), Self.chores]))
  }

  /// A category with an action of each sort, and no ear for dismissals.
  static let chores = NotificationCategory(
    id: "CHORES",
    actions: [
      NotificationAction(id: "OPEN", title: "Open", options: .foreground),
      NotificationAction(id: "DONE", title: "Done"),
      NotificationAction(id: "PAY", title: "Pay", options: .authenticationRequired),
    ])

  /// The instant on the phone's clock.
  var instant: Instant { Self.evening + (time - Self.start) }

  mutating func feed(_ input: NotificationCenterState.Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      for output in center.handle(inputs.removeFirst(), at: time) {
        lines.append(line(for: output))
        inputs += answers(to: output)
      }
    }
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(_ duration: Duration) {
    let end = time + duration
    while let due = center.nextDeadline, due <= end {
      time = max(time, due)
      feed(.clockAdvanced)
    }
    time = end
  }

  /// The server sends a notification.
  mutating func receive(
    _ id: NotificationID, _ payload: NotificationPayload = Phone.invitation,
    collapseID: String? = nil, expires: Duration? = nil
  ) {
    feed(
      .arrived(
        RemoteNotification(
          id: id, date: instant, payload: payload, collapseID: collapseID,
          expires: expires.map { instant + $0 })))
  }

  /// The lines since the last time that begin so.
  mutating func take(_ prefixes: String...) -> [String] {
    defer { lines = [] }
    return prefixes.isEmpty
      ? lines : lines.filter { line in prefixes.contains(where: line.hasPrefix) }
  }

  var standing: [String] { center.standingNotifications.map(\.id.text) }

  static var invitation: NotificationPayload { alert(category: "GROUP_WATCH_INVITE") }

  static func alert(
    _ text: String = "Ann watches Sintel", category: String? = nil, contentAvailable: Bool = false
  ) -> NotificationPayload {
    var payload = NotificationPayload(.init(body: .init(text)))
    payload.categoryID = category
    payload.isContentAvailable = contentAvailable
    return payload
  }

  private mutating func answers(
    to output: NotificationCenterState.Output
  ) -> [NotificationCenterState.Input] {
    switch output {
    case .show(let notification):
      shown.append(notification)
      return []
    case .launch(let response):
      responses.append(response)
      return []
    case .call(.willPresent, let token):
      tokens.append(token)
      return presents.map { [.presented($0, token)] } ?? []
    case .call(let call, let token):
      tokens.append(token)
      switch call {
      case .userAction(let response), .legacyAction(let response): responses.append(response)
      case .reception, .willPresent: break
      }
      return result.map { [.completed(token, $0)] } ?? []
    default: return []
    }
  }

  private func line(for output: NotificationCenterState.Output) -> String {
    switch output {
    case .show(let shown):
      let replaced = shown.replaced.isEmpty ? "" : " for \(shown.replaced.map(\.text))"
      return "show \(shown.notification.id)\(replaced)"
    case .remove(let ids): return "remove \(ids.map(\.text).joined(separator: " "))"
    case .badge(let badge): return "badge \(badge)"
    case .open(let id): return "open \(id)"
    case .unlock(let id): return "unlock \(id)"
    case .launch(let response): return "L \(response.notification.id)"
    case .call(.willPresent(let notification), _): return "W \(notification.id)"
    case .call(.reception(let notification, let alreadyDelivered), _):
      return "R \(notification.id)\(alreadyDelivered ? " again" : "")"
    case .call(.userAction(let response), _):
      return "U \(response.notification.id) \(response.actionID)"
    case .call(.legacyAction(let response), _):
      return "A \(response.notification.id) \(response.actionID)"
    case .report(let id, .acknowledged(let result)): return "report \(id) \(result)"
    case .report(let id, .responded(let action, let text)):
      return "report \(id) \(action)\(text.map { " “\($0)”" } ?? "")"
    case .report(let id, .removed): return "report \(id) removed"
    case .refuse(let id, let fault): return "refuse \(id) \(fault.rawValue)"
    case .warn(.handlerSilent(let handler, _), let id):
      return "warn \(id) handlerSilent(\(String(reflecting: handler)))"
    case .warn(let warning, let id): return "warn \(id) \(warning)"
    }
  }
}
