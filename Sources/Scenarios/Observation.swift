package import Vocabulary

/// What one peer knows and shows at a moment, in the words of scenarios.
package struct Observation: Equatable, Sendable {
  /// How a peer stands to the server.
  package enum Connection: String, Equatable, Sendable {
    case connecting
    case connected
    case reconnecting
    case closed
  }

  /// How a peer stands to a session.
  package enum Session: Equatable, Sendable {
    case none
    /// Somebody in the group prepared it, and anybody may begin it.
    case staged
    case offered
    case joining
    case joined
    /// It is over for this peer: the reason's stable name, and who is behind it.
    case invalidated(String, by: String?)
  }

  /// What the group is doing, as this peer was told.
  package enum Phase: Equatable, Sendable {
    case none
    case paused(at: MediaTime)
    case preparing(from: MediaTime)
    case playing
    case ended
  }

  /// A player as one sees it from outside.
  package struct Player: Equatable, Sendable {
    /// Where it truly is.
    package var position: MediaTime
    package var isRunning: Bool
    /// How often it was told to play, pause, seek or change its speed.
    package var commands: Int

    /// A player.
    package init(position: MediaTime, isRunning: Bool, commands: Int) {
      self.position = position
      self.isRunning = isRunning
      self.commands = commands
    }
  }

  /// What a notification says.
  package struct Notice: Equatable, Sendable {
    package var title: String
    package var body: String

    /// What one says.
    package init(title: String, body: String = "") {
      self.title = title
      self.body = body
    }

    /// What it is called: its first text.
    package var name: String { title.isEmpty ? body : title }

    /// Whether it says that, and not only as a part of something longer.
    func says(_ text: String) -> Bool { text == title || text == body }
  }

  package var connection = Connection.connecting
  /// `nil` while eligible, else the reason's stable name.
  package var ineligibility: String? = "notConnected"
  package var session = Session.none
  /// Who takes part, by name, sorted; keepers are nobody.
  package var participants: [String] = []
  /// Whose connection is lost, by name, sorted.
  package var lost: [String] = []
  /// Who is ready to watch, as was said, by name, sorted.
  package var ready: [String] = []
  /// This peer's role in the session.
  package var role: String?
  package var phase = Phase.none
  /// Where the group is, as this peer reckons.
  package var groupPosition: MediaTime?
  package var rate = 1.0
  /// Whom the group waits for, by name, sorted.
  package var waitingFor: [String] = []
  /// Why this peer is suspended, by reason.
  package var suspensions: [String] = []
  package var item: String?
  package var queue: [String] = []
  /// What the last activation came to.
  package var outcome: String?
  /// The code of the last request that was refused since this peer last did something.
  package var refusal: String?
  /// Messages received in the session, oldest first.
  package var heard: [String] = []
  /// The campaign whose message is on screen.
  package var message: String?
  /// The campaigns whose messages wait on the stack, the next one first.
  package var stack: [String] = []
  /// The notifications that stand on this device, in the order they came to.
  package var notifications: [Notice] = []
  /// Those that went since this peer last did something, without its doing.
  package var withdrawn: [Notice] = []
  /// Whether a silent notification came since this peer last did something.
  package var isToldSilently = false
  /// The parts of a session that this device follows: their fields, as it knows them.
  package var mirrors: [String: [String: String]] = [:]
  /// What became of the session's invitations, by person, as this peer was told.
  package var invitations: [String: String] = [:]
  package var player: Player?

  /// A peer that has done nothing yet.
  package init() {}
}
