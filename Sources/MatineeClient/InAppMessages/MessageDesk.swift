import EventLoops
import InAppMessaging
import Participation
import Vocabulary

/// Where the presenter, which lives on the client's thread, meets the app, which may take its time:
/// what is to be done waits in a queue, and is carried out one after another.
final class MessageDesk: Sendable {
  typealias Output = MessagePresenter.Output

  /// What the app brought; anybody may change it.
  struct State: Sendable {
    var delegate: (any InAppMessageUIDelegate)?
    var display: (any MessageDisplay)?
    var actionHandler: (any MessageActionHandler)?
    var views: [String: any MessageView] = [:]
    var settings: PresenterSettings
    var isStrict: Bool
    var platform = PlatformState()
  }

  let visible = Observed<InAppMessage?>(nil)
  let stack = Observed<[InAppMessage]>([])
  let events = Broadcast<MessageEvent>(buffering: InAppMessages.bufferedEvents)
  let state: Locked<State>
  private let take: @Sendable (Participation.Participant.Input) -> Void
  private let calls = DeliveryQueue<Output>(limit: InAppMessages.bufferedEvents)
  private let patience = QuestionPatience()
  private let worker = Locked<Task<Void, Never>?>(nil)

  init(
    _ options: InAppMessageOptions,
    take: @escaping @Sendable (Participation.Participant.Input) -> Void
  ) {
    state = Locked(
      State(settings: PresenterSettings(options), isStrict: options.isStrictAboutViews))
    self.take = take
    let clerk = MessageClerk(state: state, loader: options.assetLoader, patience: patience, take)
    let task = Task { [calls] in
      while let delivery = await calls.next() {
        // What went missing was the oldest: an app that hears of nothing for so long hangs.
        if case .element(let output) = delivery { await clerk.carryOut(output) }
      }
      await clerk.finish()
    }
    worker.withLock { $0 = task }
  }

  deinit { worker.withLock { $0 }?.cancel() }

  /// Takes in what the presenter wants; called on the client's thread, in order.
  func take(_ output: Output, presenter: MessagePresenter) {
    visible.update(presenter.visibleMessage)
    stack.update(presenter.stackedMessages)
    if let event = MessageEvent(output) { events.send(event) }
    patience.note(output)
    calls.send(output)
  }

  func finish() {
    calls.finish()
    visible.finish()
    stack.finish()
    events.finish()
  }

  // MARK: What the app brings

  var delegate: (any InAppMessageUIDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  var display: (any MessageDisplay)? {
    get { state.withLock { $0.display } }
    set { change { $0.display = newValue } }
  }

  var actionHandler: (any MessageActionHandler)? {
    get { state.withLock { $0.actionHandler } }
    set { state.withLock { $0.actionHandler = newValue } }
  }

  var platform: PlatformState {
    get { state.withLock { $0.platform } }
    set { change { $0.platform = newValue } }
  }

  func register(
    _ name: String, _ requirements: MessageViewRequirements?,
    for kinds: Set<InAppMessage.Kind> = [], _ view: (any MessageView)?
  ) {
    change { state in
      state.views[name] = view
      if name != ViewRegistry.defaultView {
        let known = state.settings.registry.schemas[name]
        state.settings.registry.register(
          name, requirements?.schema ?? known ?? ExtrasSchema())
      }
      for kind in InAppMessage.Kind.allCases where kinds.contains(kind) {
        state.settings.registry.use(view == nil ? nil : name, for: kind)
      }
    }
  }

  /// Changes what the presenter has to know, and tells it; in one order for all threads.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      take(.presenterSettings(state.presenterSettings))
      take(.presenter(.platform(state.platformValue)))
    }
  }
}

extension MessageDesk.State {
  var hasDisplay: Bool { display != nil || !views.isEmpty }

  var presenterSettings: PresenterSettings {
    var settings = settings
    // Without a view for everything else, a message that has none cannot be shown.
    settings.registry.isStrict =
      display == nil && (isStrict || views[ViewRegistry.defaultView] == nil)
    return settings
  }

  var platformValue: InAppMessaging.PlatformState {
    var value = InAppMessaging.PlatformState(
      width: platform.width, height: platform.height, colorScheme: platform.colorScheme,
      supportedOrientations: platform.supportedOrientations, isVisible: platform.isVisible,
      isTextInputFocused: platform.isTextInputFocused, reducesMotion: platform.reducesMotion,
      hasDisplay: hasDisplay, hasPushPermission: platform.hasPushPermission,
      screen: platform.screen)
    value.orientation = platform.orientation
    return value
  }
}

extension PresenterSettings {
  init(_ options: InAppMessageOptions) {
    self.init()
    drainPolicy =
      switch options.drainPolicy {
      case .manual: .manual
      case .onForeground: .onForeground
      case .onSlotFree: .onSlotFree
      }
    hidesOnTextInput = options.hidesOnTextInput
    quietScreens = options.quietScreens
    ignoresCampaignColors = options.ignoresCampaignColors
    mediaURLs.allowsDevelopment = options.allowsDevelopmentMedia
    mediaURLs.trustedHosts = options.trustedMediaHosts
  }
}

extension MessageEvent {
  /// What an output means for those who observe; `nil` for what is between presenter and app.
  init?(_ output: MessagePresenter.Output) {
    switch output {
    case .tell(let event): self.init(event)
    case .report(let id, .clicked(let button)): self = .clicked(id, button: button)
    case .warn(let warning, let id): self = .warning(MessageWarning(warning), id)
    default: return nil
    }
  }

  private init(_ event: MessagePresenter.LifeCycleEvent) {
    self =
      switch event {
      case .willPresent(let message): .willPresent(message)
      case .impression(let message): .impression(message)
      case .didPresent(let message): .didPresent(message)
      case .willUpdate(let message): .willUpdate(message)
      case .willDismiss(let message, let reason): .willDismiss(message, reason)
      case .didDismiss(let message, let reason): .didDismiss(message, reason)
      case .finished(let id, let outcome): .finished(id, outcome)
      }
  }
}
