import EventLoops
import Participation
public import UserNotifications
public import Vocabulary
import Wire

/// Notifications on a device: what comes, what stands, and what the app has to say about it.
///
/// They come from the server, or the device makes them itself. There is no system here that shows
/// them: whoever draws them reads ``events`` and ``delivered``, and tells what the person does. It
/// works for as long as its client.
public final class UserNotificationCenter: Sendable {
  let desk: NotificationDesk
  private let mailbox: LoopMailbox<ClientHub>

  init(_ desk: NotificationDesk, _ mailbox: LoopMailbox<ClientHub>) {
    self.desk = desk
    self.mailbox = mailbox
    desk.begin()
  }

  private func bring(_ input: NotificationCenterState.Input) {
    mailbox.post { $0.participant?.take(.center(input)) }
  }

  // MARK: What the app brings

  /// Hears what people do about notifications, and, as a ``NotificationPresentationDelegate``, says
  /// how they are shown while the app is in front.
  ///
  /// Responses that came before it was set are told it then, 64 of them.
  public var delegate: (any NotificationCenterDelegate)? {
    get { desk.tools.withLock { $0.delegate } }
    set { desk.change { $0.delegate = newValue } }
  }

  /// Hears of notifications that arrive.
  public var receiver: (any NotificationReceiver)? {
    get { desk.tools.withLock { $0.receiver } }
    set { desk.change { $0.receiver = newValue } }
  }

  /// Hears of actions, where the app registered with ``RegistrationMode/legacySettings``.
  public var legacyActionHandler: (any LegacyNotificationActionHandler)? {
    get { desk.tools.withLock { $0.legacyActionHandler } }
    set { desk.change { $0.legacyActionHandler = newValue } }
  }

  /// Sets what may be done about which notifications; those set before are gone.
  ///
  /// At first there is ``NotificationCategory/groupWatchInvite(id:)``, which an app with categories of
  /// its own names among them.
  public func setCategories(_ categories: [NotificationCategory]) {
    desk.change { $0.categories = categories }
  }

  /// The category that a notification names, if it is one of those that were set.
  public func category(of notification: UserNotification) -> NotificationCategory? {
    let id = notification.content.categoryID
    return desk.tools.withLock { $0.categories.first { $0.id == id } }
  }

  /// Where the app is; keep it up to date.
  public var phase: AppPhase {
    get { desk.tools.withLock { $0.phase } }
    set { desk.change { $0.phase = newValue } }
  }

  /// Whether the person has yet to show who they are, before an action that asks for it.
  public var isLocked: Bool {
    get { desk.tools.withLock { $0.isLocked } }
    set { desk.change { $0.isLocked = newValue } }
  }

  /// The person did not show who they are: the notification stands on.
  public func refuseUnlock(_ id: NotificationID) { bring(.unlockRefused(id)) }

  // MARK: What stands

  /// The notifications that stand here, in the order they came to.
  public var delivered: Observed<[UserNotification]> { desk.delivered }

  /// The number on the app's icon; 0 is none.
  public var badge: Observed<Int> { desk.badge }

  /// What the person did that started the app; `nil` if it was started otherwise.
  public var launchResponse: Observed<NotificationResponse?> { desk.launchResponse }

  /// What happens from now on; 256 of it wait for a slow reader, who is told of a gap.
  public var events: AsyncStream<NotificationEvent> { desk.events.stream { .missed($0) } }

  /// Takes notifications away from this device.
  public func remove(_ ids: [NotificationID]) { bring(.remove(ids)) }

  /// An invitation, if the notification is one.
  public func invitation(_ notification: UserNotification) -> InvitationNotification? {
    InvitationNotification(notification, self)
  }

  // MARK: What the person does

  /// The person tapped a notification.
  public func tap(_ id: NotificationID) { bring(.tapped(id)) }

  /// The person took an action of a notification, perhaps with a text; no action is nothing.
  public func act(_ id: NotificationID, _ actionID: String?, text: String? = nil) {
    bring(.acted(id, action: actionID, text: text))
  }

  /// The person dismissed a notification on purpose; not to look at one is nothing.
  public func dismiss(_ id: NotificationID) { bring(.dismissed(id)) }

  // MARK: Notifications of the device's own

  /// Has the device make a notification, when its trigger says so; one of the same name makes way.
  ///
  /// They wait in memory: an app schedules them anew when it starts.
  public func schedule(
    _ request: NotificationRequest
  ) async throws(NotificationRequest.Fault) {
    let fault = await mailbox.value(otherwise: nil) { $0.schedule(request) }
    if let fault { throw fault }
  }

  /// Takes back notifications that wait.
  public func unschedule(_ ids: [NotificationID]) { bring(.unschedule(ids)) }

  /// The notifications that wait, in the order they were scheduled.
  public func scheduled() async -> [NotificationRequest] {
    await mailbox.value(otherwise: []) { $0.participant?.value.center.pendingRequests ?? [] }
  }

  /// How often a handler said more than once, or too late, that it was done: a mistake of the app's.
  public func extraCompletions() async -> Int {
    await mailbox.value(otherwise: 0) { $0.participant?.value.center.extraCompletions ?? 0 }
  }

  // MARK: The way to the client's thread

  @discardableResult
  func ask(
    _ request: TrayRequest
  ) async throws(GroupWatchError) -> Client.Outcome {
    try await mailbox.value(of: .notifications(request))
  }

  /// Shows a notification of the server's as this device would.
  func shown(_ list: [ListedNotification]) async -> [UserNotification] {
    await mailbox.value(otherwise: []) { hub in
      guard let center = hub.participant?.value.center else { return [] }
      return list.map { center.notification($0.notification) }
    }
  }

  /// Says what the person did about a notification that does not stand on this device any more, such as
  /// one of ``list()`` that was dismissed here.
  ///
  /// - Parameters:
  ///   - id: the notification.
  ///   - actionID: what the person did; see ``UserNotifications/ActionIdentifier``.
  ///   - text: what was written, if the action asks for a text.
  /// - Throws: ``GroupWatchError/Code/notificationOver`` if it is over for all of the person's devices.
  public func respond(
    to id: NotificationID, _ actionID: String, text: String? = nil
  ) async throws(GroupWatchError) {
    try await answer(to: id, actionID, text)
  }

  @discardableResult
  func answer(
    to id: NotificationID, _ actionID: String, _ text: String? = nil
  ) async throws(GroupWatchError) -> Answer {
    let report = NotificationReport.responded(actionID: actionID, text: text)
    if case .answered(let answer) = try await ask(.report(id, report)) { return answer }
    return .done(seq: nil)
  }
}
