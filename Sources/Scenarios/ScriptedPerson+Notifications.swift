import GroupSessions
import Participation
import UserNotifications
import Vocabulary
import Wire

// A person's app and its notifications: it shows what comes, and has handlers that are done at once.

extension ScriptedPerson {
  private static let handlers: NotificationCenterState.Handlers = [
    .willPresent, .userAction, .reception,
  ]

  /// What a verb about notifications, or about an app that does not run, leads to; `nil` if it is
  /// another.
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

  /// What a handler says, and a person who has shown who they are.
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

  // MARK: What the person does

  private mutating func answerInvitation(_ answer: InvitationAnswer) -> [Act] {
    switch answer {
    case .accepted: act(ActionIdentifier.accept)
    case .declined: act(ActionIdentifier.decline)
    }
  }

  /// Takes an action of the newest invitation.
  private mutating func act(_ action: String, _ text: String? = nil) -> [Act] {
    guard let id = notifications.invitation?.id else { return refuse("noInvitation") ?? [] }
    notifications.answer(id)
    return [.tell(.center(.acted(id, action: action, text: text)))]
  }

  /// Does something about the newest notification.
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

// MARK: What is asked of the server

extension ScriptedPerson {
  /// What a verb about notifications asks for; nil, with a refusal noted, if something is missing, or
  /// if it is another verb.
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
      return .object(SessionObject(part, of: session))
    }
  }
}
