import EventLoops
import GroupSessions
import Participation
import Wire

// Asking the server, from any thread.
extension LoopMailbox<ClientHub> {
  /// What became of a request; a client that was closed does not ask.
  ///
  /// - Parameter core: the session that must not be over for the request to make sense.
  func outcome(
    of request: Request, _ core: SessionCore? = nil
  ) async -> Client.Outcome {
    await withCheckedContinuation { continuation in
      let isPosted = post { hub in
        if let reason = core?.invalidation {
          return continuation.resume(returning: .failed(.invalidated(reason)))
        }
        hub.ask(request) { continuation.resume(returning: $0) }
      }
      if !isPosted { continuation.resume(returning: .failed(.closed)) }
    }
  }

  /// What the hub says; `value` if the client was closed.
  func value<Value: Sendable>(
    otherwise value: Value, _ body: @escaping @Sendable (ClientHub) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let isPosted = post { continuation.resume(returning: body($0)) }
      if !isPosted { continuation.resume(returning: value) }
    }
  }

  /// What a request brought, unless it failed.
  func value(
    of request: Request
  ) async throws(GroupWatchError) -> Client.Outcome {
    let outcome = await outcome(of: request)
    if case .failed(let failure) = outcome { throw GroupWatchError(failure) }
    return outcome
  }
}

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
