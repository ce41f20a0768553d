package import Vocabulary

extension NotificationTray {
  /// Judges one command.
  ///
  /// - Parameters:
  ///   - command: what someone wants, or what happened.
  ///   - now: the command's instant.
  ///   - conditions: the bounds, and which of the person's devices have a connection.
  /// - Returns: what happened, to be numbered from `seq + 1`, and what is to be done about it.
  /// - Throws: why it may not be, with nothing changed.
  package func decide(
    _ command: TrayCommand, at now: Instant, under conditions: TrayConditions
  ) throws(TrayRejection) -> TrayDecision {
    var draft = TrayDraft(self, at: now, under: conditions)
    switch command {
    case .register(let device, let mode, let isDevelopment, let endpoint):
      try draft.register(
        Installation(
          device: device, mode: mode, isDevelopment: isDevelopment, endpoint: endpoint,
          registered: now))
    case .unregister(let device): draft.unregister(device, .unregistered)
    case .tokenTaken(let token): draft.giveUp(token, except: nil)
    case .subscribe(let subscription): try draft.subscribe(subscription)
    case .unsubscribe(let subscription): draft.unsubscribe { $0 == subscription }
    case .sessionOver(let session): draft.unsubscribe { $0.concerns(session) }
    case .post(let notification, let addressing): try draft.post(notification, addressing)
    case .report(let id, let report, let device): try draft.report(id, report, on: device)
    case .remove(let ids): draft.end(ids, .removed)
    case .revoke(let ids): draft.end(ids, .revoked)
    case .connected(let device): draft.tell(device)
    case .presenceChanged: break
    case .pushEnded(let id, let device, let attempt, let result):
      draft.pushEnded(id, to: device, attempt: attempt, result)
    case .wipe: draft.wipe()
    case .clockAdvanced: draft.clockAdvanced()
    }
    draft.settle()
    return draft.decision
  }
}
