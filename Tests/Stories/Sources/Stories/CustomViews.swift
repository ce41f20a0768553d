import MatineeClient
import Observation

/// A film guide with views of its own for some messages; the others come in the default view.
@MainActor @Observable
final class FilmGuide {
  let genres = GenrePicker()
  let topics = TopicList()
  let primer = PushPrimer()
  let strip = Strip()
  let standard = CustomView()
  /// Whether the system's own question for notifications was asked.
  private(set) var asksForPush = false
  private let messages: InAppMessages

  init(_ client: GroupWatchClient) {
    messages = client.inAppMessages
    messages.actionHandler = self
    messages.register("picker", genres)
    messages.register("table_list", topics)
    messages.register("permission", primer)
    messages.register("strip", for: [.slideup, .banner], strip)
    messages.setDefaultView(standard)
  }

  /// The window has another size: the device was turned.
  func resize(width: Double, height: Double) {
    var platform = messages.platform
    (platform.width, platform.height) = (width, height)
    platform.orientation = Orientation(width: width, height: height)
    messages.platform = platform
  }

  /// The person chooses the dark appearance.
  func darken() { messages.platform.colorScheme = .dark }
}

extension FilmGuide: MessageActionHandler {
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) {
    guard case .requestPushPermission = action else { return }
    asksForPush = true
    messages.platform.hasPushPermission = true
  }
}

/// What all views have in common: one message, its buttons, and taps.
@MainActor @Observable
class CustomView: MessageView {
  /// The message on screen; `nil` for none.
  private(set) var shown: ShownMessage?
  @ObservationIgnored private var presentation: MessagePresentation?

  final func run(_ presentation: MessagePresentation) async {
    self.presentation = presentation
    for await command in presentation.commands {
      switch command {
      case .show(let shown):
        self.shown = shown
        setUp(shown)
        presentation.report(.presented)
      case .update(let shown): self.shown = shown
      case .pause: break
      case .dismiss:
        shown = nil
        presentation.report(.dismissed)
      }
    }
  }

  /// Reads what a view needs of its message, before it is visible.
  func setUp(_ shown: ShownMessage) {}

  /// Presses a button; with an action, that one is performed in place of the button's own.
  final func press(_ button: InAppMessage.Button?, _ action: InAppMessage.ClickAction? = nil) {
    presentation?.report(.clicked(button: button?.id, action: action))
  }

  /// A tap on the message; one on a switch or a list is not for the message.
  final func tap(isOnControl: Bool) {
    presentation?.report(.clicked(button: nil, isOnControl: isOnControl))
  }
}

/// One choice of a list; view type `picker`.
@MainActor @Observable
final class GenrePicker: CustomView {
  private(set) var rows: [String] = []
  /// The chosen row; `nil` at first, and then nothing can be submitted.
  var choice: String?

  override func setUp(_ shown: ShownMessage) {
    rows = shown.items()
    choice = nil
  }

  func submit() {
    guard let choice, let shown, let key = shown.attributeKey else { return }
    press(shown.buttons.last, .setAttribute(key: key, value: .string(choice)))
  }
}

/// A switch for each item, all on at first, and the view's own button; view type `table_list`.
@MainActor @Observable
final class TopicList: CustomView {
  private(set) var topics: [String] = []
  private(set) var off: Set<String> = []

  override func setUp(_ shown: ShownMessage) {
    topics = shown.items()
    off = []
  }

  func toggle(_ topic: String) {
    tap(isOnControl: true)
    if off.remove(topic) == nil { off.insert(topic) }
  }

  func save() {
    guard let shown, let key = shown.attributeKey else { return }
    let chosen = topics.filter { !off.contains($0) }
    press(nil, .setAttribute(key: key, value: .list(chosen)))
  }
}

/// The question before the system's own, which can be asked only once; view type `permission`.
@MainActor @Observable
final class PushPrimer: CustomView {
  func agree() { press(shown?.buttons.last) }
  func decline() { press(shown?.buttons.first) }
}

/// A strip at the edge, above the bar that the app has there.
@MainActor @Observable
final class Strip: CustomView {
  /// The space of the app's own bar, which the view keeps clear.
  var bar = 34.0
  /// The strip's distance from the edge.
  var distance: Double { shown?.distance(fromEdge: bar) ?? bar }
  /// The colour behind the text; the view's own is white.
  var background: Color { shown?.theme.background ?? Color(argb: 0xFFFF_FFFF) }
}
