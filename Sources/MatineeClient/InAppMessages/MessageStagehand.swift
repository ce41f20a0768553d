package import InAppMessaging
import Participation
import Vocabulary

/// Has one message drawn, by whomever.
protocol MessageStagehand: AnyObject {
  var token: PresentationToken { get }
  var message: MessageID { get }
  /// Why it goes, once it does.
  var reason: InAppMessage.DismissReason? { get set }

  /// Carries out what comes after `show`.
  func carryOut(_ command: MessagePresenter.ViewCommand)

  /// Whether what it plays alone could be shared with the group now.
  func setCanShare(_ canShare: Bool)

  /// The message is gone for good.
  func finish()
}

/// Has a message drawn by a ``MessageView``, in a task of its own.
///
/// Confined to the clerk.
final class ViewStagehand: MessageStagehand {
  let token: PresentationToken
  let message: MessageID
  var reason: InAppMessage.DismissReason?
  private let commands: AsyncStream<MessageViewCommand>.Continuation
  private let task: Task<Void, Never>
  private var shown: ShownMessage

  /// What waits for a view that does not look: the latest counts.
  private static let waitingCommands = 64

  init(
    _ shown: MessagePresenter.ShownMessage, _ token: PresentationToken, _ view: any MessageView,
    canShare: Bool, _ take: @escaping MessageClerk.Take
  ) {
    self.token = token
    message = shown.context.message.id
    self.shown = ShownMessage(shown, canShare: canShare)
    let (stream, continuation) = AsyncStream.makeStream(
      of: MessageViewCommand.self, bufferingPolicy: .bufferingNewest(Self.waitingCommands))
    commands = continuation
    let presentation = MessagePresentation(id: message, commands: stream) { event in
      take(.presenter(.view(event.value, token)))
    }
    task = Task {
      await view.run(presentation)
      // After `dismissed` this comes too late, and changes nothing.
      take(.presenter(.view(.detached, token)))
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
    case .show(let shown), .update(let shown):
      self.shown = ShownMessage(shown, canShare: self.shown.canShare)
      commands.yield(.update(self.shown))
    case .pause: commands.yield(.pause)
    case .dismiss(let isAnimated): commands.yield(.dismiss(animated: isAnimated))
    case .releaseAssets: break
    }
  }

  func finish() {
    commands.finish()
    task.cancel()
  }
}

/// Has a message drawn by a ``MessageDisplay``.
///
/// Confined to the clerk.
final class DisplayStagehand: MessageStagehand {
  let token: PresentationToken
  let message: MessageID
  var reason: InAppMessage.DismissReason?
  private let display: any MessageDisplay
  private let take: MessageClerk.Take
  private weak var reporter: MessageDisplayReporter?

  init(
    _ shown: MessagePresenter.ShownMessage, _ token: PresentationToken,
    _ display: any MessageDisplay, _ take: @escaping MessageClerk.Take
  ) {
    self.token = token
    self.display = display
    self.take = take
    message = shown.context.message.id
    let reporter = MessageDisplayReporter(shown.context.message) { event in
      take(.presenter(event.input(token)))
    }
    self.reporter = reporter
    Task {
      let answer = await display.display(reporter.message, reportingTo: reporter)
      take(.presenter(.view(answer == .accepted ? .presented : .declined, token)))
    }
  }

  func carryOut(_ command: MessagePresenter.ViewCommand) {
    guard case .dismiss = command else { return }
    // Whoever reported the end has taken the message away.
    if let reporter, !reporter.hasEnded {
      let (display, message, reason) = (display, message, reason ?? .programmatic)
      Task { await display.dismiss(message, because: reason) }
    }
    take(.presenter(.view(.dismissed, token)))
  }

  func setCanShare(_ canShare: Bool) {}

  func finish() {}
}

@available(*, unavailable)
extension ViewStagehand: Sendable {}

@available(*, unavailable)
extension DisplayStagehand: Sendable {}

extension ShownMessage {
  /// What the presenter has a view show, as the view is given it.
  package init(_ shown: MessagePresenter.ShownMessage, canShare: Bool) {
    self.init(
      message: shown.context.message, viewType: shown.view, edgeOffset: shown.context.edgeOffset,
      colorScheme: shown.colorScheme, orientation: shown.orientation,
      coversScreen: shown.coversScreen, isAnimated: shown.isAnimated, canShare: canShare)
  }
}

extension MessageViewEvent {
  var value: MessagePresenter.ViewEvent {
    switch self {
    case .presented: .presented
    case .dismissed: .dismissed
    case .clicked(let button, let action, let isTransient, let isOnControl):
      .clicked(
        MessagePresenter.Click(
          button, action: action, isTransient: isTransient, isOnControl: isOnControl))
    case .loggedClick(let button): .loggedClick(button: button)
    case .closed(.button): .closed(.button)
    case .closed(.tapOutside): .closed(.tapOutside)
    case .closed(.escape): .closed(.escape)
    case .closed(.swipe(let isFromControl)): .closed(.swipe(fromControl: isFromControl))
    case .declined: .declined
    case .detached: .detached
    case .failed(let failure): .failed(failure.value)
    }
  }
}

extension MessageViewFailure {
  var value: MessagePresenter.ViewFailure {
    switch self {
    case .image: .image
    case .content: .content
    case .other: .other
    }
  }
}

extension MessageDisplayEvent {
  func input(_ token: PresentationToken) -> MessagePresenter.Input {
    switch self {
    case .impression: .reported(.impression, token)
    case .clicked(let button): .reported(.clicked(button: button), token)
    case .dismissed(let reason): .reported(.dismissed(reason), token)
    case .failed(let failure): .reported(.failed(failure.value), token)
    case .released: .view(.detached, token)
    }
  }
}
