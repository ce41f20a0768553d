import Vocabulary

/// A message that was offered, and its progress.
struct OfferedMessage: Equatable, Sendable {
  var message: InAppMessage
  var origin: MessageOrigin
  private(set) var stage = MessageStage.waiting
  /// When it expires; suspended while it waits for its turn.
  var expires: HostTime?
  /// The caller that is told of its end.
  var request: PresentNextTag?
  /// Whether its impression was counted.
  var wasSeen = false
  /// Whether it was on screen and sent back.
  var wasShown = false
  /// Whether the server knows that it waits.
  var isKnownToWait = false

  init(
    _ message: InAppMessage, origin: MessageOrigin, expires: HostTime? = nil,
    wasSeen: Bool = false
  ) {
    self.message = message
    self.origin = origin
    self.expires = expires
    self.wasSeen = wasSeen
  }

  var id: MessageID { message.id }

  /// Moves to a stage; a step that is not in the table is a bug in this room.
  mutating func go(to stage: MessageStage) {
    assert(MessageStage.next[self.stage]?.contains(stage) == true, "\(self.stage) to \(stage)")
    self.stage = stage
  }

  /// Whether another message looks the same to a person: one of the same campaign, or an equal one
  /// of the app's.
  func isSame(as other: OfferedMessage) -> Bool {
    switch (message.campaign, other.message.campaign) {
    case (let mine?, let its?): mine.id == its.id
    case (nil, nil): message.adopting(other.message) == other.message
    default: false
    }
  }
}

// MARK: How it goes on

extension OfferedMessage {
  /// Lets it wait, and tells the caller that asked for it and the server.
  ///
  /// - Parameter keepsExpiry: whether its time to live runs on.
  mutating func wait(keepsExpiry: Bool, _ around: inout PresenterSurroundings) {
    if stage != .waiting { go(to: .waiting) }
    if let request { around.emit(.answer(request, .reenqueued)) }
    request = nil
    guard !keepsExpiry else { return }
    expires = nil
    if !isKnownToWait { around.report(.waiting, of: message) }
    isKnownToWait = true
  }

  /// Ends it, and tells the server, the delegate and the caller that asked for it.
  mutating func finish(
    _ outcome: InAppMessage.Outcome, _ around: inout PresenterSurroundings
  ) {
    go(to: .finished)
    var outcome = outcome
    var result = PresentNextResult.presented(id)
    if case .refused(let refusal) = outcome {
      result = .refused(refusal)
      // It was on screen, and is not shown again.
      if wasShown { outcome = .presented(dismissedBy: .textInput) }
    }
    switch outcome {
    case .presented(let reason): around.report(.dismissed(reason), of: message)
    case .control: around.report(.dismissed(.automatic), of: message)
    case .refused(let refusal): around.report(.refused(refusal), of: message)
    }
    around.tell(.finished(id, outcome))
    if let request { around.emit(.answer(request, result)) }
  }

  /// A control goes through all stages, but nothing is shown.
  mutating func runAsControl(_ around: inout PresenterSurroundings) {
    go(to: .presenting)
    around.tell(.willPresent(message))
    around.report(.started, of: message)
    go(to: .presented)
    around.tell(.impression(message))
    around.report(.impression, of: message)
    around.tell(.didPresent(message))
    go(to: .dismissing)
    around.tell(.willDismiss(message, .automatic))
    around.tell(.didDismiss(message, .automatic))
  }
}

extension InAppMessage {
  /// Whether it is shown to nobody.
  var isControl: Bool { kind == .control || surface == .invisible }

  /// This message under the identity of another: its id, its campaign and its session.
  func adopting(_ other: InAppMessage) -> InAppMessage {
    var message = InAppMessage(id: other.id, kind: kind, body: body)
    message.campaign = other.campaign
    message.session = other.session
    message.surface = surface
    message.clickAction = clickAction
    message.buttons = buttons
    message.closing = closing
    message.orientation = orientation
    message.themes = themes
    message.animatesIn = animatesIn
    message.animatesOut = animatesOut
    message.extras = extras
    message.language = language
    message.impression = impression
    return message
  }
}

/// The stage of a delivery; it moves only along ``next``.
package enum MessageStage: String, Hashable, Sendable, CaseIterable {
  /// On the stack, or for the display, the screen or a session's player to be free.
  case waiting
  /// The app is asked whether to show it.
  case offered
  /// It has the screen, and its images are on their way.
  case loading
  /// The app may change it.
  case preparing
  /// Its view comes on screen.
  case presenting
  case presented
  /// Its view goes.
  case dismissing
  case finished

  /// Every step there is.
  ///
  /// A control goes from `offered` to `presenting`, because it needs no preparation. A view may
  /// decline a message that is `presenting`, and a person who writes may send one on screen back.
  /// Both then wait again, by way of `dismissing`, so that each `willPresent` has its `didDismiss`.
  package static let next: [MessageStage: Set<MessageStage>] = [
    .waiting: [.offered, .finished],
    .offered: [.loading, .presenting, .waiting, .finished],
    .loading: [.preparing, .waiting, .finished],
    .preparing: [.presenting, .waiting, .finished],
    .presenting: [.presented, .dismissing],
    .presented: [.dismissing],
    .dismissing: [.finished, .waiting],
    .finished: [],
  ]
}
