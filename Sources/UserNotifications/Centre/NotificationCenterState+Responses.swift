import Vocabulary

// Responses of people: what follows from each, and which handlers hear of it.
extension NotificationCenterState {
  /// A response on its way to its handler.
  struct KeptResponse: Equatable, Sendable {
    let response: NotificationResponse
    let handler: NotificationHandler
  }

  mutating func respond(to id: NotificationID, _ actionID: String, _ text: String?) {
    guard let notification = standing[id]?.notification else {
      return emit(.warn(.notStanding, id))
    }
    let category = category(of: notification)
    let action = category?.action(actionID)
    if let bytes = text?.utf8.count, action?.textInput != nil, bytes > settings.replyBytes {
      return emit(.warn(.replyTooLong(bytes: bytes, limit: settings.replyBytes), id))
    }
    if let action, action.options.contains(.authenticationRequired), isLocked {
      return lock(id, actionID, text)
    }
    let response = NotificationResponse(
      notification: notification, actionID: actionID,
      userText: action?.textInput == nil ? nil : text ?? "")
    remove([id])
    carryOut(response, HandlerRouting.Gesture(actionID, of: category))
  }

  private mutating func lock(_ id: NotificationID, _ actionID: String, _ text: String?) {
    let action = StandingNotifications.LockedAction(
      id: id, actionID: actionID, text: text, due: now + settings.unlockPatience)
    let dropped = standing.lock(action, limit: settings.lockedLimit)
    emit(.unlock(id))
    if let dropped { emit(.warn(.unlockForgotten, dropped)) }
  }

  private mutating func carryOut(
    _ response: NotificationResponse, _ gesture: HandlerRouting.Gesture
  ) {
    let id = response.notification.id
    if gesture == .unknownAction { emit(.warn(.unknownAction(response.actionID), id)) }
    if response.isRemote {
      let isUnheard = gesture == .dismissal(isAskedFor: false)
      let said = NotificationReport.responded(
        actionID: response.actionID, text: response.userText)
      reportGone(id, isUnheard ? .removed : said)
    }
    if gesture.opensApp, phase != .foreground { emit(.open(id)) }
    let routing = HandlerRouting(mode, phase)
    for handler in routing.handlers(of: gesture, isRemote: response.isRemote) {
      if handler == .launch {
        launch(response)
      } else {
        deliver(KeptResponse(response: response, handler: handler))
      }
    }
  }

  /// Reports a response or a removal; until the server has heard of it, its list does not bring the
  /// notification back.
  mutating func reportGone(_ id: NotificationID, _ report: NotificationReport) {
    emit(.report(id, report))
    seen.putAway(id, limit: settings.memory)
  }

  private mutating func launch(_ response: NotificationResponse) {
    guard !hasLaunched else { return }
    hasLaunched = true
    if handlers.contains(.launch) { emit(.launch(response)) }
  }

  /// Calls the handler of a response, or keeps the response until there is one.
  mutating func deliver(_ kept: KeptResponse) {
    let (response, id) = (kept.response, kept.response.notification.id)
    guard handlers.contains(Handlers(kept.handler)) else { return keep(kept) }
    let purpose = HandlerCalls.Purpose.response(isRemote: response.isRemote)
    switch kept.handler {
    case .reception: callReception(response.notification, for: purpose)
    case .legacyAction: call(.legacyAction(response), of: id, for: purpose)
    case .userAction, .willPresent, .launch: call(.userAction(response), of: id, for: purpose)
    }
  }

  private mutating func keep(_ response: KeptResponse) {
    kept.append(response)
    emit(.warn(.noHandler(response.handler), response.response.notification.id))
    if kept.count > settings.keptLimit {
      emit(.warn(.responseDropped, kept.removeFirst().response.notification.id))
    }
  }
}
