import GroupSessions
package import Participation
package import Vocabulary

/// One machine of a simulation: a clock of its own, the real client, and a player.
package struct SimulatedHost: Sendable {
  package let clock: HostClock
  package internal(set) var client: Client
  package internal(set) var player: SimulatedPlayer?
  /// What the player has open.
  package internal(set) var item: ItemID?
  /// How often the player was told anything.
  package internal(set) var playerCommands = 0
  /// The connection it has or tries to have.
  var connection: Int?
  /// When it next asks its player where it is.
  var nextPoll = Duration.zero

  /// How often a shell asks its player where it is.
  static let pollInterval = Duration.milliseconds(100)

  init(_ settings: ClientSettings, clock: HostClock, seed: UInt64) {
    self.clock = clock
    client = Client(settings, seed: seed)
  }

  /// The first moment of true time at which something is due here.
  var nextDeadline: Duration? {
    let due = [client.nextDeadline, player?.nextDeadline].compactMap(\.self).min()
    return [due.map(clock.moment), player == nil ? nil : nextPoll].compactMap(\.self).min()
  }
}
