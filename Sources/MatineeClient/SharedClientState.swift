import EventLoops
import GroupSessions

/// What a client's thread tells and the app observes.
final class SharedClientState: Sendable {
  let connection = Observed(ConnectionState.connecting(nil))
  let eligibility = Observed(Eligibility.ineligible(.notConnected))
  let group = Observed<GroupSummary?>(nil)
  /// What goes on without this device.
  let activityNotice = Observed<ActivityNotice?>(nil)
  let foregroundRequest = Observed<ForegroundRequest?>(nil)
  /// The sessions that wait or go on.
  let sessions = Observed<[SessionCore]>([])
  /// Why the client's own player is gone.
  let playerEnd = Observed<LocalPlayer.End?>(nil)

  /// What the app has to do with in-app messages.
  let desk: MessageDesk
  /// What it has to do with notifications.
  let notifications: NotificationDesk

  init(_ desk: MessageDesk, _ notifications: NotificationDesk) {
    self.desk = desk
    self.notifications = notifications
  }

  func finish() {
    desk.finish()
    notifications.finish()
    connection.finish()
    eligibility.finish()
    group.finish()
    activityNotice.finish()
    foregroundRequest.finish()
    sessions.finish()
    playerEnd.finish()
  }
}
