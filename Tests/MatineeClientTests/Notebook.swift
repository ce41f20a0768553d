import EventLoops
import MatineeClient

/// An app's delegate, and its views, that write down what happens, and do what a test wants.
final class Notebook: InAppMessageUIDelegate, MessageView {
  struct Script: Sendable {
    var choice: @Sendable (InAppMessage, MessageOrigin) async -> DisplayChoice = { _, _ in .now }
    var prepare: @Sendable (inout PresentationContext) -> Void = { _ in }
    var processes = true
    /// Whether its views say that they are there, and go when told to.
    var draws = true
    /// Whether its views are done as soon as they have shown their message.
    var returns = false
    /// What its views do when they are told to go.
    var onDismiss: @Sendable () -> Void = {}
  }

  let script: Locked<Script>
  private let state = Locked<[String]>([])
  private let shownMessages = Locked<[ShownMessage]>([])
  private let presentation = Locked<MessagePresentation?>(nil)
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)

  init(_ adjust: (inout Script) -> Void = { _ in }) {
    var script = Script()
    adjust(&script)
    self.script = Locked(script)
  }

  /// What happened, in order.
  var lines: [String] { state.withLock { $0 } }

  /// What views were told to show, in order.
  var shown: [ShownMessage] { shownMessages.withLock { $0 } }

  /// Waits until something was written; for one reader.
  func waits(for isThere: ([String]) -> Bool) async {
    if isThere(lines) { return }
    for await _ in news where isThere(lines) { return }
  }

  func waits(for line: String, times: Int = 1) async {
    await waits { $0.count { $0.hasPrefix(line) } >= times }
  }

  func note(_ line: String) {
    state.withLock { $0.append(line) }
    writer.yield()
  }

  /// The view on screen tells something.
  func view(_ event: MessageViewEvent) {
    presentation.withLock { $0 }?.report(event)
  }

  // MARK: Delegate

  func displayChoice(for message: InAppMessage, origin: MessageOrigin) async -> DisplayChoice {
    note("choice \(message.plainText) \(origin)")
    let choice = script.withLock { $0.choice }
    return await choice(message, origin)
  }

  func prepare(with context: inout PresentationContext) {
    note("prepare \(context.message.plainText)")
    script.withLock { $0.prepare }(&context)
  }

  func willPresent(_ message: InAppMessage, in view: (any MessageView)?) {
    note("willPresent \(message.plainText)")
  }
  func didPresent(_ message: InAppMessage, in view: (any MessageView)?) {
    note("didPresent \(message.plainText)")
  }
  func willUpdate(_ message: InAppMessage, in view: (any MessageView)?) {
    note("willUpdate \(message.plainText)")
  }

  func willDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) {
    note("willDismiss \(message.plainText)")
  }

  func didDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) {
    note("didDismiss \(message.plainText)")
  }

  func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    of message: InAppMessage, in view: (any MessageView)?
  ) -> Bool {
    note("process \(buttonID ?? "body") \(button?.text ?? "-")")
    return script.withLock { $0.processes }
  }

  func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) {
    if case .refused(let refusal) = outcome {
      note("finished \(refusal.rawValue)")
    } else {
      note("finished")
    }
  }

  // MARK: View

  func run(_ presentation: MessagePresentation) async {
    self.presentation.withLock { $0 = presentation }
    for await command in presentation.commands {
      let (draws, returns) = script.withLock { ($0.draws, $0.returns) }
      switch command {
      case .show(let shown):
        shownMessages.withLock { $0.append(shown) }
        note("show \(shown.viewType) \(shown.message.plainText)")
        if draws { presentation.report(.presented) }
        if returns { return }
      case .update(let shown):
        shownMessages.withLock { $0.append(shown) }
        note("update \(shown.message.plainText)")
      case .pause: note("pause")
      case .dismiss:
        note("dismiss")
        script.withLock { $0.onDismiss }()
        if draws { presentation.report(.dismissed) }
      }
    }
  }
}

extension InAppMessage {
  /// What a test calls it.
  var plainText: String {
    if case .text(let text) = body { text.message } else { kind.rawValue }
  }
}
