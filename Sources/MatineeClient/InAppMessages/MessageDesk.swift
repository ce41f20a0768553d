import EventLoops
import InAppMessaging
import Participation
import Vocabulary

/// Where the presenter, which lives on the client's thread, meets the app, which may take its time:
/// what is to be done waits in a queue, and is carried out one after another.
final class MessageDesk: Sendable {
  typealias Output = MessagePresenter.Output

  /// What waits for the app.
  enum Call: Sendable {
    case output(Output, number: Int)
    /// Whether what plays here alone could be shared with the group now.
    case canShare(Bool)
  }

  let visible = Observed<InAppMessage?>(nil)
  let stack = Observed<[InAppMessage]>([])
  let statusBarHidden = Observed<Bool?>(nil)
  let heldOrientation = Observed<Orientation?>(nil)
  let events = Broadcast<MessageEvent>(buffering: InAppMessages.bufferedEvents)
  let sessionSteps = Broadcast<SessionStep>(buffering: InAppMessages.bufferedEvents)
  /// Videos that a person wants to share.
  let shares = Broadcast<MediaItem>(buffering: InAppMessages.bufferedEvents)
  let tools: Locked<MessageTools>
  private let take: @Sendable (Client.Input) -> Void
  private let calls = DeliveryQueue<Call>(limit: InAppMessages.bufferedEvents)
  private let order = QuestionOrder()
  private let isShareable = Locked(false)
  private let worker = Locked<Task<Void, Never>?>(nil)

  /// What is to be done about a session, told to whoever mirrors it.
  struct SessionStep: Sendable {
    let session: SessionID
    let clearsItem: Bool
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
      while let delivery = await calls.next() {
        // An app that hears of nothing for so long misses the oldest, and the presenter goes on.
        if case .element(let call) = delivery { await clerk.carryOut(call) }
      }
      await clerk.finish()
    }
    worker.withLock { $0 = task }
  }

  deinit { worker.withLock { $0 }?.cancel() }

  /// Takes in what the presenter wants; called on the client's thread, in order.
  func take(_ output: Output) {
    if let event = MessageEvent(output) { events.send(event) }
    switch output {
    case .statusBar(let isHidden): statusBarHidden.update(isHidden)
    case .hold(let orientation): heldOrientation.update(orientation)
    case .session(.clearSession, let id):
      sessionSteps.send(SessionStep(session: id, clearsItem: false))
    case .session(.clearItem, let id):
      sessionSteps.send(SessionStep(session: id, clearsItem: true))
    case .perform(.session(.startForAll), let message):
      if let item = message.video { shares.send(item) }
      calls.send(.output(output, number: order.number(output)))
    default: calls.send(.output(output, number: order.number(output)))
    }
  }

  /// Tells views whether what plays here alone could be shared; called on the client's thread.
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
    events.finish()
    sessionSteps.finish()
    shares.finish()
  }

  /// Goes on with everything that is the app's, where another client ends.
  func takeOver(from other: MessageDesk) {
    let tools = other.tools.withLock { $0 }
    change { $0.takeOver(from: tools) }
  }

  /// Changes what the presenter has to know, and tells it; in one order for all threads.
  func change(_ body: (inout MessageTools) -> Void) {
    tools.withLock { tools in
      body(&tools)
      take(.presenterSettings(tools.presenterSettings))
      take(.presenter(.platform(tools.platformValue)))
    }
  }
}
