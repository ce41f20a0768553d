import GroupSessions
import MatineeTerminal
import Participation
import Playback
import Vocabulary
import Wire

extension StatusReport {
  /// The report for people.
  func text(of server: String) -> String {
    let shown = "\(counted(peers, "connection")), \(counted(groups.count, "group"))"
    var lines = ["\(server): \(shown)"] + [obstacle].compactMap(\.self)
    if !servers.isEmpty { lines += [""] + serverTable.lines }
    for group in groups { lines += describe(group) }
    return lines.map(\.onOneLine).joined(separator: "\n")
  }

  /// The servers of the cluster, as they said last; one that is frozen stays for six seconds.
  private var serverTable: TextTable {
    var table = TextTable("SERVER", "VERSION", "CONNECTIONS", "STATE")
    for server in servers {
      let state = server.decides ? "decides" : "takes people in"
      table.add(
        server.id.text, server.version, "\(server.peers)",
        server.isDraining ? "\(state), sends them to the others" : state)
    }
    return table
  }

  private func describe(_ group: Group) -> [String] {
    let devices = group.people
    let people = Set(devices.map(\.user)).count
    let members = counted(devices.count, "member")
    // A person with two devices counts as two members.
    let counts = people == devices.count ? members : "\(members), \(people) people"
    let connected = "\(counts), \(devices.count { group.lost[$0.device] == nil }) connected"
    var lines = ["", "group \(group.id): \(connected)"]
    guard let session = sessions.first(where: { $0.id == group.session }) else {
      let names = group.peopleNames.joined(separator: ", ")
      let session = group.session == nil ? "no session" : "a session too large to show"
      return lines + ["  \(names); \(session)"]
    }
    let title = session.activity.currentTitle
    lines.append("  “\(title)”, started by \(session.initiator.name)\(stateText(session))")
    if let item = session.activity.media?.item, let timeline = session.playback.timelines[item] {
      lines.append("  \(timeline.text(at: at))")
    }
    return lines + (roster(of: session) + audience(of: session)).map { "    " + $0 }
  }

  private func audience(of session: GroupSession) -> [String] {
    guard let size = audiences.first(where: { $0.session == session.id })?.size, size.count > 0
    else { return [] }
    return ["watching besides: \(size.count)" + (size.slow == 0 ? "" : ", \(size.slow) slow")]
  }

  private func stateText(_ session: GroupSession) -> String {
    switch session.state {
    case .staged: ", staged, not activated yet"
    case .open: session.isDraining ? ", everyone is lost" : ""
    case .ended(let reason): ", ended: \(reason.text { session.participants[$0]?.name ?? $0.text })"
    }
  }

  private func roster(of session: GroupSession) -> [String] {
    let people = session.people
    guard !people.isEmpty else { return ["nobody has joined yet"] }
    var table = TextTable("NAME", "ROLE", "STATE", "OFFSET", "ROUND TRIP")
    var offsets: [Duration] = []
    for participant in people.sorted(by: { $0.name < $1.name }) {
      let place = places.first { $0.participant == participant.id }
      if let offset = place?.offset { offsets.append(offset) }
      table.add(
        participant.name, participant.role.rawValue, session.stateText(of: participant.id, at: at),
        place?.offset.millisecondsText ?? "-", place?.roundTripText ?? "-")
    }
    guard let first = offsets.max(), let last = offsets.min(), offsets.count > 1 else {
      return table.lines
    }
    return table.lines + ["spread \((first - last).millisecondsText)"]
  }
}

extension StatusReport.Place {
  /// The round trip, and that the clock is poor, if it is.
  fileprivate var roundTripText: String? {
    roundTrip.map { $0.millisecondsText + (isClockPoor() ? ", poor clock" : "") }
  }
}

extension GroupSession {
  /// A participant's state in a word or two, and whether they are ready, if they have said so.
  func stateText(of id: ParticipantID, at now: Instant?) -> String {
    let activity = activityText(of: id, at: now)
    guard let isReady = participants[id]?.isReadyToStart else { return activity }
    return activity + (isReady ? ", ready" : ", not ready")
  }

  private func activityText(of id: ParticipantID, at now: Instant?) -> String {
    if participants[id]?.isKeeper == true { return "keeps the session" }
    guard lost[id] == nil, let state = playback.participants[id] else { return "lost" }
    if let suspension = state.suspensions.first {
      let isAway = now.map(suspension.isAway(at:)) ?? false
      return isAway ? "away" : suspension.reason.spokenText
    }
    guard let item = state.item else { return "loading" }
    if watchesAnother(id) { return "watching “\(item)”" }
    let excess = excessLength(of: id).map { " a copy that is \($0.comparisonText)" }
    return "watching\(excess ?? "")"
  }
}

extension Timeline {
  /// The state and position of the item, for people.
  func text(at now: Instant) -> String {
    let place = position(at: now).clockText
    let speed = rate == .normal ? "" : " at \(rate.factor)×"
    let length = duration.map { " of \((MediaTime.zero + $0).clockText)" } ?? ""
    return switch phase {
    case .paused: "paused at \(place)\(length)"
    case .preparing(let barrier):
      barrier.isFrozen ? "waits at \(place) for someone to watch" : "getting ready at \(place)"
    case .playing: "playing at \(place)\(length)\(speed)"
    case .ended: "ended at \(place)"
    }
  }
}
