import EventLoops
import InAppMessaging
import Participation
import Vocabulary

/// Executes the presenter's outputs that concern the app: delegate, views and display, one at a
/// time.
///
/// The clicks' actions have a queue of their own, because one may wait for a person's answer.
actor MessageClerk {
  typealias Output = MessagePresenter.Output
  typealias Take = @Sendable (Client.Input) -> Void
  private typealias Action = @Sendable () async -> Void

  private let tools: Locked<MessageTools>
  private let loader: (any MessageAssetLoader)?
  private let order: QuestionOrder
  private let take: Take
  private let actions = DeliveryQueue<Action>(limit: InAppMessages.bufferedEvents)
  private var canShare = false
  private var stages: [PresentationToken: any MessageStagehand] = [:]
  /// The names of the views of the messages that the delegate prepared.
  private var views: [MessageID: String] = [:]

  init(
    _ tools: Locked<MessageTools>, _ loader: (any MessageAssetLoader)?, _ order: QuestionOrder,
    _ take: @escaping Take
  ) {
    self.tools = tools
    self.loader = loader
    self.order = order
    self.take = take
  }

  func carryOut(_ call: MessageDesk.Call) async {
    switch call {
    case .output(let output, let number): await carryOut(output, number)
    case .canShare(let canShare):
      self.canShare = canShare
      for stage in stages.values { stage.setCanShare(canShare) }
    }
  }

  private func carryOut(_ output: Output, _ number: Int) async {
    switch output {
    case .ask(let question, let token): await ask(question, token, number)
    case .view(let command, let token): carryOut(command, token)
    case .tell(let event): await tell(event)
    case .perform(let action, let message):
      guard let handler = tools.withLock({ $0.actionHandler }) else { return }
      actions.send { await handler.perform(action, of: message) }
    case .report, .warn, .statusBar, .hold, .session, .answer, .lease: break
    }
  }

  /// Has the app perform the clicks' actions, one after the other, until ``finish()``.
  nonisolated func performActions() async {
    while let delivery = await actions.next() {
      if case .element(let perform) = delivery { await perform() }
    }
  }

  /// Finishes: takes every message off the screen.
  func finish() {
    actions.finish()
    for stage in stages.values { stage.finish() }
    stages = [:]
  }

  // MARK: Questions

  private func ask(
    _ question: MessagePresenter.Question, _ token: PresentationToken, _ number: Int
  ) async {
    let (delegate, hasDisplay) = tools.withLock { ($0.delegate, $0.display != nil) }
    let take = take
    switch question {
    case .loadAssets(let assets):
      guard let loader else { return take(.presenter(.assets(.loaded, token))) }
      Task {
        for report in await assets.load(with: loader) { take(.presenter(.assets(report, token))) }
      }
    case .displayChoice(let message, let origin):
      guard let delegate, !hasDisplay else { return take(.presenter(.chose(.now, token))) }
      await order.wait(for: number, about: message.id) {
        let choice = await delegate.displayChoice(for: message, origin: origin)
        take(.presenter(.chose(choice, token)))
      }
    case .prepare(let context):
      guard let delegate, !hasDisplay else { return take(.presenter(.prepared(context, token))) }
      await order.wait(for: number, about: context.message.id) {
        var prepared = context
        await delegate.prepare(with: &prepared)
        if prepared.viewType == nil {
          prepared.viewType = await delegate.viewType(for: prepared.message)
        }
        await self.note(prepared, of: context.message.id)
        take(.presenter(.prepared(prepared, token)))
      }
    case .shouldProcess(let action, let button, let id, let message, let click):
      guard let delegate, !hasDisplay else {
        return take(.presenter(.decided(process: true, click: click, token)))
      }
      let view = view(of: message.id)
      await order.wait(for: number, about: message.id) {
        let isWanted = await delegate.shouldProcess(
          action, button: button, buttonID: id, of: message, in: view)
        take(.presenter(.decided(process: isWanted, click: click, token)))
      }
    }
  }

  private func tell(_ event: MessagePresenter.LifeCycleEvent) async {
    let (delegate, hasDisplay) = tools.withLock { ($0.delegate, $0.display != nil) }
    if case .willDismiss(_, let reason) = event { stage(of: event.messageID)?.reason = reason }
    if let delegate, !hasDisplay {
      let view = view(of: event.messageID)
      switch event {
      case .willPresent(let message): await delegate.willPresent(message, in: view)
      case .impression: break
      case .didPresent(let message): await delegate.didPresent(message, in: view)
      case .willUpdate(let message): await delegate.willUpdate(message, in: view)
      case .willDismiss(let message, let reason):
        await delegate.willDismiss(message, because: reason, in: view)
      case .didDismiss(let message, let reason):
        await delegate.didDismiss(message, because: reason, in: view)
      case .finished(let id, let outcome): await delegate.finished(id, outcome)
      }
    }
    if case .finished(let id, _) = event { views[id] = nil }
    switch event {
    case .didDismiss, .finished:
      guard let stage = stage(of: event.messageID) else { return }
      stages[stage.token] = nil
      stage.finish()
    default: break
    }
  }

  private func stage(of id: MessageID) -> (any MessageStagehand)? {
    stages.values.first { $0.message == id }
  }

  // MARK: Views

  /// Notes which view the presenter chooses for what the delegate prepared.
  private func note(_ prepared: PresentationContext, of id: MessageID) {
    views[id] = tools.withLock { $0.presenterSettings.registry.choose(for: prepared).view }
  }

  /// The view of a message that the delegate prepared.
  private func view(of id: MessageID) -> (any MessageView)? {
    views[id].flatMap { name in tools.withLock { $0.view(name) } }
  }

  private func carryOut(_ command: MessagePresenter.ViewCommand, _ token: PresentationToken) {
    guard case .show(let shown) = command else {
      stages[token]?.carryOut(command)
      return
    }
    let (display, view) = tools.withLock { ($0.display, $0.view(shown.viewType)) }
    if let display {
      stages[token] = DisplayStagehand(shown, token, display, take)
    } else if let view {
      stages[token] = ViewStagehand(shown, token, view, canShare: canShare, take)
    } else {
      take(.presenter(.view(.failed(.other), token)))
    }
  }
}

extension MessageAssets {
  /// Loads both images, the main one first.
  ///
  /// - Returns: what the presenter hears, in order.
  fileprivate func load(
    with loader: any MessageAssetLoader
  ) async -> [MessagePresenter.AssetReport] {
    if let image, await !loader.load(image) { return [.failed] }
    if let landscapeImage, await !loader.load(landscapeImage) {
      return image == nil ? [.loaded] : [.landscapeFailed, .loaded]
    }
    return [.loaded]
  }
}
