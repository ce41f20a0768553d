import Vocabulary

/// What has the screen, from being taken to be shown until its view is gone.
struct Presentation: Equatable, Sendable {
  let token: PresentationToken
  var delivery: OfferedMessage
  /// When it got the screen.
  let since: HostTime
  /// When its images have to be there; `nil` while there are none to come.
  var assetsDue: HostTime?
  var hasAssets = false
  /// What the view was told to show; from `presenting` on.
  var shown: MessagePresenter.ShownMessage?
  /// A video that another delivery brought for the same session.
  var newerMedia: SessionMedia?
  /// How the app is held for it.
  var heldOrientation: Orientation?
  var hasRotated = false
  var isStatusBarChanged = false
  var visible = VisibleTime()
  /// The click that ends it.
  var click: PendingClick?
  /// Clicks that do not.
  var transientClicks: [PendingClick] = []
  /// What was reported before it was on screen.
  var earlyReports: [MessagePresenter.DisplayReport] = []
  /// Why it is to go as soon as it is on screen.
  var waitingDismissal: InAppMessage.DismissReason?
  var dismissal: Dismissal?
  /// Whether its session is to be left with it, whatever the reason.
  var leavesSession = false
  /// Whether its session stays, although the person dismissed it: the click was for the session.
  var keepsSession = false
  /// Whether the view went by itself.
  var isViewGone = false

  init(_ delivery: OfferedMessage, _ token: PresentationToken, since: HostTime) {
    self.delivery = delivery
    self.token = token
    self.since = since
  }

  /// The message as it is shown.
  var message: InAppMessage { shown?.context.message ?? delivery.message }

  /// A click about whose action the app is asked.
  struct PendingClick: Equatable, Sendable {
    var number: Int
    var button: String?
    var action: InAppMessage.ClickAction
    var due: HostTime?
  }

  /// How it goes.
  struct Dismissal: Equatable, Sendable {
    var reason: InAppMessage.DismissReason
    /// When it has to be gone.
    var due: HostTime
    /// What becomes of the delivery.
    var end: End

    enum End: Equatable, Sendable {
      case finished
      /// It was never on screen.
      case refused(InAppMessage.Refusal)
      /// It waits for another time.
      case waits
    }
  }
}

/// Time in sight, added up.
struct VisibleTime: Equatable, Sendable {
  private var sum = Duration.zero
  private var since: HostTime?

  init() {}

  /// Lets time run from now on, or stops it.
  mutating func run(_ isVisible: Bool, at time: HostTime) {
    switch (isVisible, since) {
    case (true, nil): since = time
    case (false, let start?):
      sum += time - start
      since = nil
    default: break
    }
  }

  /// When so much will have been reached; `nil` while none is running.
  func moment(of duration: Duration) -> HostTime? {
    since.map { $0 + (duration - sum) }
  }
}
