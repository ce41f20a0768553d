/// A session's state, computed from its snapshot and events by the protocol document alone, without
/// the server's code.
struct SessionState: Equatable {
  struct Person: Equatable {
    var device: String?
    var role: String?
    var joinedAt: Int?
    /// 1 is ready to watch, 0 is not ready, and `nil` is unstated.
    var ready: Int?
    var lostUntil: Int?
    var item: String?
    var readySeq: Int?
    var endedSeq: Int?
    var suspensions: [Suspension] = []
  }

  struct Suspension: Equatable {
    let number: Int?
    let reason: String?
    let isImposed: Bool
  }

  private(set) var seq: Int
  private(set) var activity: JSONValue?
  private(set) var revision: Int
  private(set) var control: String?
  private(set) var waitingPolicy: JSONValue?
  private(set) var dismissalPolicy: String
  private(set) var people: [String: Person] = [:]
  /// The state of each person's invitation.
  private(set) var invitations: [String: String] = [:]
  private(set) var timelines: [String: [String: JSONValue]] = [:]
  private(set) var queue: QueueState
  /// Why it ended; `nil` while it is live.
  private(set) var ending: String?

  private static let timelineFields = [
    "phase", "mediaTime", "rate", "anchor", "approach", "due", "patience",
  ]

  /// Decodes the state in a snapshot or a status report.
  init(snapshot: JSONValue) {
    seq = snapshot["seq"].int ?? 0
    activity = snapshot["activity"]
    revision = snapshot["revision"].int ?? 0
    control = snapshot["control"].text
    waitingPolicy = snapshot["waitingPolicy"]
    dismissalPolicy = snapshot["dismissalPolicy"].text ?? "endsWithInitiator"
    queue = QueueState(snapshot["queue"])
    ending = snapshot["reason"].text
    for person in snapshot["participants"].elements {
      var known = Self.person(person)
      known.lostUntil = person["lostUntil"].int
      known.ready = person["ready"].int
      known.item = person["item"].text
      known.readySeq = person["readySeq"].int
      known.endedSeq = person["endedSeq"].int
      known.suspensions = person["suspensions"].elements.map(Self.suspension)
      people[person["participant"].text ?? ""] = known
    }
    for invitation in snapshot["invitations"].elements {
      invitations[invitation["user"].text ?? ""] = invitation["state"].text
    }
    for timeline in snapshot["timelines"].elements {
      timelines[timeline["item"].text ?? ""] = timeline.only(
        Self.timelineFields + ["seq", "duration", "keptUntil"])
    }
  }

  private static func person(_ value: JSONValue) -> Person {
    Person(
      device: value["device"].text, role: value["role"].text, joinedAt: value["joinedAt"].int)
  }

  private static func suspension(_ value: JSONValue) -> Suspension {
    Suspension(
      number: value["suspension"].int, reason: value["reason"].text,
      isImposed: value["imposed"].isTrue)
  }

  /// The participant on a device.
  func participant(on device: String) -> String? {
    people.first { $0.value.device == device }?.key
  }

  /// Describes the parts in which two states differ.
  func differences(from other: SessionState) -> [String] {
    var found: [String] = []
    func compare<Part: Equatable>(_ name: String, _ part: (SessionState) -> Part) {
      if part(self) != part(other) { found.append("\(name): \(part(self)) ≠ \(part(other))") }
    }
    compare("seq", \.seq)
    compare("activity", \.activity)
    compare("revision", \.revision)
    compare("control", \.control)
    compare("waiting policy", \.waitingPolicy)
    compare("dismissal policy", \.dismissalPolicy)
    compare("people", \.people)
    compare("invitations", \.invitations)
    compare("timelines", \.timelines)
    compare("queue", \.queue)
    compare("ending", \.ending)
    return found
  }
}

// MARK: Events

extension SessionState {
  /// Applies the next event.
  mutating func apply(_ event: JSONValue) {
    seq += 1
    let by = event["by"].text
    let who = event["participant"].text ?? ""
    switch event["event"].text {
    case "joined": people[who] = Self.person(event)
    case "left": people[who] = nil
    case "lost": people[who]?.lostUntil = event["until"].int
    case "resumed": people[who]?.lostUntil = nil
    case "interrupted":
      for id in people.keys where people[id]?.lostUntil == nil {
        people[id]?.lostUntil = event["until"].int
      }
    case "roleSet": people[who]?.role = event["role"].text
    case "readinessSet": people[who]?.ready = event["ready"].int
    case "controlSet": control = event["control"].text
    case "waitingPolicySet": waitingPolicy = event["waitingPolicy"]
    case "dismissalPolicySet": dismissalPolicy = event["dismissalPolicy"].text ?? ""
    case "invited": setInvitations(event, to: "pending")
    case "invitationAnswered": invitations[event["user"].text ?? ""] = event["answer"].text
    case "invitationsRevoked": setInvitations(event, to: "revoked")
    case "invitationsExpired": setInvitations(event, to: "expired")
    case "activitySet":
      activity = event["activity"]
      revision = event["revision"].int ?? 0
      queue.play(event["activity"]?["media"], addedBy: by)
    case "ended":
      ending = event["reason"].text
      (people, invitations, timelines, queue) = ([:], [:], [:], QueueState(nil))
    default: applyToPlayback(event, by: by, who: who)
    }
  }

  private mutating func setInvitations(_ event: JSONValue, to state: String) {
    for user in event["users"].elements { invitations[user.text ?? ""] = state }
  }

  private mutating func applyToPlayback(_ event: JSONValue, by: String?, who: String) {
    let item = event["item"].text
    switch event["event"].text {
    case "itemSelected": select(item, by: by ?? "")
    case "timelineSet": set(item ?? "", event)
    case "itemAdvanced":
      set(item ?? "", event)
      for (id, person) in people
      where person.item == event["from"].text && person.suspensions.allSatisfy(\.isImposed) {
        select(item, by: id)
      }
    case "durationLearned": timelines[item ?? ""]?["duration"] = event["duration"]
    case "timelineUnattended": timelines[item ?? ""]?["keptUntil"] = event["until"]
    case "timelineDropped": timelines[item ?? ""] = nil
    case "readied": people[who]?.readySeq = event["answers"].int
    case "finished": people[who]?.endedSeq = event["answers"].int
    case "suspensionBegan": people[who]?.suspensions.append(Self.suspension(event))
    case "suspensionEnded":
      people[who]?.suspensions.removeAll { $0.number == event["suspension"].int }
    case "selected":
      queue.apply(event)
      activity = activity?.with("media", queue.media)
      revision += 1
    default: queue.apply(event)
    }
  }

  private mutating func select(_ item: String?, by id: String) {
    people[id]?.item = item
    people[id]?.readySeq = nil
    people[id]?.endedSeq = nil
    if let item { timelines[item]?["keptUntil"] = nil }
  }

  private mutating func set(_ item: String, _ event: JSONValue) {
    var timeline = (timelines[item] ?? [:]).filter { !Self.timelineFields.contains($0.key) }
    timeline.merge(event.only(Self.timelineFields)) { _, new in new }
    timeline["seq"] = .number(Double(seq))
    timelines[item] = timeline
  }
}
