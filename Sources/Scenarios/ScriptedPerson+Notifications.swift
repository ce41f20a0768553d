import GroupSessions
import Participation
package import UserNotifications
import Vocabulary
import Wire

// A person's app and its notifications: it shows what comes, and its handlers complete at once.

extension ScriptedPerson {
  private static let handlers: NotificationCenterState.Handlers = [
    .willPresent, .userAction, .reception,
  ]

  /// The acts for a verb about notifications or about an app that does not run; `nil` for other
  /// verbs.
  mutating func notificationActs(_ verb: Verb, _ client: Client) -> [Act]? {
    if case .answerInvitation(let answer, byToken: true) = verb { return answerByToken(answer) }
    if case .setRunning(let isRunning) = verb { return setRunning(isRunning) }
    guard notifications.isRunning || verb.isAboutNetwork else { return refuse("notRunning") ?? [] }
    switch verb {
    case .register: return register()
    case .answerInvitation(let answer, _): return answerInvitation(answer)
    case .reply(let text): return act(ActionIdentifier.reply, text)
    case .tapNotification: return touch { .tapped($0) }
    case .dismissNotification: return touch { .dismissed($0) }
    default: return nil
    }
  }

  /// The acts that answer a handler call or a request to unlock.
  func answer(_ output: NotificationCenterState.Output) -> [Act] {
    switch output {
    case .call(.willPresent, let token): [.tell(.center(.presented(.all, token)))]
    case .call(.reception, let token): [.tell(.center(.completed(token, .newData)))]
    case .call(_, let token): [.tell(.center(.completed(token)))]
    case .unlock: [.tell(.center(.locked(false)))]
    case .show, .remove, .badge, .open, .launch, .report, .refuse, .warn: []
    }
  }

  // MARK: The app

  private mutating func register() -> [Act] {
    notifications.isRegistered = true
    return [
      .tell(.center(.handlers(Self.handlers))),
      .tell(.center(.categories([.groupWatchInvite()]))),
      ask(.notifications(.register())),
    ]
  }

  private mutating func setRunning(_ isRunning: Bool) -> [Act] {
    guard notifications.isRunning != isRunning else {
      return refuse(isRunning ? "runsAlready" : "notRunning") ?? []
    }
    guard isRunning else {
      notifications.isRunning = false
      return [.endApp]
    }
    notifications.restart()
    return [.startApp] + (notifications.isRegistered ? register() : [])
  }

  // MARK: The person's actions

  private mutating func answerInvitation(_ answer: InvitationAnswer) -> [Act] {
    switch answer {
    case .accepted: act(ActionIdentifier.accept)
    case .declined: act(ActionIdentifier.decline)
    }
  }

  /// Performs an action of the newest invitation.
  private mutating func act(_ action: String, _ text: String? = nil) -> [Act] {
    guard let id = notifications.invitation?.id else { return refuse("noInvitation") ?? [] }
    notifications.answer(id)
    return [.tell(.center(.acted(id, action: action, text: text)))]
  }

  /// Taps or dismisses the newest notification.
  private mutating func touch(
    _ input: (NotificationID) -> NotificationCenterState.Input
  ) -> [Act] {
    guard let id = notifications.standing.last?.id else { return refuse("noNotification") ?? [] }
    notifications.answer(id)
    return [.tell(.center(input(id)))]
  }

  private mutating func answerByToken(_ answer: InvitationAnswer) -> [Act] {
    guard let invitation = notifications.invitation,
      let token = InvitationDetails(invitation.content.userInfo)?.token
    else { return refuse("noInvitation") ?? [] }
    notifications.answerUnseen(invitation.id)
    return [.answerInvitation(token: token, answer)]
  }
}

extension Verb {
  fileprivate var isAboutNetwork: Bool {
    switch self {
    case .cutNetwork, .restoreNetwork, .setNetwork, .stallNetwork: true
    default: false
    }
  }
}

// MARK: Requests

extension ScriptedPerson {
  /// The request for a verb about notifications; `nil` for other verbs, and, with a refusal, if
  /// something is missing.
  mutating func notificationRequest(for verb: Verb, with client: Client) -> Request? {
    switch verb {
    case .unregister:
      notifications.isRegistered = false
      return .notifications(.unregister)
    case .subscribe(let subject):
      return subscription(to: subject, client).map { .notifications(.subscribe($0)) }
    case .unsubscribe(let subject):
      return subscription(to: subject, client).map { .notifications(.unsubscribe($0)) }
    case .publish(let topic, let text):
      return .notifications(.publish(TopicPublication(to: topic, alert: .init(body: .init(text)))))
    case .push(let person, let text):
      let payload = NotificationPayload(.init(body: .init(text)))
      let push = DirectPush(to: UserID(person), payload, key: Scenario.administratorKey)
      return .notifications(.push(push))
    case .invite(let people, let lifetime):
      return .invite(nil, people.map { UserID($0) }, lifetime: lifetime)
    case .revokeInvitations(let people): return .revokeInvitations(nil, people.map { UserID($0) })
    default: return nil
    }
  }

  private mutating func subscription(to subject: Subject, _ client: Client) -> Subscription? {
    switch subject {
    case .topic(let topic): return .topic(topic)
    case .part(let part):
      guard let session = client.session?.id ?? client.offer?.session ?? client.group?.session
      else { return refuse("noOffer") }
      return .object(.part(part, of: session))
    }
  }
}

/// The notifications that a person sees on one device, and the person's responses.
package struct ScriptedNotifications: Equatable, Sendable {
  /// The notifications that stand, even while the app does not run.
  package private(set) var standing: [UserNotification] = []
  /// Whether the device is registered for notifications; apps register at each start.
  package var isRegistered = false
  /// Whether the app runs.
  package var isRunning = true
  /// The notifications that the person responded to; these may go without counting as withdrawn.
  private var answered: Set<NotificationID> = []
  private var withdrawn: [Observation.Notice] = []
  private var isToldSilently = false
  private var mirrors: [SessionPart: StateMirror] = [:]

  /// No notification came yet.
  package init() {}

  /// The newest invitation that stands.
  package var invitation: UserNotification? {
    standing.last { $0.content.categoryID == NotificationCategory.groupWatchInviteID }
  }

  /// Records that the person responded to a notification.
  package mutating func answer(_ id: NotificationID) { answered.insert(id) }

  /// Removes an invitation that was answered by token while the app does not run.
  package mutating func answerUnseen(_ id: NotificationID) {
    if !isRunning { standing.removeAll { $0.id == id } }
  }

  /// Clears what came before the person's next verb.
  package mutating func forgetNews() {
    withdrawn = []
    isToldSilently = false
  }

  /// Starts over with a new client, which gets the standing notifications from the server.
  package mutating func restart() {
    standing = []
    answered = []
    mirrors = [:]
    isRunning = true
  }

  mutating func hear(_ update: Client.Update) {
    switch update {
    case .standing(let notifications): stand(notifications)
    case .center(.remove(let ids)): remove(ids)
    case .center(.call(.reception(let notification, _), _)): receive(notification)
    case .object(.part(let part, _), let mirror): follow(part, mirror)
    default: break
    }
  }

  /// Takes in the notifications that stand now.
  package mutating func stand(_ notifications: [UserNotification]) {
    let names = notifications.map(\.content.notice.name)
    withdrawn.removeAll { names.contains($0.name) }
    standing = notifications
  }

  /// Removes notifications that the server withdrew, or that the person responded to.
  package mutating func remove(_ ids: [NotificationID]) {
    let gone = standing.filter { ids.contains($0.id) && !answered.contains($0.id) }
    withdrawn += gone.map(\.content.notice)
    answered.subtract(ids)
  }

  /// Records that the app was told of a notification.
  package mutating func receive(_ notification: UserNotification) {
    if !notification.content.hasText { isToldSilently = true }
  }

  /// Takes in the state of a part of the session; `nil` once it is no longer observed.
  package mutating func follow(_ part: SessionPart, _ mirror: StateMirror?) {
    mirrors[part] = mirror
  }

  package func fill(_ seen: inout Observation) {
    seen.notifications = standing.map(\.content.notice)
    seen.withdrawn = withdrawn
    seen.isToldSilently = isToldSilently
    for (part, mirror) in mirrors where mirror.version != nil {
      seen.mirrors[part.rawValue] = mirror.fields.mapValues(\.plainText)
    }
  }
}

extension NotificationContent {
  fileprivate var notice: Observation.Notice { Observation.Notice(title: title, body: body) }
}

extension PayloadValue {
  /// The value in the notation of conditions; lists as their elements separated by spaces.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let isTrue): "\(isTrue)"
    case .null: "nothing"
    case .list(let values): values.map(\.plainText).joined(separator: " ")
    case .dictionary(let fields): fields.keys.sorted().joined(separator: " ")
    }
  }
}
