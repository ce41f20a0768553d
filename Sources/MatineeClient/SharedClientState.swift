import EventLoops

/// What a client's thread tells and the app observes.
final class SharedClientState: Sendable {
  let connection = Observed(ConnectionState.connecting(nil))
  let eligibility = Observed(GroupEligibility.ineligible(.notConnected))
  let group = Observed<GroupSummary?>(nil)
  /// What goes on without this device.
  let activityNotice = Observed<ActivityNotice?>(nil)
  let foregroundRequest = Observed<ForegroundRequest?>(nil)
  /// The sessions that wait or go on.
  let sessions = Observed<[SessionCore]>([])

  /// What the app has to do with in-app messages.
  let desk: MessageDesk

  init(_ desk: MessageDesk) { self.desk = desk }

  func finish() {
    desk.finish()
    connection.finish()
    eligibility.finish()
    group.finish()
    activityNotice.finish()
    foregroundRequest.finish()
    sessions.finish()
  }
}
