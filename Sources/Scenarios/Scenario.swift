package import Playback
import Vocabulary

/// A scripted demonstration: who takes part over what network, what they do, and what each must
/// see by when.
///
/// The same value runs on any ``Stage``: the coordinator in memory with virtual time, or the real
/// server over TCP.
package struct Scenario: Equatable, Sendable {
  package var name: String
  /// What it shows, in a sentence or two.
  package var about: String
  /// The group that `group join` joins.
  package var group: String
  /// What there is to watch; activities are about the first.
  package var items: [ScenarioItem]
  /// When the group waits for somebody.
  package var waiting: Waiting
  /// What the server says to people; `nil` is nothing, and nobody has anything to show it on.
  package var campaigns: ScenarioCampaigns?
  package var peers: [ScenarioPeer]
  package var steps: [ScenarioStep]

  /// The waiting policies a scenario may name.
  package enum Waiting: String, Equatable, Sendable, CaseIterable {
    /// Nobody's trouble stops the others.
    case keepGoing
    /// The group waits for one whose player stalls.
    case together
  }

  /// A scenario.
  package init(
    name: String, about: String = "", group: String = "demo",
    items: [ScenarioItem] = [ScenarioItem()], waiting: Waiting = .keepGoing,
    campaigns: ScenarioCampaigns? = nil, peers: [ScenarioPeer], steps: [ScenarioStep]
  ) {
    self.name = name
    self.about = about
    self.group = group
    self.items = items
    self.waiting = waiting
    self.campaigns = campaigns
    self.peers = peers
    self.steps = steps
  }

  /// The peers' names, in the order of the file.
  package var names: [String] { peers.map(\.name) }

  /// The secret of the administrator, wherever a scenario runs.
  package static let administratorKey = "the-administrator-of-a-demonstration"

  /// Whether somebody does what only the administrator may.
  package var needsAdministrator: Bool {
    steps.contains { $0.cues.contains { if case .push = $0.verb { true } else { false } } }
  }

  /// Whether the server dies on the way, and has to keep what happens.
  package var killsServer: Bool { steps.contains { $0.server.contains(.kill) } }

  /// The item of a name.
  package func item(_ name: String) -> ScenarioItem? {
    items.first { $0.name == name }
  }
}

/// Something to watch in a scenario.
package struct ScenarioItem: Equatable, Sendable {
  package var name: String
  package var duration: Duration
  /// The advertisements stitched into it.
  package var interstitials: Interstitials
  /// Where a real player finds it; the name where nothing else is said.
  package var url: String
  /// Whether the stage makes a video of that length for it, and says where it is.
  package var isMade: Bool

  /// An item.
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

/// One person with one device in a scenario.
package struct ScenarioPeer: Equatable, Sendable {
  /// What the peer plays with.
  package enum Player: String, Equatable, Sendable, CaseIterable {
    /// A player with the timing of a real one that shows nothing.
    case simulated
    /// The real mpv, where the stage can start one.
    case mpv
  }

  package var name: String
  /// Whose device it is; `nil` is a person of that name.
  package var user: String?
  package var network: NetworkConditions
  package var player: Player
  /// How far the peer's clock is from true time when the scenario begins; virtual time only.
  package var clockOffset: Duration
  /// How fast the peer's clock gains on true time, in parts per million; virtual time only.
  package var clockSkew: Double

  /// A peer.
  package init(
    name: String, user: String? = nil, network: NetworkConditions = NetworkConditions(),
    player: Player = .simulated,
    clockOffset: Duration = .zero, clockSkew: Double = 0
  ) {
    self.name = name
    self.user = user
    self.network = network
    self.player = player
    self.clockOffset = clockOffset
    self.clockSkew = clockSkew
  }
}

extension ScenarioPeer {
  /// Whose device it is.
  package var person: String { user ?? name }
}

/// What the way between a peer and the server does to every message.
package struct NetworkConditions: Equatable, Sendable {
  /// The time one way in the middle.
  package var delay: Duration
  /// How much longer or shorter chance makes it, at most; messages never overtake each other.
  package var jitter: Duration

  /// A network; without numbers it is quick.
  package init(delay: Duration = .milliseconds(2), jitter: Duration = .zero) {
    self.delay = delay
    self.jitter = jitter
  }

  /// The least time one way.
  package var shortest: Duration { max(delay - jitter, .zero) }

  /// The longest time one way.
  package var longest: Duration { delay + jitter }
}
