import Scenarios
import UserNotifications

/// The notifications that a person sees on one device, as the app's public client reports them.
struct StagedTray {
  private var news = ScriptedNotifications()
  /// The notifications that came, until their removal is reported.
  private var known: [NotificationID: UserNotification] = [:]

  /// The newest invitation that stands.
  var invitation: UserNotification? { news.invitation }

  /// The newest notification that stands.
  var newest: UserNotification? { news.standing.last }

  /// Whether the app runs.
  var isRunning: Bool {
    get { news.isRunning }
    set { news.isRunning = newValue }
  }

  /// Whether the device is registered for notifications.
  var isRegistered: Bool {
    get { news.isRegistered }
    set { news.isRegistered = newValue }
  }

  mutating func stand(_ notifications: [UserNotification]) {
    for notification in notifications { known[notification.id] = notification }
    news.stand(notifications)
  }

  mutating func show(_ notification: UserNotification) { known[notification.id] = notification }

  /// Removes notifications.
  ///
  /// The list of delivered notifications changes before the removal is reported, or after it, so the
  /// removed ones are first put back, and then left out.
  mutating func remove(_ ids: [NotificationID], from delivered: [UserNotification]) {
    news.stand(ids.compactMap { known.removeValue(forKey: $0) })
    news.remove(ids)
    news.stand(delivered.filter { !ids.contains($0.id) })
  }

  mutating func receive(_ notification: UserNotification) { news.receive(notification) }

  /// Records that the person responded to a notification.
  mutating func answer(_ id: NotificationID) { news.answer(id) }

  /// Removes an invitation that was answered by token while the app does not run.
  mutating func answerUnseen(_ id: NotificationID) { news.answerUnseen(id) }

  mutating func follow(_ part: SessionPart, _ mirror: StateMirror?) {
    news.follow(part, mirror)
  }

  /// Clears what came before the person's next verb.
  mutating func forgetNews() { news.forgetNews() }

  /// Starts over with a new client.
  mutating func restart() {
    news.restart()
    known = [:]
  }

  func fill(_ seen: inout Observation) { news.fill(&seen) }
}
