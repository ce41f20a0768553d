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

extension Observation {
  /// What is new against an earlier look, for people to read.
  func changes(since old: Observation) -> [String] {
    var texts: [String] = []
    func note(_ isNew: Bool, _ text: @autoclosure () -> String) {
      if isNew { texts.append(text()) }
    }
    note(connection != old.connection, connection.rawValue)
    note(ineligibility != old.ineligibility, eligibilityText)
    note(outcome != old.outcome && outcome != nil, outcome ?? "")
    note(session != old.session, session.text)
    note(
      participants != old.participants && session == .joined, "participants \(participants.listed)")
    note(lost != old.lost, lost.isEmpty ? "nobody lost" : "lost \(lost.listed)")
    note(ready != old.ready, "ready \(ready.listed)")
    note(item != old.item && item != nil, "item \(item ?? "")")
    note(queue != old.queue && !queue.isEmpty, "queue \(queue.joined(separator: " "))")
    note(suspensions != old.suspensions, suspensionText)
    note(phase != old.phase && phase != .none, phaseText)
    note(waitingFor != old.waitingFor && !waitingFor.isEmpty, "waiting for \(waitingFor.listed)")
    note(rate != old.rate, "rate \(rate)")
    for text in heard.dropFirst(old.heard.count) { texts.append("heard \"\(text)\"") }
    note(message != old.message, messageText)
    note(stack != old.stack, stackText)
    texts += notificationChanges(since: old)
    note(refusal != old.refusal && refusal != nil, "refused \(refusal ?? "")")
    note(isRunningAlone && !old.isRunningAlone, "plays alone")
    return texts
  }

  private var suspensionText: String {
    suspensions.isEmpty ? "back in" : "suspended: \(suspensions.joined(separator: " "))"
  }

  private var isRunningAlone: Bool { session == .none && player?.isRunning == true }
}

// What is seen of notifications and invitations, in the words of conditions.
extension Observation {
  /// What is new against an earlier look, for people to read.
  func notificationChanges(since old: Observation) -> [String] {
    var texts: [String] = []
    for notice in notifications where !old.notifications.contains(notice) {
      texts.append("notification \(notice.text)")
    }
    for notice in withdrawn where !old.withdrawn.contains(notice) {
      texts.append("withdrawn \(notice.name)")
    }
    if isToldSilently, !old.isToldSilently { texts.append("silent update") }
    for (part, fields) in mirrors.sorted(by: { $0.key < $1.key }) {
      guard let known = old.mirrors[part] else {
        texts.append("mirror \(part)")
        continue
      }
      let changes = fields.filter { known[$0.key] != $0.value }.sorted { $0.key < $1.key }
      guard !changes.isEmpty else { continue }
      let list = changes.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      texts.append("mirror \(part) \(list)")
    }
    for (person, state) in invitations.sorted(by: { $0.key < $1.key })
    where old.invitations[person] != state {
      texts.append("invitation \(person) \(state)")
    }
    return texts
  }

  var notificationText: String {
    guard !notifications.isEmpty else { return "no notification" }
    return "notifications \(notifications.map(\.text).joined(separator: ", "))"
  }

  var withdrawnText: String {
    guard !withdrawn.isEmpty else { return "nothing withdrawn" }
    return "withdrawn \(withdrawn.map(\.name).joined(separator: ", "))"
  }

  func mirrorText(_ part: String, _ field: String) -> String {
    guard let fields = mirrors[part] else { return "no mirror of \(part)" }
    return fields[field].map { "mirror \(part) \(field) \($0)" }
      ?? "mirror \(part) without \(field)"
  }

  func invitationText(_ person: String) -> String {
    "invitation \(person) \(invitations[person] ?? "unknown")"
  }
}

extension Observation.Notice {
  /// All it says, in a line.
  fileprivate var text: String {
    let rest = title.isEmpty || body.isEmpty ? "" : ": \(body)"
    return name + rest
  }
}
