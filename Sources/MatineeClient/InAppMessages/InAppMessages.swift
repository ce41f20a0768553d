import EventLoops
public import GroupSessions
public import InAppMessaging
import Participation
public import Vocabulary
import Wire

/// The in-app messages of a device: the current message, the stack, and the app's handlers.
///
/// Messages come from the server's campaigns, which are triggered by the events that the app logs
/// and by a session's media. The app's own views or a ``MessageDisplay`` show them; without either,
/// they wait. This object works until its client is closed or the server ends it.
public final class InAppMessages: Sendable {
  /// The number of events and calls that are buffered for a slow reader.
  static let bufferedEvents = 256

  let desk: MessageDesk
  private let mailbox: LoopMailbox<ClientHub>

  init(_ desk: MessageDesk, _ mailbox: LoopMailbox<ClientHub>) {
    self.desk = desk
    self.mailbox = mailbox
  }

  /// Passes an input to the client; returns `false` once the client is closed.
  @discardableResult
  func take(_ input: Client.Input) -> Bool {
    mailbox.post { $0.participant?.take(input) }
  }

  // MARK: Handlers and settings

  /// Decides about messages and follows their life cycle; `nil`, the default, shows every message.
  ///
  /// Set it before setting views or a display, because setting those shows the messages that wait.
  public var delegate: (any InAppMessageUIDelegate)? {
    get { desk.tools.withLock { $0.delegate } }
    set { desk.tools.withLock { $0.delegate = newValue } }
  }

  /// Shows all messages in place of the views and the delegate; `nil` for no display.
  ///
  /// It can be set at any time; messages that wait for it are then shown.
  public var display: (any MessageDisplay)? {
    get { desk.tools.withLock { $0.display } }
    set { desk.change { $0.display = newValue } }
  }

  /// Performs the click actions that only an app can perform, such as opening a page.
  public var actionHandler: (any MessageActionHandler)? {
    get { desk.tools.withLock { $0.actionHandler } }
    set { desk.tools.withLock { $0.actionHandler = newValue } }
  }

  /// Whether the dismissal of a message dismisses the session that it hosts; at first as in
  /// ``InAppMessageOptions/leavesWithMessage``.
  public var leavesWithMessage: Bool {
    get { desk.tools.withLock { $0.settings.leavesWithMessage } }
    set { desk.change { $0.settings.leavesWithMessage = newValue } }
  }

  /// Sets the view for messages without another view; `nil` removes it.
  public func setDefaultView(_ view: (any MessageView)?) {
    desk.change { $0.register(ViewRegistry.defaultView, nil, for: [], view) }
  }

  /// Registers a custom view under the name that campaigns give as `view_type`; other views stay.
  ///
  /// The library knows `video`, `picker`, `table_list` and `permission` and what they require of a
  /// message. The app registers the views for them.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - requirements: what the view requires of a message; `nil` keeps the known requirements.
  ///   - kinds: the kinds of messages it also shows when the campaign names no view.
  ///   - view: the view; `nil` removes it.
  public func register(
    _ name: String, requiring requirements: MessageViewRequirements? = nil,
    for kinds: Set<InAppMessage.Kind> = [], _ view: (any MessageView)?
  ) {
    desk.change { $0.register(name, requirements, for: kinds, view) }
  }

  /// The kinds of messages that neither the display nor a view draws; the default view draws all.
  ///
  /// A message of such a kind is refused as `noDisplay`, unless
  /// its campaign names a view. ``MessageEvent/undrawn(_:)`` tells when a registration leaves some.
  public var undrawnKinds: Set<InAppMessage.Kind> { desk.tools.withLock { $0.undrawnKinds } }

  /// The environment in which messages are shown; the app keeps it up to date.
  public var platform: PlatformState {
    get { desk.tools.withLock { $0.platform } }
    set { desk.change { $0.platform = newValue } }
  }

  /// Sets what happens to messages from now on; a visible message stays.
  public func suppress(_ suppression: MessageSuppression) {
    take(.presenter(.suppress(suppression)))
  }

  // MARK: Events and attributes

  /// Logs an event; a campaign may answer it with a message.
  ///
  /// Without a connection up to 1000 events are kept for up to two weeks. If no live campaign is
  /// triggered by the event, ``events`` reports it.
  public func logEvent(_ name: String, _ properties: [String: PropertyValue] = [:]) {
    take(.log(.event(name: name, properties: properties)))
  }

  /// Logs a purchase.
  ///
  /// - Parameters:
  ///   - product: the product that was bought.
  ///   - properties: properties such as `price`, `currency` and `quantity`.
  public func logPurchase(_ product: String, _ properties: [String: PropertyValue] = [:]) {
    take(.log(.purchase(product: product, properties: properties)))
  }

  /// Logs that the person opened a push of this campaign.
  public func logPushOpened(campaign: CampaignID? = nil) {
    take(.log(.pushOpened(campaign: campaign?.text)))
  }

  /// Sets an attribute of the person; `nil` removes it.
  public func setAttribute(_ key: String, _ value: PropertyValue?) {
    take(.setAttribute(key, value))
  }

  /// Whether the server has in-app messages; what is logged for one that has none is ``MessageEvent/unsent(_:)``.
  ///
  /// It is `true` until a server has refused them.
  public var isAvailable: Observed<Bool> { desk.isAvailable }

  /// Triggers the campaigns of an event; modelled on Firebase's function of that name.
  ///
  /// It is the same as ``logEvent(_:_:)`` without properties: unlike there, the event is logged, and the
  /// pauses between messages hold. An app shows a message of its own at once by ``present(_:)``.
  public func triggerEvent(_ name: String) { logEvent(name) }

  /// Logs ``InAppMessageOptions/mediaEvent`` for media that is watched here without a session, as
  /// soon as there is a view or a display for the message that it opens.
  ///
  /// The client already logs it for a session's media and for media that ``CoordinationManager``
  /// plays alone. An app that logs the event by hand, too, is counted once.
  ///
  /// - Parameter item: the media; `nil` if nothing is watched any more.
  public func logMedia(_ item: MediaItem?) {
    take(.enqueuedAlone(item.map { SessionMedia(url: $0.url, title: $0.title) }))
  }

  // MARK: Presentation

  /// The message on screen, as shown; `nil` for none.
  public var visible: Observed<InAppMessage?> { desk.visible }

  /// The messages on the stack, the next one first; without the one on screen.
  public var stack: Observed<[InAppMessage]> { desk.stack }

  /// The events from now on; 256 are buffered for a slow reader, and a gap is reported to it.
  public var events: AsyncStream<MessageEvent> { desk.events.stream { .missed($0) } }

  /// Whether the app is to hide its status bar or similar frame; `nil` leaves it to the app.
  public var statusBarHidden: Observed<Bool?> { desk.statusBarHidden }

  /// The orientation that the message on screen requires; `nil` leaves it to the device.
  public var heldOrientation: Observed<Orientation?> { desk.heldOrientation }

  /// Presents the next message of the stack and returns the result.
  public func presentNext() async -> PresentNextResult {
    await withCheckedContinuation { continuation in
      let isPosted = mailbox.post { hub in
        hub.presentNext { continuation.resume(returning: $0) }
      }
      if !isPosted { continuation.resume(returning: .empty) }
    }
  }

  /// Presents a message that the app made; nothing about it is reported to the server.
  public func present(_ message: InAppMessage) {
    var message = message
    message.campaign = nil
    take(.presenter(.present(message)))
  }

  /// Dismisses the message on screen.
  ///
  /// - Parameter leavesSession: whether to dismiss the session that the message hosts, if any, as
  ///   its person would.
  public func dismiss(leavesSession: Bool = true) {
    take(.presenter(.dismiss(leavesSession: leavesSession)))
  }

  /// Reserves the screen for a pop-up of the app's own; returns `nil` while a message is on screen.
  ///
  /// Messages that arrive while the lease is held wait on the stack.
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

  /// Sets whether data about the person is collected; data collected earlier stays until
  /// ``wipe()``.
  public func setCollection(_ isCollecting: Bool) async throws(GroupWatchError) {
    try await ask(.setCollection(isCollecting))
  }

  /// Sets whether the person's messages are paused on all devices; deliveries under way are
  /// withdrawn.
  public func setPaused(_ isPaused: Bool) async throws(GroupWatchError) {
    try await ask(.pause(isPaused))
  }

  /// Adds the person to a list that campaigns use, or removes them.
  public func setMembership(of list: String, _ isMember: Bool) async throws(GroupWatchError) {
    try await ask(.setMembership(list: list, isMember))
  }

  /// Deletes the person's data, here and on the server; a visible message is dismissed.
  public func wipe() { take(.presenter(.dataWiped)) }

}

// MARK: Requests to the server

extension InAppMessages {
  /// Explains whether the person can see a campaign: the current refusal and the last evaluation.
  ///
  /// - Throws: ``GroupWatchError/Code/unknownCampaign``;
  ///   ``GroupWatchError/Code/messagingUnavailable`` if the server has no campaigns.
  public func explain(_ campaign: CampaignID) async throws(GroupWatchError) -> CampaignExplanation {
    guard let explanation = try await explanations(of: campaign).first else {
      throw .nothingSaid(of: campaign)
    }
    return explanation
  }

  /// Explains for each of the server's campaigns whether the person can see it.
  ///
  /// Drafts are among them only for people who may test them: see
  /// ``sendTest(of:variant:event:_:)``.
  public func explanations() async throws(GroupWatchError) -> [CampaignExplanation] {
    try await explanations(of: nil)
  }

  /// Shows a campaign's message once on this device, as a test.
  ///
  /// The campaign's state, audience and limits are ignored, and nothing is counted.
  ///
  /// - Parameters:
  ///   - campaign: the campaign; it can be a draft where the server's access is open, or if the
  ///     person's token says `admin`.
  ///   - variant: the variant to show; `nil` for the person's own.
  ///   - event: the event that the templates see as the trigger.
  ///   - properties: the event's properties.
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

/// A reservation of the screen for a pop-up of the app's own; no message is shown while it is held.
///
/// It ends with ``end()``, or when it is released.
public final class ScreenLease: Sendable {
  private let onEnd: @Sendable () -> Void
  private let isOver = Locked(false)

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { end() }

  /// Ends the reservation; a second call has no effect.
  public func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { onEnd() }
  }
}
