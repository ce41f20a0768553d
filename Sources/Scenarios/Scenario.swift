package import Playback

/// A scripted demonstration: the peers with their networks, their actions, and what each must see
/// in time.
///
/// The same scenario runs on any ``ScenarioStage``: the coordinator in memory with virtual time, or
/// the real server over TCP.
package struct Scenario: Equatable, Sendable {
  package var name: String
  /// What it demonstrates, in a sentence or two.
  package var about: String
  /// The group that `group join` joins.
  package var group: String
  /// The media items; activities use the first by default.
  package var items: [ScenarioItem]
  /// The waiting policy.
  package var waiting: Waiting
  /// The named places of a session with an audience; `nil` for the server's own limit.
  package var namedPlaces: Int?
  /// The server's campaigns; `nil` for none, and then no peer shows messages.
  package var campaigns: ScenarioCampaigns?
  package var peers: [ScenarioPeer]
  package var steps: [ScenarioStep]

  /// The waiting policies that a scenario may name.
  package enum Waiting: String, Equatable, Sendable, CaseIterable {
    /// The group never waits.
    case keepGoing
    /// The group waits for a participant whose player stalls.
    case together

    package var policy: WaitingPolicy { self == .together ? .together : .keepGoing }
  }

  /// The peers' names in the order of the file.
  package var names: [String] { peers.map(\.name) }

  /// The administrator's key on every stage.
  package static let administratorKey = "the-administrator-of-a-demonstration"

  /// Whether some verb needs the administrator's key.
  package var needsAdministrator: Bool {
    steps.contains { $0.cues.contains { if case .push = $0.verb { true } else { false } } }
  }

  /// Whether the scenario kills the server, so that the stage needs a durable journal.
  package var killsServer: Bool { steps.contains { !$0.server.isEmpty } }

  /// Whether another server stands by, so that the stage needs a journal that servers share.
  package var failsOver: Bool { steps.contains { $0.server.contains(.failOver) } }

  package func item(_ name: String) -> ScenarioItem? {
    items.first { $0.name == name }
  }
}

/// A media item of a scenario.
package struct ScenarioItem: Equatable, Sendable {
  package var name: String
  package var duration: Duration
  /// The advertisements in it.
  package var interstitials: Interstitials
  /// The URL for a real player; by default the name.
  package var url: String
  /// Whether the stage generates a video of this duration and sets the URL.
  package var isMade: Bool

  package init(
    name: String = "film", duration: Duration = .seconds(3600),
    interstitials: Interstitials = Interstitials(), url: String? = nil, isMade: Bool = false
  ) {
    self.name = name
    self.duration = duration
    self.interstitials = interstitials
    self.url = url ?? name
    self.isMade = isMade
  }
}

/// A person with one device in a scenario.
package struct ScenarioPeer: Equatable, Sendable {
  /// The kind of player a peer has.
  package enum Player: String, Equatable, Sendable, CaseIterable {
    /// A simulated player with realistic timing and without a picture.
    case simulated
    /// The real mpv, on stages that can start one.
    case mpv
  }

  package var name: String
  /// The device's user; `nil` for a user with the peer's name.
  package var user: String?
  package var network = NetworkConditions()
  package var player = Player.simulated
  /// The initial offset of the peer's clock from true time; used in virtual time only.
  package var clockOffset = Duration.zero
  /// How fast the peer's clock gains on true time, in parts per million; used in virtual time only.
  package var clockSkew = 0.0
}

extension ScenarioPeer {
  /// The device's user.
  package var person: String { user ?? name }
}

/// The network conditions between a peer and the server.
package struct NetworkConditions: Equatable, Sendable {
  /// The mean delay in one direction.
  package var delay: Duration
  /// The maximum random deviation from the delay; messages never overtake each other.
  package var jitter: Duration

  /// Network conditions; by default a fast network.
  package init(delay: Duration = .milliseconds(2), jitter: Duration = .zero) {
    self.delay = delay
    self.jitter = jitter
  }

  /// The shortest delay in one direction.
  package var shortest: Duration { max(delay - jitter, .zero) }

  /// The longest delay in one direction.
  package var longest: Duration { delay + jitter }
}
