import EventLoops
import GroupSessions
import Participation
import Vocabulary
import Wire

// Requests to the server, from any thread.
extension LoopMailbox<ClientHub> {
  /// Sends a request and returns its outcome; a closed client fails at once.
  ///
  /// - Parameter core: a session; if it is over by then, the request fails without being sent.
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

  /// Runs a query on the hub; returns `value` if the client is closed.
  func value<Value: Sendable>(
    otherwise value: Value, _ body: @escaping @Sendable (ClientHub) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let isPosted = post { continuation.resume(returning: body($0)) }
      if !isPosted { continuation.resume(returning: value) }
    }
  }

  /// Sends a request and returns its outcome; throws if it fails.
  func value(
    of request: Request
  ) async throws(GroupWatchError) -> Client.Outcome {
    let outcome = await outcome(of: request)
    if case .failed(let failure) = outcome { throw GroupWatchError(failure) }
    return outcome
  }
}

/// The state that a client's thread publishes and the app observes.
final class SharedClientState: Sendable {
  let connection = Observed(ConnectionState.connecting(nil))
  let isClockPoor = Observed(false)
  let eligibility = Observed(Eligibility.ineligible(.notConnected))
  let group = Observed<GroupSummary?>(nil)
  let objects = Observed<[ObjectID: GroupObject]>([:])
  let groupKey = Observed<String?>(nil)
  /// Why this device could not return to its group.
  let rejoinError = Observed<GroupWatchError?>(nil)
  /// The name of a device that waits to be let in.
  let pairingRequest = Observed<String?>(nil)
  /// An activity in which this device cannot take part.
  let activityNotice = Observed<ActivityNotice?>(nil)
  let foregroundRequest = Observed<ForegroundRequest?>(nil)
  /// The sessions that are waiting or joined.
  let sessions = Observed<[SessionCore]>([])
  /// This device's identifier among the group's members.
  let device: Locked<DeviceID>
  /// Why the client's own player is gone; `nil` while it is available.
  let playerEnd = Observed<LocalPlayer.End?>(nil)

  /// The app's side of in-app messages.
  let desk: MessageDesk
  /// The app's side of notifications.
  let notifications: NotificationDesk

  /// The app's side of proving who the person is.
  let credential: CredentialDesk

  init(
    _ device: DeviceID, _ desk: MessageDesk, _ notifications: NotificationDesk,
    _ credential: CredentialDesk
  ) {
    self.device = Locked(device)
    self.desk = desk
    self.notifications = notifications
    self.credential = credential
  }

  /// Ends everything that is observed; who is closed is in no group.
  func finish() {
    eligibility.set(.ineligible(.notConnected))
    group.update(nil)
    objects.update([:])
    desk.finish()
    notifications.finish()
    credential.finish()
    connection.finish()
    isClockPoor.finish()
    eligibility.finish()
    group.finish()
    objects.finish()
    groupKey.finish()
    rejoinError.finish()
    pairingRequest.finish()
    activityNotice.finish()
    foregroundRequest.finish()
    sessions.finish()
    playerEnd.finish()
  }
}
