import Vocabulary

// What people do about notifications.
extension NotificationCenterState {
  /// A response on its way to its handler.
  struct KeptResponse: Equatable, Sendable {
    let response: NotificationResponse
    let handler: NotificationHandler
  }

  /// An action that waits for the person to show who they are.
  struct LockedAction: Equatable, Sendable {
    let id: NotificationID
    let actionID: String
    let text: String?
    let due: HostTime
  }

  /// An action as systems of both generations name it.
  mutating func hear(_ id: NotificationID, _ action: String?, _ text: String?) {
    guard let action else { return emit(.warn(.noAction, id)) }
    respond(to: id, action, text)
  }

  /// A person did something about a notification.
  mutating func respond(to id: NotificationID, _ actionID: String, _ text: String?) {
    guard let standing = standing.first(where: { $0.id == id }) else {
      return emit(.warn(.notStanding, id))
    }
    let category = category(of: standing.notification)
    let action = category?.action(actionID)
    if let text, action?.textInput != nil, text.utf8.count > settings.replyBytes {
      let bytes = text.utf8.count
      return emit(.warn(.replyTooLong(bytes: bytes, limit: settings.replyBytes), id))
    }
    if let action, action.options.contains(.authenticationRequired), isLocked {
      return lock(
        LockedAction(
          id: id, actionID: actionID, text: text, due: now + settings.unlockPatience))
    }
    let response = NotificationResponse(
      notification: standing.notification, actionID: actionID,
      userText: action?.textInput == nil ? nil : text ?? "")
    remove([id])
    carryOut(response, gesture(actionID, action, category))
  }

  private func gesture(
    _ actionID: String, _ action: NotificationAction?, _ category: NotificationCategory?
  ) -> HandlerRouting.Gesture {
    switch actionID {
    case ActionIdentifier.defaultAction: .tap
    case ActionIdentifier.dismissAction:
      .dismissal(isAskedFor: category?.options.contains(.customDismissAction) ?? false)
    default:
      action.map { .action(isForeground: $0.options.contains(.foreground)) } ?? .unknownAction
    }
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
      emit(.report(id, isUnheard ? .removed : said))
      // What was only dismissed may be listed again.
      if response.actionID != ActionIdentifier.dismissAction {
        seen.answer(id, limit: settings.memory)
      }
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

  private mutating func launch(_ response: NotificationResponse) {
    guard !hasLaunched else { return }
    hasLaunched = true
    if handlers.contains(.launch) { emit(.launch(response)) }
  }

  /// Calls the handler of a response, or keeps it until there is one.
  mutating func deliver(_ kept: KeptResponse) {
    let (response, id) = (kept.response, kept.response.notification.id)
    guard handlers.contains(Handlers(kept.handler)) else { return keep(kept) }
    let purpose = Purpose.response(isRemote: response.isRemote)
    switch kept.handler {
    case .reception:
      let alreadyDelivered = seen.receive(id, limit: settings.memory)
      call(
        .reception(response.notification, alreadyDelivered: alreadyDelivered), of: id,
        for: purpose)
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

  private mutating func lock(_ action: LockedAction) {
    locked.removeAll { $0.id == action.id }
    locked.append(action)
    emit(.unlock(action.id))
    if locked.count > settings.lockedLimit {
      emit(.warn(.unlockForgotten, locked.removeFirst().id))
    }
  }
}
