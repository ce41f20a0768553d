import Vocabulary

// Calls of handlers: each ends once, by the handler's word or by time.
extension NotificationCenterState {
  /// A handler that has not said that it is done.
  struct Call: Equatable, Sendable {
    let token: CallToken
    let due: HostTime
    let id: NotificationID
    let handler: NotificationHandler
    var purpose: Purpose
  }

  /// What the end of a call leads to.
  enum Purpose: Equatable, Sendable {
    /// A notification may be shown, unless it was taken back meanwhile.
    case presentation(StandingNotification?, isRemote: Bool)
    case arrival
    case response(isRemote: Bool)
    /// Whom it was for is gone.
    case nothing
  }

  mutating func call(_ call: HandlerCall, of id: NotificationID, for purpose: Purpose) {
    if calls.count >= settings.callLimit, let oldest = calls.first {
      emit(.warn(.tooManyCalls, oldest.id))
      giveUp(oldest)
    }
    lastToken += 1
    let token = CallToken(number: lastToken)
    let patience =
      call.handler == .willPresent ? settings.choicePatience : settings.completionPatience
    calls.append(
      Call(token: token, due: now + patience, id: id, handler: call.handler, purpose: purpose))
    emit(.call(call, token))
  }

  /// The willPresent handler's word.
  mutating func answer(_ options: PresentationOptions, _ token: CallToken) {
    guard let call = take(token, where: { $0.handler == .willPresent }) else { return }
    end(call, options: options)
  }

  /// Any other handler's word.
  mutating func complete(_ token: CallToken, _ result: FetchResult) {
    guard let call = take(token, where: { $0.handler != .willPresent }) else { return }
    let isReception = call.purpose == .arrival
    end(call, isReception ? result.deliveryResult : .completed)
  }

  /// A handler that was silent for too long.
  mutating func giveUp(_ call: Call) {
    calls.removeAll { $0.token == call.token }
    if call.purpose != .nothing { emit(.warn(.handlerSilent(call.handler), call.id)) }
    end(call, .timedOut)
  }

  private mutating func take(_ token: CallToken, where isMeant: (Call) -> Bool) -> Call? {
    guard let place = calls.firstIndex(where: { $0.token == token && isMeant($0) }) else {
      extraCompletions += 1
      return nil
    }
    return calls.remove(at: place)
  }

  private mutating func end(
    _ call: Call, _ result: DeliveryResult = .completed, options: PresentationOptions = []
  ) {
    switch call.purpose {
    case .presentation(let notification, let isRemote):
      let isShown = notification.map { show($0, options.modern) } ?? false
      if isRemote { settle(call.id) { $0.showing = isShown ? .presented : .notPresented } }
    case .arrival: settle(call.id) { $0.reception = .ended(result) }
    case .response(let isRemote):
      if isRemote { emit(.report(call.id, .acknowledged(result))) }
    case .nothing: break
    }
  }
}

extension NotificationCenterState.HandlerCall {
  /// Which handler is called.
  package var handler: NotificationHandler {
    switch self {
    case .willPresent: .willPresent
    case .reception: .reception
    case .userAction: .userAction
    case .legacyAction: .legacyAction
    }
  }
}
