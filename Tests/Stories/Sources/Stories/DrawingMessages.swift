import MatineeClient
import Observation

/// A shop's app that draws every message itself, as one of its own pop-ups.
@MainActor @Observable
final class ShopApp {
  /// A pop-up of the app's design.
  enum PopUp: Equatable {
    case card(title: String, text: String, picture: String, buttons: [InAppMessage.Button])
    case dialog(title: String, text: String, buttons: [InAppMessage.Button])
    case banner(title: String, text: String)
    case picture(String)
    /// The app's own, which asks how the person likes the shop.
    case rating
  }

  /// The pop-up on screen; `nil` for none.
  private(set) var popUp: PopUp?
  /// The page that a button opened.
  private(set) var page: String?
  /// What the app's own analytics counts.
  private(set) var counted: [String] = []
  private let messages: InAppMessages
  private var reporter: MessageDisplayReporter?

  init(_ client: GroupWatchClient) {
    messages = client.inAppMessages
    messages.actionHandler = self
    messages.display = self
  }

  /// Something happens in the shop that a campaign may answer.
  func happens(_ event: String) { messages.triggerEvent(event) }

  /// The app's own pop-up; messages that come meanwhile are declined and wait.
  func askForRating() { popUp = .rating }

  func rated() async {
    popUp = nil
    _ = await messages.presentNext()
  }
}

extension ShopApp: MessageDisplay {
  func display(
    _ message: InAppMessage, reportingTo reporter: MessageDisplayReporter
  ) -> DisplayAnswer {
    guard popUp == nil else { return .declined }
    guard let drawn = Self.drawing(of: message) else {
      // The server learns why, and the message does not count as seen.
      reporter.displayError(.content)
      return .accepted
    }
    popUp = drawn
    self.reporter = reporter
    return .accepted
  }

  /// Removes a message that is over, such as one of another person.
  func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) {
    guard reporter?.message.id == id else { return }
    (popUp, reporter) = (nil, nil)
  }

  /// A message in the app's design; `nil` for what the app does not draw.
  private static func drawing(of message: InAppMessage) -> PopUp? {
    switch (message.kind, message.body) {
    case (.card, .text(let text)):
      guard case .image(let image)? = text.graphic else { return nil }
      return .card(
        title: text.header ?? "", text: text.message, picture: image.url, buttons: message.buttons)
    case (.modal, .text(let text)), (.full, .text(let text)):
      return .dialog(title: text.header ?? "", text: text.message, buttons: message.buttons)
    case (.banner, .text(let text)), (.slideup, .text(let text)):
      return .banner(title: text.header ?? "", text: text.message)
    case (_, .image(let image, _)): return .picture(image.url)
    case (_, .text), (_, .html), (_, .empty): return nil
    }
  }
}

// What the person does with the pop-up.
extension ShopApp {
  /// The person has seen it; a campaign counts what is reported here.
  func seen() {
    count("seen")
    reporter?.impressionDetected()
  }

  /// The person presses a button or, with `nil`, the pop-up itself.
  func press(_ button: String?) {
    count(button ?? "body")
    reporter?.messageClicked(button: button)
    (popUp, reporter) = (nil, nil)
  }

  /// The person closes it; a banner is swiped away.
  func close() {
    if case .banner = popUp {
      reporter?.messageDismissed(.swipe)
    } else {
      reporter?.messageDismissed(.closeButton)
    }
    (popUp, reporter) = (nil, nil)
  }

  /// The pop-up is gone before anybody has seen it, as when the app's window changes.
  func loseSight() { (popUp, reporter) = (nil, nil) }

  private func count(_ what: String) {
    guard let campaign = reporter?.message.campaign else { return }
    counted.append("\(campaign.name): \(what)")
  }
}

extension ShopApp: MessageActionHandler {
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) {
    switch action {
    case .open(let url, _), .deepLink(let url): page = url
    default: break
    }
  }
}
