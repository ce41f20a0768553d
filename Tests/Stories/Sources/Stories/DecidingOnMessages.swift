import MatineeClient
import Observation

/// A cinema's app: it decides when a message comes, how it looks, and what its buttons do.
@MainActor @Observable
final class CinemaApp {
  /// The views: a strip at the edge, a page over the whole screen, and a dialog for the rest.
  let strip = MessagePanel()
  let page = MessagePanel()
  let dialog = MessagePanel()
  /// Whether a film fills the screen.
  private(set) var isFilmRunning = false
  /// The app's screen: the programme, the box office, or a page of the web.
  private(set) var screen = "programme"
  /// The app's own record of its messages.
  private(set) var diary: [String] = []
  private let messages: InAppMessages

  /// Sets the delegate before the views: a message that waits comes as soon as there is a view.
  init(_ client: GroupWatchClient) {
    messages = client.inAppMessages
    messages.delegate = self
    messages.actionHandler = self
    messages.register("strip", strip)
    messages.register("page", page)
    messages.setDefaultView(dialog)
  }

  func filmBegins() { isFilmRunning = true }

  /// Shows what came during the film, one message after the other.
  func filmEnds() async {
    isFilmRunning = false
    await showNext()
  }

  func showNext() async {
    if case .empty = await messages.presentNext() { diary.append("nothing waits") }
  }
}

extension CinemaApp: InAppMessageUIDelegate {
  func displayChoice(for message: InAppMessage, origin: MessageOrigin) -> DisplayChoice {
    guard isFilmRunning else { return .now }
    return message.extras["topic"]?.string == "offer" ? .discard : .reenqueue
  }

  func prepare(with context: inout PresentationContext) {
    // The cinema's app is light, also at night.
    context.message = context.message.removingDarkThemes()
    if context.message.full != nil {
      context.preferredOrientation = .portrait
      context.statusBarHideBehavior = .hidden
    }
  }

  func viewType(for message: InAppMessage) -> String? {
    switch message.kind {
    case .slideup, .banner: "strip"
    case .full, .fullImage: "page"
    case .modal, .modalImage, .card, .imageOnly, .html, .control: nil
    }
  }

  func willPresent(_ message: InAppMessage, in view: (any MessageView)?) { note("comes", message) }
  func didPresent(_ message: InAppMessage, in view: (any MessageView)?) {
    note("is there", message)
  }

  func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    of message: InAppMessage, in view: (any MessageView)?
  ) -> Bool {
    note("clicked \(button?.text ?? "body")", message)
    // The id is the author's label for the button, never its place.
    guard buttonID == "book" else { return true }
    screen = "box office"
    return false
  }

  func willDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) {
    note("goes", message)
  }

  func didDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) {
    note(reason.isByPerson ? "closed by the person" : "closed", message)
  }

  func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) {
    if case .refused(let refusal) = outcome { diary.append("not shown: \(refusal)") }
  }

  private func note(_ what: String, _ message: InAppMessage) {
    diary.append("\(message.campaign?.name ?? "own message") \(what)")
  }
}

extension CinemaApp: MessageActionHandler {
  /// Performs what only an app can.
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) {
    switch action {
    case .open(let url, _), .deepLink(let url): screen = url
    default: break
    }
  }
}

/// A view that draws a text and buttons.
@MainActor @Observable
final class MessagePanel: MessageView {
  /// What it shows; `nil` while it is closed.
  private(set) var shown: ShownMessage?
  private var presentation: MessagePresentation?

  func run(_ presentation: MessagePresentation) async {
    self.presentation = presentation
    for await command in presentation.commands {
      switch command {
      case .show(let shown):
        self.shown = shown
        presentation.report(.presented)
      case .update(let shown): self.shown = shown
      case .pause: break
      case .dismiss:
        shown = nil
        presentation.report(.dismissed)
      }
    }
  }

  /// The person presses a button or, with `nil`, the text.
  func press(_ button: String?) { presentation?.report(.clicked(button: button)) }

  /// The person closes it: a strip with a swipe, anything else with its button.
  func close() {
    let isStrip = shown?.message.closing.byButton == false
    presentation?.report(.closed(isStrip ? .swipe() : .button))
  }
}
