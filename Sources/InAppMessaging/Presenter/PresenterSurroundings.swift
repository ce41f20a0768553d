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
      in: view, needing: settings.registry.requirements(of: view),
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
      settings.registry.requirements(of: view).asksForPush
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

/// The settings of a presenter.
package struct PresenterSettings: Equatable, Sendable {
  /// When the stack presents its next message by itself.
  package var drainPolicy = DrainPolicy.manual
  /// Whether a message goes back to the stack when the person begins to write.
  package var hidesOnTextInput = false
  /// Screens of the app on which no message is shown; messages wait meanwhile.
  package var quietScreens: Set<String> = []
  /// Whether colours of campaigns are ignored, for an app with its own design.
  package var ignoresCampaignColors = false
  /// Whether a dismissal leaves the message's session; otherwise the person goes on elsewhere.
  package var leavesWithMessage = true
  /// The views there are, by name.
  package var registry = ViewRegistry()
  /// Which videos are let through.
  package var mediaURLs = MediaURLGuard()

  /// How long it waits for others.
  package var patience = PresenterPatience()
  /// The default time to live of a message, as on the server.
  package var timeToLive = Duration.seconds(300)
  /// Messages on the stack, and as many that wait for a display: a week of a busy app's campaigns.
  package var stackLimit = 50
  /// Messages the app is asked about at once, and clicks; more than a person or an event brings.
  package var questionLimit = 8
  /// Ended deliveries and sessions that are remembered, so that late inputs are recognised.
  package var memory = 256
  /// The size, both ways, from which a full screen message is a dialog; in points.
  package var largeWindow = 600.0

  /// The default settings.
  package init() {}
}

/// How long a presenter waits for its app and its views before it goes on without them.
package struct PresenterPatience: Equatable, Sendable {
  /// How long an app may take to decide about a message; then it is shown.
  package var choice = Duration.seconds(5)
  /// How long an app may take to decide about a click's action; then it is carried out.
  package var processing = Duration.seconds(5)
  /// How long images may load: beyond it, the event that triggered the message is long past.
  package var assets = Duration.seconds(10)
  /// How long a message may take from getting the screen to being shown: the images' time, and half
  /// as long again for the view.
  package var presenting = Duration.seconds(15)
  /// How long a view may take to disappear: twenty times the longest animation.
  package var dismissing = Duration.seconds(5)

  /// The default times.
  package init() {}

  /// The same time for all.
  package init(_ limit: Duration) {
    (choice, processing, assets, presenting, dismissing) = (limit, limit, limit, limit, limit)
  }
}
