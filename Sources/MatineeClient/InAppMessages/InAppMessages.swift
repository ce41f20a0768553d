import EventLoops
public import GroupSessions
public import InAppMessaging
import Participation
public import Vocabulary
import Wire

/// In-app messages on a device: what comes, what is shown, and what the app has to say about it.
///
/// Messages come from the server's campaigns, triggered by events: those that the app logs, and a
/// session's media. They are shown in views of the app's own, or by a ``MessageDisplay``; as long as
/// there is neither, they wait. It works for as long as its client.
public final class InAppMessages: Sendable {
  /// What a message has to be told about; 256 of it wait for a slow reader.
  static let bufferedEvents = 256

  let desk: MessageDesk
  private let mailbox: LoopMailbox<ClientHub>

  init(_ desk: MessageDesk, _ mailbox: LoopMailbox<ClientHub>) {
    self.desk = desk
    self.mailbox = mailbox
  }

  /// Brings something before the client; `false` once it is closed.
  @discardableResult
  func take(_ input: Client.Input) -> Bool {
    mailbox.post { $0.participant?.take(input) }
  }

  // MARK: What the app brings

  /// Decides about messages, and hears of them; `nil`, as at first, lets everything take its course.
  ///
  /// Set it before there is anything to show messages on: those that wait are shown then.
  public var delegate: (any InAppMessageUIDelegate)? {
    get { desk.tools.withLock { $0.delegate } }
    set { desk.tools.withLock { $0.delegate = newValue } }
  }

  /// Shows all messages in the place of views and delegate; `nil` is as without one.
  ///
  /// It may be set at any time; messages that wait for it are shown then.
  public var display: (any MessageDisplay)? {
    get { desk.tools.withLock { $0.display } }
    set { desk.change { $0.display = newValue } }
  }

  /// Does what a click means that only an app can do, such as opening a page.
  public var actionHandler: (any MessageActionHandler)? {
    get { desk.tools.withLock { $0.actionHandler } }
    set { desk.tools.withLock { $0.actionHandler = newValue } }
  }

  /// Shows every message for which there is no other view; `nil` takes it away.
  public func setDefaultView(_ view: (any MessageView)?) {
    desk.change { $0.register(ViewRegistry.defaultView, nil, for: [], view) }
  }

  /// Registers a custom view under the name that campaigns give as `view_type`; others stay as they
  /// are.
  ///
  /// `video`, `picker`, `table_list` and `permission` are known, and what they need of a message; an
  /// app registers the views for them.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - requirements: what it needs of a message; `nil` is what is known of it.
  ///   - kinds: the kinds of messages it shows even where no campaign names it.
  ///   - view: the view; `nil` takes it away.
  public func register(
    _ name: String, requiring requirements: MessageViewRequirements? = nil,
    for kinds: Set<InAppMessage.Kind> = [], _ view: (any MessageView)?
  ) {
    desk.change { $0.register(name, requirements, for: kinds, view) }
  }

  /// How the app is; keep it up to date.
  public var platform: PlatformState {
    get { desk.tools.withLock { $0.platform } }
    set { desk.change { $0.platform = newValue } }
  }

  /// What becomes of messages now; a visible one stays.
  public func suppress(_ suppression: MessageSuppression) {
    take(.presenter(.suppress(suppression.value)))
  }

  // MARK: What the app tells of the person

  /// Logs that something happened; a campaign may answer with a message.
  ///
  /// Without a connection it waits, a thousand of it, for two weeks at most. Where no live campaign
  /// waits for it, ``events`` says so.
  public func logEvent(_ name: String, _ properties: [String: PropertyValue] = [:]) {
    take(.log(.event(name: name, properties: properties)))
  }

  /// Logs that something was bought.
  ///
  /// - Parameters:
  ///   - product: what.
  ///   - properties: such as `price`, `currency` and `quantity`.
  public func logPurchase(_ product: String, _ properties: [String: PropertyValue] = [:]) {
    take(.log(.purchase(product: product, properties: properties)))
  }

  /// Logs that the person opened a push, of that campaign.
  public func logPushOpened(campaign: CampaignID? = nil) {
    take(.log(.pushOpened(campaign: campaign?.text)))
  }

  /// Sets something that is known of the person; `nil` takes it away.
  public func setAttribute(_ key: String, _ value: PropertyValue?) {
    take(.setAttribute(key, value))
  }

  /// Has the campaigns of an event show their message, as Firebase's function of that name.
  ///
  /// The same as ``logEvent(_:_:)`` without properties: here, an event is logged either way.
  public func triggerEvent(_ name: String) { logEvent(name) }

  /// Logs that media is to be watched here without a session, as ``InAppMessageOptions/mediaEvent``.
  ///
  /// Of a session's media, and of what ``CoordinationManager`` has played alone, it is logged already.
  public func logMedia(_ item: MediaItem) {
    take(.enqueuedAlone(SessionMedia(url: item.url, title: item.title)))
  }

  // MARK: What is shown

  /// The message on screen, as it is shown; `nil` for none.
  public var visible: Observed<InAppMessage?> { desk.visible }

  /// The messages on the stack, the next one first; the one on screen is not among them.
  public var stack: Observed<[InAppMessage]> { desk.stack }

  /// What happens from now on; 256 of it wait for a slow reader, who is told of a gap.
  public var events: AsyncStream<MessageEvent> { desk.events.stream { .missed($0) } }

  /// Whether the status bar, or what else the app has around its content, is to be hidden; `nil` is
  /// as the app has it.
  public var statusBarHidden: Observed<Bool?> { desk.statusBarHidden }

  /// How the app is to be held for the message on screen; `nil` is as the device is.
  public var heldOrientation: Observed<Orientation?> { desk.heldOrientation }

  /// Presents the next message of the stack, and waits for what comes of it.
  public func presentNext() async -> PresentNextResult {
    await withCheckedContinuation { continuation in
      let isPosted = mailbox.post { hub in
        hub.presentNext { continuation.resume(returning: $0) }
      }
      if !isPosted { continuation.resume(returning: .empty) }
    }
  }

  /// Presents a message of the app's own; nothing of it is reported.
  public func present(_ message: InAppMessage) {
    var message = message
    message.campaign = nil
    take(.presenter(.present(message)))
  }

  /// Dismisses what is on screen.
  ///
  /// - Parameter leavesSession: whether a session that the message hosts is left with it.
  public func dismiss(leavesSession: Bool = false) {
    take(.presenter(.dismiss(leavesSession: leavesSession)))
  }

  /// Asks for the screen, for a pop-up of the app's own; `nil` while a message is on it.
  ///
  /// Messages that come meanwhile wait on the stack.
  public func leaseScreen() async -> ScreenLease? {
    let tag: LeaseTag? = await withCheckedContinuation { continuation in
      let isPosted = mailbox.post { hub in
        hub.leaseScreen { continuation.resume(returning: $0) }
      }
      if !isPosted { continuation.resume(returning: nil) }
    }
    guard let tag else { return nil }
    return ScreenLease { [mailbox] in
      mailbox.post { $0.participant?.take(.presenter(.releaseLease(tag))) }
    }
  }

  // MARK: The person

  /// Whether anything is collected of the person; what was collected stays until ``wipe()``.
  public func setCollection(_ isCollecting: Bool) async throws(GroupWatchError) {
    try await ask(.setCollection(isCollecting))
  }

  /// Whether the person's messages rest, on all devices; what is under way is withdrawn.
  public func setPaused(_ isPaused: Bool) async throws(GroupWatchError) {
    try await ask(.pause(isPaused))
  }

  /// Puts the person on a list of the campaigns', or takes them off.
  public func setMembership(of list: String, _ isMember: Bool) async throws(GroupWatchError) {
    try await ask(.setMembership(list: list, isMember))
  }

  /// Forgets everything that is known of the person, here and on the server; a message on screen
  /// goes.
  public func wipe() { take(.presenter(.dataWiped)) }

}

// MARK: Asking the server

extension InAppMessages {
  /// Why the person does or does not see a campaign: what keeps it away now, and what came of it
  /// last.
  ///
  /// - Throws: ``GroupWatchError/Code/unknownCampaign``;
  ///   ``GroupWatchError/Code/messagingUnavailable`` where the server has no campaigns.
  public func explain(_ campaign: CampaignID) async throws(GroupWatchError) -> CampaignExplanation {
    guard let explanation = try await explanations(of: campaign).first else {
      throw GroupWatchError(
        .unknownCampaign, "the server says nothing of \(campaign)", advice: "check its id")
    }
    return explanation
  }

  /// Why the person does or does not see each of the server's campaigns.
  public func explanations() async throws(GroupWatchError) -> [CampaignExplanation] {
    try await explanations(of: nil)
  }

  /// Shows a campaign's message on this device to try it, whatever its state, audience and limits,
  /// and once; nothing of it counts.
  ///
  /// - Parameters:
  ///   - campaign: the campaign; also one that is a draft.
  ///   - variant: which of its variants; `nil` is the person's own.
  ///   - event: the event that is taken to have triggered it, for its templates.
  ///   - properties: of that event.
  public func sendTest(
    of campaign: CampaignID, variant: String? = nil, event: String? = nil,
    _ properties: [String: PropertyValue] = [:]
  ) async throws(GroupWatchError) {
    try await ask(.test(campaign, variant: variant, event: event, properties))
  }

  private func explanations(
    of campaign: CampaignID?
  ) async throws(GroupWatchError) -> [CampaignExplanation] {
    guard case .explained(let explanations) = try await ask(.explain(campaign)) else { return [] }
    return explanations.map(CampaignExplanation.init)
  }

  @discardableResult
  private func ask(
    _ request: MessagingRequest
  ) async throws(GroupWatchError) -> Client.Outcome {
    try await mailbox.value(of: .messaging(request))
  }
}
