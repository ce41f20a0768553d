/// How a presenter goes about its work.
package struct PresenterSettings: Equatable, Sendable {
  /// When the stack gives up its next message by itself.
  package enum DrainPolicy: String, Equatable, Sendable, CaseIterable {
    /// Never: the app presents the next.
    case manual
    /// When the app comes in sight; Braze's older way.
    case onForeground
    /// When a message came to its end, or what stood in the way is gone.
    case onSlotFree
  }

  package var drainPolicy = DrainPolicy.manual
  /// Whether a message goes back to the stack when the person begins to write.
  package var hidesOnTextInput = false
  /// Screens of the app on which no message is shown; those that come wait.
  package var quietScreens: Set<String> = []
  /// Whether campaigns have no say in colours: an app with a design of its own.
  package var ignoresCampaignColors = false
  /// The views there are, by name.
  package var registry = ViewRegistry()
  /// Which videos are let through.
  package var mediaURLs = MediaURLGuard()

  /// How long it waits for others.
  package var patience = PresenterPatience()
  /// How long a message is good for if nobody says, as on the server.
  package var timeToLive = Duration.seconds(300)
  /// Messages on the stack, and as many that wait for a display: a week of a busy app's campaigns.
  package var stackLimit = 50
  /// Messages the app is asked about at once, and clicks; more than a person or an event brings.
  package var questionLimit = 8
  /// Ends remembered, of deliveries and of sessions, so that what comes late is known as such.
  package var memory = 256
  /// The size, both ways, from which a full screen message is a dialog; in points.
  package var largeWindow = 600.0

  /// The usual ways.
  package init() {}
}
