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
