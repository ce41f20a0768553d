import MatineeClient
import Observation

/// An app whose notifications people answer without opening it.
@MainActor @Observable
final class FilmClub {
  /// The notifications on screen, each with the buttons of its category; the newest is last.
  private(set) var banners: [ShownNotification] = []
  /// What the club's members answered to proposals, for the person who asked.
  private(set) var votes: [String] = []
  /// What plays on this device, and who watches it.
  private(set) var playing: String?
  private(set) var viewers: [String] = []
  /// The line for what goes wrong.
  private(set) var notice = ""
  private let client: GroupWatchClient
  private var votesTopic: TopicID { TopicID("group/film-club/votes") }

  init(_ client: GroupWatchClient) { self.client = client }

  /// A film that somebody proposes: two buttons, and a third with a text field.
  static let proposal = NotificationCategory(
    id: "FILM_PROPOSAL",
    actions: [
      NotificationAction(id: "YES", title: "I am in"),
      NotificationAction(id: "NO", title: "Not tonight", options: .destructive),
      NotificationAction(
        id: "WRITE", title: "Write",
        textInput: NotificationAction.TextInput(buttonTitle: "Send", placeholder: "Later?")),
    ],
    options: .customDismissAction)

  /// Registers this device; the handlers come first, because what waits is delivered at once.
  func begin() async throws {
    let center = client.notifications
    center.delegate = self
    center.receiver = self
    center.setCategories([.groupWatchInvite(), Self.proposal])
    Task { [weak self, events = center.events] in
      for await event in events { self?.draw(event) }
    }
    Task { [weak self, sessions = client.sessions(of: MediaItemActivity.self)] in
      for await session in sessions { await self?.follow(session) }
    }
    try await center.register()
    try await client.joinGroup(GroupID("film-club"))
    try await center.subscribe(to: votesTopic)
  }

  /// The person starts a film; the library invites the others.
  func start(_ film: MediaItem) async throws {
    _ = try await MediaItemActivity(film).activate(on: client)
  }

  /// The person is reminded of a proposal, by this device alone.
  func remind() async throws {
    var content = NotificationContent(title: "Film club", body: "Do you come tonight?")
    content.categoryID = Self.proposal.id
    try await client.notifications.schedule(
      NotificationRequest(id: NotificationID("tonight"), content: content))
  }

  /// The person presses a button of a notification, perhaps with a text.
  func press(_ button: String, on banner: ShownNotification, text: String? = nil) {
    client.notifications.act(banner.notification.id, button, text: text)
  }

  /// The person taps the notification itself.
  func tap(_ banner: ShownNotification) { client.notifications.tap(banner.notification.id) }

  private func draw(_ event: NotificationEvent) {
    switch event {
    case .shown(let shown): banners.append(shown)
    case .removed(let ids): banners.removeAll { ids.contains($0.notification.id) }
    case .unlocks: client.notifications.isLocked = false
    case .reportLost(_, _, let error): notice = error?.message ?? "an answer was lost"
    case .badge, .opens, .warning, .missed: break
    }
  }

  /// Joins what this device starts; an invitation's button joins by itself.
  private func follow(_ session: GroupSession<MediaItemActivity>) async {
    Task { [weak self] in
      for await participants in session.activeParticipants.values {
        self?.viewers = participants.map(\.name).sorted()
      }
    }
    do {
      if session.isLocallyInitiated { try await session.join() }
    } catch {
      notice = error.message
    }
    for await state in session.state.values {
      playing = state == .joined ? session.activity.mediaItem.title : nil
    }
  }
}

extension FilmClub: NotificationPresentationDelegate {
  func willPresent(_ notification: UserNotification) -> PresentationOptions {
    [.banner, .list, .sound]
  }

  func didReceive(_ response: NotificationResponse) async {
    // This device made a reminder itself, so nobody waits for an answer to it.
    guard response.isRemote else { return }
    switch response.notification.content.categoryID {
    case Self.proposal.id: await answer(response)
    // The library has sent the answer to an invitation.
    case NotificationCategory.groupWatchInviteID: break
    default: break
    }
  }

  private func answer(_ response: NotificationResponse) async {
    let film = response.notification.content.userInfo["film"]?.string ?? "the film"
    switch response.actionID {
    case "YES": await vote("is in for \(film)")
    case "NO": await vote("is not in for \(film)")
    case "WRITE": await vote("writes of \(film): \(response.userText ?? "")")
    case ActionIdentifier.defaultAction: notice = "shows the page of \(film)"
    case ActionIdentifier.dismissAction: notice = "\(film) can wait"
    default: break
    }
  }

  private func vote(_ text: String) async {
    do {
      try await client.notifications.publish(
        to: votesTopic, nil, data: ["vote": .string("\(client.identity.name) \(text)")])
    } catch {
      notice = error.message
    }
  }
}

extension FilmClub: NotificationReceiver {
  /// Receives the silent notifications: here, the votes.
  func didReceive(_ notification: UserNotification, alreadyDelivered: Bool) -> FetchResult {
    let message = ReceivedMessage(userInfo: notification.content.userInfo)
    guard message.topicID == votesTopic, !alreadyDelivered,
      let vote = message.payload.custom["vote"]?.string
    else { return .noData }
    votes.append(vote)
    return .newData
  }
}
