import EventLoops
import InAppMessaging
import Participation
import Vocabulary

/// Connects the presenter, on the client's thread, with the app, which may be slow.
///
/// A queue holds the calls to the app, which are executed one at a time; only the clicks' actions
/// are performed beside them.
final class MessageDesk: Sendable {
  typealias Output = MessagePresenter.Output

  /// A pending call to the app.
  enum Call: Sendable {
    case output(Output, number: Int)
    /// Whether the media that plays here alone can be shared with the group now.
    case canShare(Bool)
  }

  let visible = Observed<InAppMessage?>(nil)
  let stack = Observed<[InAppMessage]>([])
  let statusBarHidden = Observed<Bool?>(nil)
  let heldOrientation = Observed<Orientation?>(nil)
  let isAvailable = Observed<Bool>(true)
  let events = Broadcast<MessageEvent>(buffering: InAppMessages.bufferedEvents)
  let sessionSteps = Broadcast<SessionStep>(buffering: InAppMessages.bufferedEvents)
  /// Videos that the person wants to share.
  let shares = Broadcast<ShareRequest>(buffering: InAppMessages.bufferedEvents)
  let tools: Locked<MessageTools>
  private let take: @Sendable (Client.Input) -> Void
  private let calls = DeliveryQueue<Call>(limit: InAppMessages.bufferedEvents)
  private let order = QuestionOrder()
  private let isShareable = Locked(false)
  private let worker = Locked<Task<Void, Never>?>(nil)

  /// A change to a session, for the code that mirrors the session.
  struct SessionStep: Sendable {
    let session: SessionID
    let clearsItem: Bool
  }

  /// A video that the person watches alone and wants to share.
  struct ShareRequest: Sendable {
    let item: MediaItem
    /// Where this device's player was at the click; the message's view lets go of it next.
    let position: MediaTime?
  }

  init(
    _ options: InAppMessageOptions,
    take: @escaping @Sendable (Client.Input) -> Void
  ) {
    let tools = Locked(MessageTools(options))
    self.tools = tools
    self.take = take
    let clerk = MessageClerk(tools, options.assetLoader, order, take)
    let task = Task { [calls] in
      async let actions: Void = clerk.performActions()
      while let delivery = await calls.next() {
        // When a slow app lets the queue overflow, the oldest calls are dropped and the presenter
        // continues.
        if case .element(let call) = delivery { await clerk.carryOut(call) }
      }
      await clerk.finish()
      await actions
    }
    worker.withLock { $0 = task }
  }

  deinit { worker.withLock { $0 }?.cancel() }

  /// Handles an output of the presenter; called on the client's thread, in order.
  ///
  /// - Parameters:
  ///   - output: the output.
  ///   - position: where this device's player is.
  func take(_ output: Output, playerAt position: MediaTime?) {
    if let event = MessageEvent(output) { events.send(event) }
    switch output {
    case .statusBar(let isHidden): statusBarHidden.update(isHidden)
    case .hold(let orientation): heldOrientation.update(orientation)
    case .session(.clearSession, let id):
      sessionSteps.send(SessionStep(session: id, clearsItem: false))
    case .session(.clearItem, let id):
      sessionSteps.send(SessionStep(session: id, clearsItem: true))
    case .perform(.session(.startForAll), let message):
      if let item = message.video { shares.send(ShareRequest(item: item, position: position)) }
      calls.send(.output(output, number: order.number(output)))
    default: calls.send(.output(output, number: order.number(output)))
    }
  }

  /// Tells views whether the media that plays alone can be shared; called on the client's thread.
  func setCanShare(_ canShare: Bool) {
    let isNew = isShareable.withLock { isShareable in
      defer { isShareable = canShare }
      return isShareable != canShare
    }
    if isNew { calls.send(.canShare(canShare)) }
  }

  func finish() {
    calls.finish()
    visible.finish()
    stack.finish()
    statusBarHidden.finish()
    heldOrientation.finish()
    isAvailable.finish()
    events.finish()
    sessionSteps.finish()
    shares.finish()
  }

  /// Takes over the app's handlers and settings from the client that this one replaces.
  func takeOver(from other: MessageDesk) {
    let tools = other.tools.withLock { $0 }
    change { $0.takeOver(from: tools) }
  }

  /// Changes the settings and passes them to the presenter; the lock gives all threads one order.
  func change(_ body: (inout MessageTools) -> Void) {
    tools.withLock { tools in
      let before = tools.undrawnKinds
      body(&tools)
      let undrawn = tools.undrawnKinds
      if undrawn != before, !undrawn.isEmpty { events.send(.undrawn(undrawn)) }
      take(.presenterSettings(tools.presenterSettings))
      take(.presenter(.platform(tools.platformValue)))
    }
  }
}
