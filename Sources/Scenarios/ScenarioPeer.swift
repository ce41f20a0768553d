import Vocabulary

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
