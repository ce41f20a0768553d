import Vocabulary

/// What a presenter and the message on screen use while one input is handled: the settings, the
/// platform, the time, and the outputs so far.
struct PresenterSurroundings: Equatable, Sendable {
  var settings: PresenterSettings
  var platform: PlatformState
  private(set) var now = HostTime(microseconds: 0)
  private var outputs: [MessagePresenter.Output] = []
  private var lastToken = 0
  private var lastClick = 0

  init(_ settings: PresenterSettings, _ platform: PlatformState) {
    self.settings = settings
    self.platform = platform
  }

  /// Begins an input; time never goes back.
  mutating func begin(at time: HostTime) { now = max(now, time) }

  mutating func emit(_ output: MessagePresenter.Output) { outputs.append(output) }

  mutating func tell(_ event: MessagePresenter.LifeCycleEvent) { emit(.tell(event)) }

  mutating func warn(_ warning: MessagePresenter.Warning, _ id: MessageID) {
    emit(.warn(warning, id))
  }

  /// Reports a delivery to the server, which knows nothing of an app's own messages.
  mutating func report(_ report: MessageReport, of message: InAppMessage) {
    if message.campaign != nil { emit(.report(message.id, report)) }
  }

  mutating func takeOutputs() -> [MessagePresenter.Output] {
    defer { outputs = [] }
    return outputs
  }

  mutating func nextToken() -> PresentationToken {
    lastToken += 1
    return PresentationToken(number: lastToken)
  }

  mutating func nextClick() -> Int {
    lastClick += 1
    return lastClick
  }

  /// Why a message cannot be shown in that view; `nil` if it can.
  func fault(of message: InAppMessage, in view: String) -> ContentFault? {
    // A session's video comes from another member, not from the campaign.
    let isAuthors = message.campaign != nil && message.session == nil
    return message.fault(
      in: view, needing: settings.registry.schema(of: view),
      media: isAuthors ? settings.mediaURLs.forCampaigns : settings.mediaURLs)
  }

  /// Why a message is not offered to the app; `nil` if it is offered.
  mutating func refusal(of message: InAppMessage) -> InAppMessage.Refusal? {
    let context = PresentationContext(message: message)
    let view = settings.registry.choose(for: context).view ?? ViewRegistry.defaultView
    if let fault = fault(of: message, in: view) {
      warn(.invalidContent(fault), message.id)
      return .invalidContent
    }
    let asksForPush =
      settings.registry.schema(of: view).asksForPush
      || message.actions.contains(.requestPushPermission)
    return platform.hasPushPermission && asksForPush ? .audience : nil
  }

  /// Why a message that the app prepared is not shown.
  struct Unfit: Error {
    let refusal: InAppMessage.Refusal
  }

  /// Checks the message that the app prepared, and gives it the delivery's own identity.
  ///
  /// - Parameters:
  ///   - prepared: what the app made of the message.
  ///   - original: the message as it was delivered.
  ///   - media: what its session watches.
  /// - Returns: what is shown, and the name of the view.
  mutating func settle(
    _ prepared: PresentationContext, for original: InAppMessage, _ media: SessionMedia?
  ) throws(Unfit) -> (PresentationContext, view: String) {
    var context = prepared
    if context.message.id != original.id { warn(.identityChanged, original.id) }
    context.message = context.message.adopting(original)
    if let media { context.message.show(media) }
    let choice = settings.registry.choose(for: context)
    if let unknown = choice.unknown { warn(.unknownView(unknown), original.id) }
    guard let view = choice.view else { throw Unfit(refusal: .noDisplay) }
    // A control has nothing to draw.
    let isControl = context.message.isControl
    if let fault = isControl ? .noText : fault(of: context.message, in: view) {
      warn(.invalidContent(fault), original.id)
      throw Unfit(refusal: .invalidContent)
    }
    return (context, view)
  }
}
