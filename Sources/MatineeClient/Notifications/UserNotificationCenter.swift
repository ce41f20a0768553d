import EventLoops
import Participation
public import UserNotifications
public import Vocabulary
import Wire

/// The notification centre of a device: incoming and outstanding notifications, and the app's
/// handlers.
///
/// Notifications come from the server, or the device schedules them itself. There is no operating
/// system here that shows them: the app's drawing code reads ``events`` and ``delivered`` and
/// reports what the person does. The centre works until its client is closed.
public final class UserNotificationCenter: Sendable {
  let desk: NotificationDesk
  private let mailbox: LoopMailbox<ClientHub>
  /// Whether nobody on the way to the server can read what is sent there.
  private let isPrivate: Bool

  init(_ desk: NotificationDesk, _ mailbox: LoopMailbox<ClientHub>, isPrivate: Bool) {
    self.desk = desk
    self.mailbox = mailbox
    self.isPrivate = isPrivate
    desk.begin()
  }

  private func bring(_ input: NotificationCenterState.Input) {
    mailbox.post { $0.participant?.take(.center(input)) }
  }

  // MARK: Handlers and settings

  /// Receives people's responses and, as a ``NotificationPresentationDelegate``, decides how
  /// notifications are shown while the app is in the foreground.
  ///
  /// Up to 64 responses that came before it was set are then delivered to it.
  public var delegate: (any NotificationCenterDelegate)? {
    get { desk.tools.withLock { $0.delegate } }
    set { desk.change { $0.delegate = newValue } }
  }

  /// Receives notifications as they arrive.
  public var receiver: (any NotificationReceiver)? {
    get { desk.tools.withLock { $0.receiver } }
    set { desk.change { $0.receiver = newValue } }
  }

  /// Handles actions if the app registered with ``RegistrationMode/legacySettings``.
  public var legacyActionHandler: (any LegacyNotificationActionHandler)? {
    get { desk.tools.withLock { $0.legacyActionHandler } }
    set { desk.change { $0.legacyActionHandler = newValue } }
  }

  /// Sets the categories; they replace those set before.
  ///
  /// Initially only ``NotificationCategory/groupWatchInvite(id:)`` is set; an app that sets its own
  /// categories includes it.
  public func setCategories(_ categories: [NotificationCategory]) {
    desk.change { $0.categories = categories }
  }

  /// The category that a notification names; `nil` if it is not among those that were set.
  public func category(of notification: UserNotification) -> NotificationCategory? {
    let id = notification.content.categoryID
    return desk.tools.withLock { $0.categories.first { $0.id == id } }
  }

  /// The app's phase; the app keeps it up to date.
  public var phase: AppPhase {
    get { desk.tools.withLock { $0.phase } }
    set { desk.change { $0.phase = newValue } }
  }

  /// Whether the device is locked, so that actions that require an unlocked device wait.
  public var isLocked: Bool {
    get { desk.tools.withLock { $0.isLocked } }
    set { desk.change { $0.isLocked = newValue } }
  }

  /// Reports that the device was not unlocked; the notification stays outstanding.
  public func refuseUnlock(_ id: NotificationID) { bring(.unlockRefused(id)) }

  // MARK: Outstanding notifications

  /// The outstanding notifications on this device, in order of arrival.
  public var delivered: Observed<[UserNotification]> { desk.delivered }

  /// The app icon's badge number; 0 for none.
  public var badge: Observed<Int> { desk.badge }

  /// The response that started the app; `nil` if the app was started otherwise.
  public var launchResponse: Observed<NotificationResponse?> { desk.launchResponse }

  /// The events from now on; 256 are buffered for a slow reader, and a gap is reported to it.
  public var events: AsyncStream<NotificationEvent> { desk.events.stream { .missed($0) } }

  /// Removes notifications from this device.
  public func remove(_ ids: [NotificationID]) { bring(.remove(ids)) }

  /// The notification as an invitation; `nil` if it is none.
  public func invitation(_ notification: UserNotification) -> InvitationNotification? {
    InvitationNotification(notification, self)
  }

  // MARK: Responses

  /// Reports that the person tapped a notification.
  public func tap(_ id: NotificationID) { bring(.tapped(id)) }

  /// Reports that the person chose an action, perhaps with a text; a `nil` action has no effect.
  public func act(_ id: NotificationID, _ actionID: String?, text: String? = nil) {
    bring(.acted(id, action: actionID, text: text))
  }

  /// Reports that the person dismissed a notification deliberately; ignoring one is not a
  /// dismissal.
  public func dismiss(_ id: NotificationID) { bring(.dismissed(id)) }

  // MARK: Scheduled notifications

  /// Schedules a notification on this device; one with the same id is replaced.
  ///
  /// Scheduled notifications are kept in memory only, so an app schedules them again when it
  /// starts.
  public func schedule(
    _ request: NotificationRequest
  ) async throws(NotificationRequest.Fault) {
    let fault = await mailbox.value(otherwise: nil) { $0.schedule(request) }
    if let fault { throw fault }
  }

  /// Cancels scheduled notifications.
  public func unschedule(_ ids: [NotificationID]) { bring(.unschedule(ids)) }

  /// The scheduled notifications, in the order they were scheduled.
  public func scheduled() async -> [NotificationRequest] {
    await mailbox.value(otherwise: []) { $0.participant?.value.center.pendingRequests ?? [] }
  }

  /// The number of completions that handlers called twice or too late; each is a bug in the app.
  public func extraCompletions() async -> Int {
    await mailbox.value(otherwise: 0) { $0.participant?.value.center.extraCompletions ?? 0 }
  }

  // MARK: Requests to the client

  /// Checks that nobody on the way reads an administrator's key.
  func check(_ key: String?) throws(GroupWatchError) {
    guard key == nil || isPrivate else { throw .readableSecret }
  }

  @discardableResult
  func ask(
    _ request: TrayRequest
  ) async throws(GroupWatchError) -> Client.Outcome {
    try await mailbox.value(of: .notifications(request))
  }

  /// Converts notifications from the server to this device's form, with its texts.
  func shown(_ list: [ListedNotification]) async -> [UserNotification] {
    await mailbox.value(otherwise: []) { hub in
      guard let center = hub.participant?.value.center else { return [] }
      return list.map { center.notification($0.notification) }
    }
  }

  /// Sends a response to a notification that is no longer outstanding on this device.
  ///
  /// An example is a notification of ``list()`` that was dismissed here.
  ///
  /// - Parameters:
  ///   - id: the notification.
  ///   - actionID: the chosen action; see ``ActionIdentifier``.
  ///   - text: the text the person entered, if the action asks for one.
  /// - Throws: ``GroupWatchError/Code/notificationOver`` if it is over on all of the person's
  ///   devices.
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
