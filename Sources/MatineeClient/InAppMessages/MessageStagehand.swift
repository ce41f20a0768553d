import InAppMessaging
import Participation
import Vocabulary

/// Has one message drawn, by a view or by the app's display.
protocol MessageStagehand: AnyObject {
  var token: PresentationToken { get }
  var message: MessageID { get }
  /// Why the message is dismissed; `nil` until it is.
  var reason: InAppMessage.DismissReason? { get set }

  /// Executes the commands that follow `show`.
  func carryOut(_ command: MessagePresenter.ViewCommand)

  /// Sets whether the media it plays alone can be shared with the group now.
  func setCanShare(_ canShare: Bool)

  /// Ends drawing, because the message is gone for good.
  func finish()
}

/// Has a message drawn by a ``MessageView``, in a task of its own.
///
/// Confined to the clerk's actor.
final class ViewStagehand: MessageStagehand {
  let token: PresentationToken
  let message: MessageID
  var reason: InAppMessage.DismissReason?
  private let commands: AsyncStream<MessageViewCommand>.Continuation
  private let task: Task<Void, Never>
  private var shown: ShownMessage

  /// Commands buffered for a view that does not read them; the oldest are dropped.
  private static let waitingCommands = 64

  init(
    _ shown: ShownMessage, _ token: PresentationToken, _ view: any MessageView,
    canShare: Bool, _ take: @escaping MessageClerk.Take
  ) {
    self.token = token
    message = shown.message.id
    self.shown = shown.with(canShare: canShare)
    let (stream, continuation) = AsyncStream.makeStream(
      of: MessageViewCommand.self, bufferingPolicy: .bufferingNewest(Self.waitingCommands))
    commands = continuation
    let presentation = MessagePresentation(id: message, commands: stream) { event in
      take(.presenter(.view(event, token)))
    }
    task = Task {
      await view.run(presentation)
      // After `dismissed` this event is too late and has no effect.
      take(.presenter(.view(.detached(), token)))
    }
    commands.yield(.show(self.shown))
  }

  func setCanShare(_ canShare: Bool) {
    guard canShare != shown.canShare else { return }
    let before = shown.buttons
    shown.canShare = canShare
    if shown.buttons != before { commands.yield(.update(shown)) }
  }

  func carryOut(_ command: MessagePresenter.ViewCommand) {
    switch command {
    case .update(let shown):
      self.shown = shown.with(canShare: self.shown.canShare)
      commands.yield(.update(self.shown))
    case .pause: commands.yield(.pause)
    case .dismiss(let isAnimated): commands.yield(.dismiss(animated: isAnimated))
    // A clerk makes another stagehand for each `show`.
    case .show, .releaseAssets: break
    }
  }

  func finish() {
    commands.finish()
    task.cancel()
  }
}

/// Has a message drawn by a ``MessageDisplay``.
///
/// Confined to the clerk's actor.
final class DisplayStagehand: MessageStagehand {
  let token: PresentationToken
  let message: MessageID
  var reason: InAppMessage.DismissReason?
  private let display: any MessageDisplay
  private let take: MessageClerk.Take
  private weak var reporter: MessageDisplayReporter?
  /// Has the display show the message; whether it accepts.
  private let showing: Task<Bool, Never>
  private var isDismissed = false

  init(
    _ shown: ShownMessage, _ token: PresentationToken,
    _ display: any MessageDisplay, _ take: @escaping MessageClerk.Take
  ) {
    self.token = token
    self.display = display
    self.take = take
    message = shown.message.id
    let reporter = MessageDisplayReporter(shown.message) { event in
      take(.presenter(event.input(token)))
    }
    self.reporter = reporter
    showing = Task {
      let answer = await display.display(reporter.message, reportingTo: reporter)
      take(.presenter(.view(answer == .accepted ? .presented : .declined, token)))
      return answer == .accepted
    }
  }

  func carryOut(_ command: MessagePresenter.ViewCommand) {
    guard case .dismiss = command else { return }
    dismiss()
    take(.presenter(.view(.dismissed, token)))
  }

  func setCanShare(_ canShare: Bool) {}

  func finish() { dismiss() }

  /// Removes the message once the display has answered, so that it cannot come up afterwards.
  private func dismiss() {
    guard !isDismissed else { return }
    isDismissed = true
    let (display, message, reason) = (display, message, reason ?? .programmatic)
    Task { [showing, weak reporter] in
      // A display that reported the end, or has let go of the reporter, shows the message no more.
      guard await showing.value, reporter?.hasEnded == false else { return }
      await display.dismiss(message, because: reason)
    }
  }
}

@available(*, unavailable)
extension ViewStagehand: Sendable {}

@available(*, unavailable)
extension DisplayStagehand: Sendable {}

extension MessageDisplayEvent {
  func input(_ token: PresentationToken) -> MessagePresenter.Input {
    switch self {
    case .impression: .reported(.impression, token)
    case .clicked(let button): .reported(.clicked(button: button), token)
    case .dismissed(let reason): .reported(.dismissed(reason), token)
    case .failed(let failure): .reported(.failed(failure), token)
    // A forgotten reporter is no person's wish.
    case .released: .view(.detached(leavesSession: false), token)
    }
  }
}
