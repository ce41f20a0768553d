import InAppMessaging

/// The app's delegate, display, views and settings for messages.
struct MessageTools: Sendable {
  var delegate: (any InAppMessageUIDelegate)?
  var display: (any MessageDisplay)?
  var actionHandler: (any MessageActionHandler)?
  var platform = PlatformState()
  private(set) var views: [String: any MessageView] = [:]
  var settings: PresenterSettings
  private let isStrict: Bool

  init(_ options: InAppMessageOptions) {
    settings = PresenterSettings(options)
    isStrict = options.isStrictAboutViews
  }

  mutating func register(
    _ name: String, _ requirements: MessageViewRequirements?, for kinds: Set<InAppMessage.Kind>,
    _ view: (any MessageView)?
  ) {
    views[name] = view
    let isDefault = name == ViewRegistry.defaultView
    if !isDefault {
      let known = settings.registry.requirements(of: name)
      settings.registry.register(name, requirements ?? known)
    }
    for kind in kinds {
      do throws(ViewRegistry.UnknownView) {
        try settings.registry.use(view == nil || isDefault ? nil : name, for: kind)
      } catch { preconditionFailure("`\(error.name)` was registered just now") }
    }
  }

  /// Takes over everything that belongs to the app and not to its person.
  mutating func takeOver(from other: MessageTools) {
    delegate = other.delegate
    display = other.display
    actionHandler = other.actionHandler
    platform = other.platform
    views = other.views
    settings.registry = other.settings.registry
  }

  /// The view of that name, or the default view.
  func view(_ name: String) -> (any MessageView)? { views[name] ?? views[ViewRegistry.defaultView] }

  /// The kinds that nothing draws unless a campaign names a view; all without a display and views.
  var undrawnKinds: Set<InAppMessage.Kind> {
    // A control is drawn by nobody.
    let all = Set(InAppMessage.Kind.allCases).subtracting([.control])
    if let display { return all.subtracting(display.kinds) }
    return views[ViewRegistry.defaultView] != nil
      ? [] : all.subtracting(settings.registry.kindsWithView)
  }

  var presenterSettings: PresenterSettings {
    var settings = settings
    // Without a default view, a message that has no view of its own cannot be shown.
    settings.registry.isStrict =
      display == nil && (isStrict || views[ViewRegistry.defaultView] == nil)
    return settings
  }

  /// The platform, with what this app can draw.
  var platformValue: PlatformState {
    var value = platform
    value.hasDisplay = display != nil || !views.isEmpty
    value.kinds = display?.kinds ?? Set(InAppMessage.Kind.allCases)
    return value
  }
}

extension PresenterSettings {
  init(_ options: InAppMessageOptions) {
    self.init()
    drainPolicy = options.drainPolicy
    hidesOnTextInput = options.hidesOnTextInput
    quietScreens = options.quietScreens
    patience = options.patience
    ignoresCampaignColors = options.ignoresCampaignColors
    leavesWithMessage = options.leavesWithMessage
    mediaURLs.allowsDevelopment = options.allowsDevelopmentMedia
    mediaURLs.allowsFiles = options.allowsFileMedia
    mediaURLs.allowsNames = options.allowsFileMedia
    mediaURLs.trustedHosts = options.trustedMediaHosts
  }
}
