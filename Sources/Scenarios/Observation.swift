package import Vocabulary

/// What one peer knows and shows at a moment, in the vocabulary of scenarios.
package struct Observation: Equatable, Sendable {
  /// The state of a peer's connection.
  package enum Connection: String, Equatable, Sendable {
    case connecting
    case connected
    case reconnecting
    case closed
  }

  /// The state of a session for a peer.
  package enum Session: Equatable, Sendable {
    case none
    /// A member of the group staged it, and any member may begin it.
    case staged
    case offered
    case joining
    case joined
    /// It has ended for this peer, with the reason's stable name and the originator.
    case invalidated(String, by: String?)
  }

  /// What the group is doing, as far as this peer knows.
  package enum Phase: Equatable, Sendable {
    case none
    case paused(at: MediaTime)
    case preparing(from: MediaTime)
    case playing
    case ended
  }

  /// A player's actual state.
  package struct Player: Equatable, Sendable {
    /// Its actual position.
    package var position: MediaTime
    package var isRunning: Bool
    /// How many commands it got: loads, plays, pauses, seeks and changes of rate; in memory, also
    /// unloads.
    package var commands: Int

    package init(position: MediaTime, isRunning: Bool, commands: Int) {
      self.position = position
      self.isRunning = isRunning
      self.commands = commands
    }
  }

  /// The texts of a notification.
  package struct Notice: Equatable, Sendable {
    package var title: String
    package var body: String

    package init(title: String, body: String = "") {
      self.title = title
      self.body = body
    }

    /// The notification's first text, which names it.
    package var name: String { title.isEmpty ? body : title }

    /// Whether the title or the body is exactly this text.
    func says(_ text: String) -> Bool { text == title || text == body }
  }

  package var connection = Connection.connecting
  /// `nil` if eligible, otherwise the reason's stable name.
  package var ineligibility: String? = "notConnected"
  package var session = Session.none
  /// The participants' names, sorted, without keepers.
  package var participants: [String] = []
  /// How many watch as the audience.
  package var audience = 0
  /// The names of disconnected participants, sorted.
  package var lost: [String] = []
  /// The names of those who are ready to watch, sorted.
  package var ready: [String] = []
  /// This peer's role in the session.
  package var role: String?
  package var phase = Phase.none
  package var rate = 1.0
  /// The names of those whom the group waits for, sorted.
  package var waitingFor: [String] = []
  /// The reasons of this peer's suspensions.
  package var suspensions: [String] = []
  package var item: String?
  package var queue: [String] = []
  /// The outcome of the last activation.
  package var outcome: String?
  /// The code of the last refused request since this peer's last verb.
  package var refusal: String?
  /// Messages received in the session, oldest first.
  package var heard: [String] = []
  /// The campaign of the message on screen.
  package var message: String?
  /// The campaigns of the messages on the stack, the next one first.
  package var stack: [String] = []
  /// The notifications that stand on this device, in the order of their arrival.
  package var notifications: [Notice] = []
  /// The notifications withdrawn since this peer's last verb, except those it responded to.
  package var withdrawn: [Notice] = []
  /// Whether a silent notification came since this peer's last verb.
  package var isToldSilently = false
  /// The parts of a session that this device subscribed to, with their known fields.
  package var mirrors: [String: [String: String]] = [:]
  /// The states of the session's invitations by person, as far as this peer knows.
  package var invitations: [String: String] = [:]
  package var player: Player?

  /// A peer before its first verb.
  package init() {}
}

extension Observation {
  /// The differences to an earlier observation, as text.
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
    note(audience != old.audience, "audience \(audience)")
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

// Notifications and invitations.
extension Observation {
  /// The differences in notifications and invitations to an earlier observation, as text.
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
  /// The title and body on one line.
  fileprivate var text: String {
    let rest = title.isEmpty || body.isEmpty ? "" : ": \(body)"
    return name + rest
  }
}
