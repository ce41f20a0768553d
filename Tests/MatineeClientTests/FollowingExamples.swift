// What the guides show of notifications and of a group's objects.

// The examples begin here.
import MatineeClient

func beginNotifications(_ client: GroupWatchClient) async throws {
  let notifications = client.notifications
  notifications.delegate = Concierge()
  notifications.setCategories([
    .groupWatchInvite(),
    NotificationCategory(
      id: "REVIEW",
      actions: [
        NotificationAction(id: "GOOD", title: "Good"),
        NotificationAction(
          id: "WRITE", title: "Write",
          textInput: NotificationAction.TextInput(buttonTitle: "Send")),
      ]),
  ])
  try await notifications.register()
}

actor Concierge: NotificationPresentationDelegate {
  private(set) var reviews: [String] = []

  func willPresent(_ notification: UserNotification) -> PresentationOptions {
    notification.content.categoryID == "REVIEW" ? [.list] : [.banner, .list, .sound]
  }

  func didReceive(_ response: NotificationResponse) {
    guard response.isRemote, response.notification.content.categoryID == "REVIEW" else { return }
    switch response.actionID {
    case "GOOD": reviews.append("good")
    case "WRITE": reviews.append(response.userText ?? "")
    case ActionIdentifier.defaultAction, ActionIdentifier.dismissAction: break
    default: break
    }
  }
}

actor Archive: NotificationCenterDelegate {
  private var open: [HandlerCompletion<Void>] = []

  func didReceive(_ response: NotificationResponse, completion: HandlerCompletion<Void>) {
    open.append(completion)
  }

  func saved() {
    for completion in open { completion() }
    open = []
  }
}

func answer(
  _ client: GroupWatchClient, asks: (InvitationDetails) async -> Bool
) async throws {
  for await standing in client.notifications.delivered.values {
    for invitation in standing.compactMap(client.notifications.invitation) {
      if await asks(invitation.details) {
        let acceptance = try await invitation.accept()
        if acceptance == .awaited { print("join the group, and you are in") }
      } else {
        try await invitation.reply("Not tonight")
        try await invitation.decline()
      }
    }
  }
}

struct OlderApp: NotificationReceiver, LegacyNotificationActionHandler {
  var refresh: @Sendable (ReceivedMessage) async -> Bool
  var review: @Sendable (String) async -> Void

  func didReceive(
    _ notification: UserNotification, alreadyDelivered: Bool
  ) async -> FetchResult {
    guard !alreadyDelivered else { return .noData }
    let message = ReceivedMessage(userInfo: notification.content.userInfo)
    return await refresh(message) ? .newData : .noData
  }

  func handleAction(
    _ identifier: String, of notification: UserNotification, responseText: String?
  ) async {
    if identifier == "WRITE" { await review(responseText ?? "") }
  }
}

func beginOlderApp(_ client: GroupWatchClient, _ app: OlderApp) async throws {
  client.notifications.receiver = app
  client.notifications.legacyActionHandler = app
  try await client.notifications.register(.legacySettings)
}

func chat(_ client: GroupWatchClient, in group: GroupID) async throws {
  let topic = TopicID("group/\(group)/chat")
  try await client.notifications.subscribe(to: topic)
  try await client.notifications.publish(
    to: topic, NotificationPayload.Alert(title: "Ann", body: "Who brings popcorn?"),
    data: ["seats": 4])
}

func mirror(_ session: SessionID, of client: GroupWatchClient) async throws {
  let queue = try await client.notifications.follow(ServerObject.part(.queue, of: session))
  for await state in queue.values {
    guard let state else { continue }
    print(state.version ?? 0, state.fields.keys.sorted())
  }
}

func remind(_ client: GroupWatchClient) async throws {
  var content = NotificationContent(title: "Film night", body: "It begins in ten minutes")
  content.sound = .default
  let friday = NotificationTrigger.calendar(
    DateMatch(weekday: 6, hour: 19, minute: 50), repeats: true)
  try await client.notifications.schedule(
    NotificationRequest(id: NotificationID("friday"), content: content, trigger: friday))
}

func vote(for film: String, with client: GroupWatchClient) async throws {
  // A field for each person, so that nobody's vote replaces another's.
  try await client.updateObject(
    ObjectID("votes"), set: [client.identity.user.text: .string(film)])
}

func showVotes(of client: GroupWatchClient, show: ([String: String]) -> Void) async {
  for await objects in client.groupState.objects.values {
    let votes = objects[ObjectID("votes")]?.fields ?? [:]
    show(votes.compactMapValues(\.string))
  }
}

func welcome(in session: GroupSession<WatchSeries>, with last: Reaction) async {
  let messenger = GroupSessionMessenger(session: session)
  for await change in session.participantChanges {
    guard case .joined(let newcomer) = change else { continue }
    do {
      try await messenger.send(last, to: .only(newcomer))
    } catch {
      continue  // The next newcomer is welcomed all the same.
    }
  }
}
// The examples end here.
