import Foundation
import Testing

// The examples begin here.
import MatineeClient

func goOnline(as name: String) async throws -> GroupWatchClient {
  var options = ClientOptions()
  options.playing = .simulated
  options.reactivatesAfterServerRestart = true
  let me = Identity(user: UserID(name), device: DeviceID(name + "-tv"), name: name)
  let client = try await GroupWatchClient.connect(
    to: Endpoint(host: "localhost"), as: me, options: options)
  try await client.joinGroup(GroupID("friday"))
  return client
}

func showSharing(of client: GroupWatchClient, show: (String) -> Void) async {
  for await eligibility in client.groupState.eligibility.values {
    switch eligibility {
    case .eligible: show("share")
    case .ineligible(.alone): show("nobody else is here")
    case .ineligible(let reason): show("not now: \(reason)")
    }
  }
}

func comeIn(
  as me: Identity, fetchToken: @escaping @Sendable () async throws -> String
) async throws -> GroupWatchClient {
  var options = ClientOptions()
  options.credential = fetchToken
  return try await GroupWatchClient.connect(
    to: Endpoint(host: "localhost"), as: me, options: options)
}

func showProblems(of client: GroupWatchClient, show: (String) -> Void) async {
  for await problem in client.credentialProblem.values {
    if let problem { show(problem.message) }
  }
}

func comeIn(
  by link: GroupLink, as me: Identity, credential: Secret
) async throws -> GroupWatchClient {
  var options = ClientOptions()
  options.security = link.security
  options.credential = { credential.text }
  let client = try await GroupWatchClient.connect(to: link.endpoint, as: me, options: options)
  if let group = link.group { try await client.joinGroup(group, key: link.key) }
  return client
}

func invite(
  _ client: GroupWatchClient, to endpoint: Endpoint, _ security: ConnectionSecurity
) throws -> GroupLink? {
  guard let group = client.groupState.group.current, let key = client.groupState.key.current
  else { return nil }
  return try GroupLink(endpoint: endpoint, security: security, group: group.id, key: key)
}

func goodNight(_ client: GroupWatchClient) async throws {
  try await client.setSharing(false)
  for session in try await client.status().sessions {
    print(session.title, session.participants.filter { !$0.isKeeper }.map(\.name))
  }
  if client.groupState.group.current?.founder == client.identity.user {
    try await client.closeGroup()
  } else {
    try await client.leaveGroup()
  }
  client.close()
}

func lightUp(
  with client: GroupWatchClient, schedule: (ContinuousClock.Instant) -> Void
) async {
  guard let clock = await client.groupClock() else { return }
  let nextMinute = Instant(microseconds: (clock.now().microseconds / 60_000_000 + 1) * 60_000_000)
  schedule(clock.hostInstant(for: nextMinute))
}

struct WatchSeries: GroupActivity {
  var episode: Int
  var metadata: GroupActivityMetadata { GroupActivityMetadata(title: "Episode \(episode)") }
  var media: MediaItem? { MediaItem(url: "https://films.example/\(episode).mp4") }
}

struct Question: ActivationPrompt {
  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice {
    // Something else goes on there: better to let it.
    group.session == nil ? .share(remembers: true) : .onlyMe(remembers: false)
  }
}

func start(
  _ series: WatchSeries, on client: GroupWatchClient, playAlone: () -> Void
) async throws {
  switch try await series.prepareForActivation(on: client, asking: Question()) {
  case .activationPreferred:
    if case .elsewhere = try await series.activate(on: client, at: .seconds(95)) {
      print("it plays on your other device")
    }
  case .activationDisabled: playAlone()
  case .alreadyActive, .updatesSession, .cancelled: break
  }
}

func takePart(in client: GroupWatchClient, wants: (WatchSeries) -> Bool) async {
  for await session in client.sessions(of: WatchSeries.self) {
    guard wants(session.activity) else {
      await session.leave()
      continue
    }
    do {
      if case .staged = session.state.current { try await session.activateStaged() }
      try await session.join()
    } catch {
      print("not joined: \(error.message)")
    }
    for await state in session.state.values {
      guard case .invalidated(let reason) = state else { continue }
      print("over: \(reason)")
    }
  }
}

func closedByPerson(_ session: GroupSession<WatchSeries>) async {
  await session.dismiss()
}

func plan(_ series: WatchSeries, on client: GroupWatchClient) async throws {
  try await series.stage(on: client, at: .seconds(95))
}

func goOnHere(_ session: GroupSession<WatchSeries>) async throws {
  if try await session.ownParticipants().isEmpty {
    try await session.join()
  } else {
    try await session.takeOver()
  }
}

func watchTogether(_ session: GroupSession<WatchSeries>) async throws {
  let coordinator = PlaybackCoordinator(session: session)
  for await status in coordinator.status.values where status != nil { break }
  try await coordinator.play()
  let scrubbing = try await coordinator.beginSuspension(for: .userIsChangingCurrentTime)
  try await scrubbing.end(proposingNewTime: .seconds(600))
}

func beginWhenReady(
  _ session: GroupSession<WatchSeries>, sleeper: Participant, show: (String) -> Void
) async throws {
  session.startWhenAllAreReady()
  try await session.setReadyToStart(false, for: sleeper)
  for await countdown in session.startCountdown.values {
    guard let countdown else { continue }
    if countdown.starts != nil { return show("it starts in three seconds") }
    show("\(countdown.name) starts it when all are ready")
  }
}

func fill(_ session: GroupSession<WatchSeries>) async throws {
  let queue = session.queue
  try await queue.add(MediaItem(title: "Two", url: "https://films.example/2.mp4"))
  try await queue.insertNext(MediaItem(url: "https://films.example/trailer.mp4"))
  try await queue.setRepeatMode(.all)
  for await state in queue.state.values where state.entries.count > 2 {
    try await queue.moveToEnd(state.entries[1].id)
    try await queue.select(state.entries[2].id)
    break
  }
}

func calmDown(
  _ session: GroupSession<WatchSeries>, friend: Participant, stranger: Participant
) async throws {
  try await session.setControlPolicy(.hostsOnly)
  try await session.setRole(.host, of: friend)
  try await session.remove(stranger, isBanned: true)
  try await session.setWaitingPolicy(.together)
  try await session.setDismissalPolicy(.leavesOnly)
}

struct Reaction: Codable, Sendable {
  var symbol: String
}

func react(in session: GroupSession<WatchSeries>) async throws {
  let messenger = GroupSessionMessenger(session: session)
  let reactions = messenger.messages(of: Reaction.self)
  try await messenger.send(Reaction(symbol: "🎬"))
  for await (reaction, context) in reactions {
    if context.missedBefore > 0 { print("… and \(context.missedBefore) more") }
    print(context.source.name, reaction.symbol)
  }
}

func chat(in session: GroupSession<WatchSeries>) async throws {
  let messenger = GroupSessionMessenger(session: session)
  try await messenger.say("Popcorn?")
  for await line in messenger.chat {
    print(line.isEarlier ? "earlier," : "", "\(line.name): \(line.text)")
  }
}

func album(in session: GroupSession<WatchSeries>, photo: [UInt8]) async throws {
  let journal = GroupSessionJournal(session: session)
  try await journal.add(photo, metadata: "the popcorn")
  for await attachments in journal.attachments.values {
    for attachment in attachments {
      let name = try attachment.loadMetadata(of: String.self)
      print(name, try await journal.load(attachment).count, "bytes")
    }
  }
}

func toasts(in session: GroupSession<WatchSeries>) async throws {
  let notices = session.notices
  try await session.showNotice("Ann brings popcorn", isBroadcast: true)
  for await notice in notices where !notice.isLocal {
    switch notice.action {
    case .paused: print("\(notice.name) needs a break")
    case .missed(let count): print("\(count) more")
    default: print(notice)
    }
  }
}

func needLogin(_ session: GroupSession<WatchSeries>) {
  session.requestForegroundPresentation("log in to watch this")
}

func bringToFront(for client: GroupWatchClient, show: (SessionID) -> Void) async {
  for await request in client.foregroundRequest.values {
    guard let request else { continue }
    show(request.session)
    client.fulfil(request)
  }
}

func button(_ manager: CoordinationManager<MediaItemActivity>) async throws {
  let item = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")
  switch try await manager.prepareToPlay(item) {
  case .alreadyEnqueued, .updatedSession, .activated(.here): break
  case .activated(.elsewhere): print("it plays on your other device")
  case .local(let reason): print("you watch alone: \(reason)")
  case .cancelled: break
  }
}

func player(_ manager: CoordinationManager<MediaItemActivity>, show: (MediaItem?) -> Void) async {
  for await item in manager.enqueuedMedia.values { show(item) }
}

func closed(_ manager: CoordinationManager<MediaItemActivity>) async {
  await manager.leave()
}

func beginMessages(_ client: GroupWatchClient, panel: any MessageView) {
  let messages = client.inAppMessages
  messages.delegate = Manners()
  messages.setDefaultView(panel)
  messages.logEvent("Film Finished", ["title": .string("Sintel"), "minutes": .number(15)])
  messages.setAttribute("favorite_genre", .string("Animation"))
}

struct Panel: MessageView {
  var draw: @Sendable (ShownMessage) async -> Void
  var clear: @Sendable () async -> Void

  func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands {
      switch command {
      case .show(let shown):
        await draw(shown)
        presentation.report(.presented)
      case .update(let shown): await draw(shown)
      case .pause: break
      case .dismiss:
        await clear()
        presentation.report(.dismissed)
      }
    }
  }
}

func registerViews(_ messages: InAppMessages, player: any MessageView, map: any MessageView) {
  messages.register("video", player)
  messages.register(
    "map", requiring: MessageViewRequirements().extra("latitude", .number), map)
}

actor Manners: InAppMessageUIDelegate {
  var isQuiet = false

  func displayChoice(for message: InAppMessage, origin: MessageOrigin) -> DisplayChoice {
    isQuiet ? .reenqueue : .now
  }

  func prepare(with context: inout PresentationContext) {
    context.message = context.message.removingDarkThemes()
    context.statusBarHideBehavior = .hidden
  }

  func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    of message: InAppMessage, in view: (any MessageView)?
  ) -> Bool {
    buttonID != "later"
  }
}

func afterTheGame(_ messages: InAppMessages) async {
  if case .empty = await messages.presentNext() { print("nothing was missed") }
}

func askForRating(_ messages: InAppMessages, ask: () async -> Void) async {
  guard let lease = await messages.leaseScreen() else { return }
  await ask()
  lease.end()
}

func funnel(of messages: InAppMessages) async {
  for await event in messages.events {
    switch event {
    case .missed(let count): print("… and \(count) more")
    default: print(event.name, event.messageID?.text ?? "")
    }
  }
}

func tryOut(_ campaign: CampaignID, on messages: InAppMessages) async throws {
  let explanation = try await messages.explain(campaign)
  print(explanation.refusal?.rawValue ?? "it may be shown", explanation.detail ?? "")
  try await messages.sendTest(of: campaign, event: "Film Finished", ["title": .string("Sintel")])
}

func logIn(
  _ user: UserID, name: String, options: ClientOptions, after client: GroupWatchClient
) async throws -> GroupWatchClient {
  let next = try await client.changeUser(to: user, name: name, options: options)
  next.inAppMessages.setAttribute("logged_in", .bool(true))
  return next
}
// The examples end here.

/// The guides' examples are compiled: they stand above.
@Suite struct GuideExampleTests {
  @Test(arguments: [
    "ConnectingAndGroups", "ActivitiesAndSessions", "Steering", "MessagesAndNotices", "ReadyMade",
    "ShowingInAppMessages", "HandlingNotifications",
  ])
  func `a guide shows only examples that compile`(guide: String) throws {
    let here = URL(filePath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let catalogue = root.appending(path: "Sources/MatineeClient/MatineeClient.docc")
    let article = try String(
      contentsOf: catalogue.appending(path: guide + ".md"), encoding: .utf8)
    // What is followed beside sessions stands in a file of its own.
    let others = here.deletingLastPathComponent().appending(path: "FollowingExamples.swift")
    let compiled = try [here, others].map { file in
      let source = try String(contentsOf: file, encoding: .utf8)
      return try #require(
        source.split(separator: "// The examples begin here.\n").dropFirst().first?
          .split(separator: "// The examples end here.").first)
    }
    let examples = article.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "```").first
    }
    #expect(!examples.isEmpty)
    for example in examples { #expect(compiled.contains { $0.contains(example) }) }
  }

  @Test func `every guide is checked`() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Sources/MatineeClient/MatineeClient.docc").path())
    // The how-to articles are checked by the house's own tests.
    let stories = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Tests/Stories/Sources/Stories").path())
    let articles = stories.filter { $0.hasSuffix(".swift") }.map { $0.dropLast(5) + "md" }
    #expect(names.count { $0.hasSuffix(".md") && !articles.contains($0[...]) } == 8)
  }
}
