import EventLoops
import Participation
import UserNotifications
import Vocabulary

/// Connects the notification centre, on the client's thread, with the app, which may be slow.
final class NotificationDesk: Sendable {
  typealias Take = @Sendable (Client.Input) -> Void

  /// The number of events that are buffered for a slow reader.
  static let bufferedEvents = 256

  let delivered = Observed<[UserNotification]>([])
  let badge = Observed(0)
  let launchResponse = Observed<NotificationResponse?>(nil)
  let events = Broadcast<NotificationEvent>(buffering: NotificationDesk.bufferedEvents)
  let tools: Locked<NotificationTools>
  private let objects = Locked<[ServerObject: Observed<StateMirror?>]>([:])
  private let take: Take
  private let presentation = HandlerLane()
  private let reception = HandlerLane()
  private let response = HandlerLane()

  init(_ options: NotificationOptions, take: @escaping Take) {
    tools = Locked(NotificationTools(options))
    self.take = take
  }

  /// Passes the initial settings to the centre.
  func begin() {
    tools.withLock { tools in
      take(.center(.categories(tools.categories)))
      take(.center(.phase(tools.phase)))
      take(.center(.handlers(tools.handlers)))
    }
  }

  /// Changes the settings and passes them to the centre; the lock gives all threads one order.
  func change(_ body: (inout NotificationTools) -> Void) {
    tools.withLock { tools in
      let before = tools
      body(&tools)
      if tools.categories != before.categories { take(.center(.categories(tools.categories))) }
      if tools.phase != before.phase { take(.center(.phase(tools.phase))) }
      if tools.isLocked != before.isLocked { take(.center(.locked(tools.isLocked))) }
      // Responses that waited for a handler are delivered to the new one.
      if tools.handlers != before.handlers { take(.center(.handlers(tools.handlers))) }
    }
  }

  /// Takes over the app's handlers and settings from the client that this one replaces.
  func takeOver(from other: NotificationDesk) {
    let tools = other.tools.withLock { $0 }
    change { $0 = tools }
  }

  /// The state of a followed object; all callers share one.
  func object(_ object: ServerObject) -> Observed<StateMirror?> {
    objects.withLock { objects in
      if let known = objects[object] { return known }
      let new = Observed<StateMirror?>(nil)
      objects[object] = new
      return new
    }
  }

  // MARK: Outputs of the client, on its thread and in order

  func take(_ mirror: StateMirror?, of object: ServerObject) {
    let observed = objects.withLock { objects in
      mirror == nil ? objects.removeValue(forKey: object) : objects[object]
    }
    observed?.set(mirror)
    if mirror == nil { observed?.finish() }
  }

  func take(_ output: NotificationCenterState.Output) {
    switch output {
    case .call(let call, let token): hand(call, token)
    case .launch(let response): launchResponse.set(response)
    case .badge(let number): badge.update(number)
    case .warn(.handlerSilent(let handler, let token), _): lane(of: handler)?.giveUp(token)
    case .show, .remove, .open, .unlock, .report, .refuse, .warn: break
    }
    if let event = NotificationEvent(output) { events.send(event) }
  }

  func finish() {
    for lane in [presentation, reception, response] { lane.finish() }
    delivered.finish()
    badge.finish()
    launchResponse.finish()
    events.finish()
    let observed = objects.withLock { objects in
      defer { objects = [:] }
      return objects.values.map(\.self)
    }
    for object in observed { object.finish() }
  }

  // MARK: Handlers

  private func lane(of handler: NotificationHandler) -> HandlerLane? {
    switch handler.queue {
    case .presentation: presentation
    case .reception: reception
    case .response: response
    case nil: nil
    }
  }

  /// Calls the app's handler; completes at once if the app has removed it.
  private func hand(_ call: NotificationCenterState.HandlerCall, _ token: CallToken) {
    let (tools, take) = (tools.withLock { $0 }, take)
    let done: HandlerCompletion<Void> = response.completion(of: token) {
      take(.center(.completed(token)))
    }
    switch call {
    case .willPresent(let notification):
      let answer: HandlerCompletion<PresentationOptions> = presentation.completion(of: token) {
        take(.center(.presented($0, token)))
      }
      presentation.add(token) {
        guard let delegate = tools.delegate as? any NotificationPresentationDelegate else {
          return answer([])
        }
        await delegate.willPresent(notification, completion: answer)
      }
    case .reception(let notification, let alreadyDelivered):
      let answer: HandlerCompletion<FetchResult> = reception.completion(of: token) {
        take(.center(.completed(token, $0)))
      }
      reception.add(token) {
        guard let receiver = tools.receiver else { return answer(.noData) }
        await receiver.didReceive(
          notification, alreadyDelivered: alreadyDelivered, completion: answer)
      }
    case .userAction(let said):
      response.add(token) {
        guard let delegate = tools.delegate else { return done() }
        await delegate.didReceive(said, completion: done)
      }
    case .legacyAction(let said):
      response.add(token) {
        guard let handler = tools.legacyActionHandler else { return done() }
        await handler.handleAction(
          said.actionID, of: said.notification, responseText: said.userText, completion: done)
      }
    }
  }
}
