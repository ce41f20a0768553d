import MatineeClient
import Observation

/// An app in which friends watch a film together in a video message.
@MainActor @Observable
final class FilmNight {
  /// Whether the button "Watch together" is there.
  private(set) var canWatchTogether = false
  /// The line below the button.
  private(set) var notice = ""
  /// The player's message.
  let video: VideoMessage
  private let client: GroupWatchClient
  private let manager: CoordinationManager<MediaItemActivity>

  /// Connects a person's device and enters the group.
  static func open(
    _ name: String, at server: Endpoint, in group: GroupID
  ) async throws -> FilmNight {
    var options = ClientOptions()
    options.playing = .app
    let me = Identity(user: UserID(name), device: DeviceID(name + "-phone"), name: name)
    let client = try await GroupWatchClient.connect(to: server, as: me, options: options)
    let app = FilmNight(client)
    try await client.joinGroup(group)
    return app
  }

  private init(_ client: GroupWatchClient) {
    self.client = client
    manager = CoordinationManager(client: client)
    video = VideoMessage(client, manager)
    client.inAppMessages.register("video", video)
    Task { [weak self] in
      for await eligibility in client.groupState.eligibility.values {
        self?.canWatchTogether = eligibility == .eligible
      }
    }
    Task { [weak self, events = client.inAppMessages.events] in
      for await event in events {
        guard case .finished(_, .refused(let refusal)) = event else { continue }
        self?.notice = "the player does not open: \(refusal)"
      }
    }
  }

  /// The person presses a film's button.
  func watch(_ film: MediaItem) async throws {
    switch try await manager.prepareToPlay(film) {
    case .alreadyEnqueued, .updatedSession, .activated(.here): notice = "you watch together"
    case .activated(.elsewhere): notice = "it plays on your other device"
    case .local: notice = "you watch alone"
    case .cancelled: notice = ""
    }
  }

  func close() { client.close() }
}

/// The view for messages of the type `video`: a player with a close button.
@MainActor @Observable
final class VideoMessage: MessageView {
  /// What the message plays; `nil` while it is closed.
  private(set) var film: MediaItem?
  /// Whether the play button is there: in a session, once the group has this player.
  private(set) var canPlay = false
  /// Who watches, by name; empty without a session.
  private(set) var viewers: [String] = []
  let player = FilmPlayer()
  private let client: GroupWatchClient
  private let manager: CoordinationManager<MediaItemActivity>
  private var presentation: MessagePresentation?
  private var attached: AttachedPlayer?
  private var following: Task<Void, Never>?

  init(_ client: GroupWatchClient, _ manager: CoordinationManager<MediaItemActivity>) {
    self.client = client
    self.manager = manager
  }

  func run(_ presentation: MessagePresentation) async {
    self.presentation = presentation
    for await command in presentation.commands {
      switch command {
      case .show(let shown):
        film = shown.video
        attach(to: shown.message.session)
        presentation.report(.presented)
      case .update(let shown): film = shown.video
      case .pause: player.pause()
      case .dismiss:
        attached?.detach()
        following?.cancel()
        (film, canPlay, viewers) = (nil, false, [])
        presentation.report(.dismissed)
      }
    }
  }

  /// Lets the group drive the player, or this person alone.
  private func attach(to id: SessionID?) {
    let control = FilmControl(player)
    guard let id, let session = manager.session.current, session.id == id else {
      attached = client.player.attach(control)
      canPlay = true
      return
    }
    attached = PlaybackCoordinator(session: session).coordinate(with: control)
    following = Task { [weak self, me = client.device] in
      for await participants in session.activeParticipants.values {
        self?.viewers = participants.map(\.name).sorted()
        self?.canPlay = participants.contains { $0.device == me && $0.item != nil }
      }
    }
  }

  /// The person presses the close button.
  func close() { presentation?.report(.closed(.button)) }
}

/// Connects the platform's player with the library.
final class FilmControl: PlaybackControl {
  let reports: AsyncStream<PlayerReport>
  private let actions: AsyncStream<PlayerAction>.Continuation

  @MainActor init(_ player: FilmPlayer) {
    let (reports, reporter) = AsyncStream.makeStream(of: PlayerReport.self)
    let (inbox, actions) = AsyncStream.makeStream(of: PlayerAction.self)
    (self.reports, self.actions) = (reports, actions)
    player.onChange = { [unowned player] change in
      let position = MediaTime.seconds(player.seconds)
      switch change {
      case .opened(let length):
        reporter.yield(.loaded(duration: .seconds(length), noise: .milliseconds(1)))
      case .started: reporter.yield(.unpaused)
      case .paused:
        reporter.yield(.position(position, at: .now))
        reporter.yield(.paused)
      case .jumped: reporter.yield(.seekFinished(at: position))
      case .ticked: reporter.yield(.position(position, at: .now))
      }
    }
    Task { for await action in inbox { player.obey(action) } }
  }

  /// Is called on the client's thread; the player belongs to the main actor.
  func perform(_ action: PlayerAction) { actions.yield(action) }
}

extension FilmPlayer {
  fileprivate func obey(_ action: PlayerAction) {
    switch action {
    case .load(let url): open(url)
    case .unload: close()
    case .play(let rate): play(speed: rate)
    case .pause: pause()
    case .seek(let position): seek(to: position.seconds)
    case .setRate(let rate): setSpeed(rate)
    }
  }
}
