import MatineeClient
import MatineeTerminal
import Observation

/// A box below a television, without windows: its person types lines and reads lines.
@MainActor @Observable
final class FilmBox {
  /// What was printed, the newest line last.
  private(set) var screen: [String] = []
  /// Whether a push primer was agreed to.
  private(set) var mayNotify = false
  /// The view for banners, in place of the ready-made one.
  let ticker = Ticker()
  private let messages: InAppMessages
  private let view: TerminalMessageView

  init(_ client: GroupWatchClient) {
    let (lines, printer) = AsyncStream.makeStream(of: String.self)
    messages = client.inAppMessages
    view = TerminalMessageView { printer.yield($0) }
    messages.setDefaultView(view)
    messages.register("ticker", for: [.banner], ticker)
    messages.actionHandler = self
    Task { [weak self] in
      for await line in lines { self?.screen.append(line) }
    }
  }

  /// The person types a line.
  func type(_ line: String) {
    guard view.isShowing, let key = MessageKey(line: line), view.press(key) else {
      return screen.append("that does nothing here")
    }
  }

  /// An editor looks at a message that nobody is shown.
  func preview(_ message: InAppMessage) {
    screen += TerminalMessageView.preview(message, width: 40)
  }
}

extension FilmBox: MessageActionHandler {
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) {
    guard case .requestPushPermission = action else { return }
    mayNotify = true
    messages.platform.hasPushPermission = true
  }
}

/// One line at the edge of the film.
@MainActor @Observable
final class Ticker: MessageView {
  /// The line; `nil` for none.
  private(set) var line: String?

  func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands {
      switch command {
      case .show(let shown), .update(let shown):
        guard case .text(let text) = shown.message.body else { continue }
        line = text.message
        presentation.report(.presented)
      case .pause: break
      case .dismiss:
        line = nil
        presentation.report(.dismissed)
      }
    }
  }
}
