import Vocabulary

/// Everything that the server told its peers across all its lives, and all contradictions found.
///
/// What the server has told once stays true: an event's number never has another content, and
/// nothing acknowledged is ever missing.
final class Ledger {
  /// One session as its peers know it.
  struct SessionRecord {
    /// The event of each number as a line, which must be the same for everybody.
    fileprivate var lines: [Int: String] = [:]
    fileprivate var waiting: [Int: JSONValue] = [:]
    /// Numbers that no peer received, because all resumed after them.
    fileprivate var holes: Set<Int> = []
    /// The numbers of the events that each unique request caused.
    fileprivate var places: [String: [Int]] = [:]
    /// Whether somebody came back and was told only that their part was over, not what came before.
    fileprivate var isCutShort = false
    fileprivate var latest = 0
    fileprivate(set) var state: SessionState
    let group: String

    /// Whether no peer received the event of this number: all were away, it was withheld from
    /// those who were there, or the last of them had left when they came back.
    fileprivate func isUnseen(_ seq: Int) -> Bool {
      if isCutShort, seq > state.seq { return true }
      return holes.contains(seq) || lines[seq]?.contains(#""withheld""#) == true
    }
  }

  private(set) var sessions: [String: SessionRecord] = [:]
  private(set) var violations: [String] = []
  private var groupLines: [String: [Int: String]] = [:]
  private var acknowledged: [(key: String, session: String, seq: Int)] = []
  /// Whether the journal may be unavailable, so that requests are refused for that.
  var mayFail = false
  /// Whether servers in front of the one that decides tell peers to come back.
  var mayBeSentBack = false
  private var refused: [(key: String, session: String)] = []
  private var uniques = 0
  /// Lower and upper bound of the group's time minus this host's time, in microseconds.
  private var clock: (low: Int64, high: Int64)?
  /// The current moment, for complaints.
  var moment = ""

  /// A server under load timestamps a message when it wakes to read it.
  private static let clockTolerance: Int64 = 250_000

  func complain(_ what: String) { violations.append("\(moment): \(what)") }

  /// A number that is unique in this run.
  func unique() -> Int {
    uniques += 1
    return uniques
  }

  /// How many acknowledgements of unique requests there were.
  var acknowledgementCount: Int { acknowledged.count }

  /// The ended sessions of a group, as far as peers were told.
  func endedSessions(of group: String) -> [String] {
    sessions.filter { $0.value.group == group && $0.value.state.ending != nil }.keys.sorted()
  }
}

// MARK: Messages to peers

extension Ledger {
  func hearSnapshot(_ snapshot: JSONValue) {
    guard let id = snapshot["session"].text else { return complain("a snapshot of nothing") }
    let told = SessionState(snapshot: snapshot)
    guard let known = sessions[id] else {
      sessions[id] = SessionRecord(state: told, group: snapshot["group"].text ?? "")
      return
    }
    if told.seq == known.state.seq {
      compare(told, known.state, "a snapshot of \(id)")
    } else if told.seq > known.state.seq {
      sessions[id]?.holes.formUnion(known.state.seq + 1...told.seq)
      sessions[id]?.state = told
      catchUp(id)
    }
  }

  func hearEvent(_ line: String, _ event: JSONValue, of id: String) {
    guard let seq = event["seq"].int, sessions[id] != nil else {
      return complain("an event of a session that nobody has a snapshot of: \(line)")
    }
    let isWithheld = event["type"].text == "withheld"
    if let known = sessions[id]?.lines[seq] {
      let wasWithheld = known.contains(#""withheld""#)
      guard known != line, !isWithheld, !wasWithheld else {
        if wasWithheld { note(line, event, seq, id) }
        return
      }
      return complain("event \(seq) of \(id) was\n  \(known)\nand is\n  \(line)")
    }
    note(line, event, seq, id)
    // Ignores an event that all other peers resumed after.
    guard let state = sessions[id]?.state, seq > state.seq else { return }
    sessions[id]?.waiting[seq] = event
    catchUp(id)
  }

  private func note(_ line: String, _ event: JSONValue, _ seq: Int, _ id: String) {
    sessions[id]?.lines[seq] = line
    if let key = event.uniqueKey { sessions[id]?.places[key, default: []].append(seq) }
  }

  private func catchUp(_ id: String) {
    while let state = sessions[id]?.state,
      let event = sessions[id]?.waiting.removeValue(forKey: state.seq + 1)
    {
      sessions[id]?.state.apply(event)
      guard let at = event["at"].int else { continue }
      if at < sessions[id]?.latest ?? 0 { complain("time went back in \(id): \(event)") }
      sessions[id]?.latest = at
    }
  }

  /// Somebody came back to hear that they take no part in a session any more.
  func hearEnd(of id: String) { sessions[id]?.isCutShort = true }

  func hearGroupEvent(_ line: String, seq: Int, of group: String) {
    if let known = groupLines[group]?[seq], known != line {
      complain("event \(seq) of the group \(group) was\n  \(known)\nand is\n  \(line)")
    }
    groupLines[group, default: [:]][seq] = line
  }

  func acknowledge(_ key: String, in session: String, seq: Int) {
    acknowledged.append((key, session, seq))
  }

  func refuse(_ key: String, in session: String) { refused.append((key, session)) }

  /// Checks that the group's time is one continuous clock across servers.
  func hearTime(sent: HostTime, heard: Int64, answered: Int64, at received: HostTime) {
    let low = answered - received.microseconds
    let high = heard - sent.microseconds
    let known = clock ?? (low, high)
    if low > known.high + Self.clockTolerance || high < known.low - Self.clockTolerance {
      complain("the group's time was \(known.low)…\(known.high) µs ahead, and is \(low)…\(high)")
    }
    clock = (max(known.low, low), min(known.high, high))
  }
}

// MARK: Checks

extension Ledger {
  func compare(_ told: SessionState, _ known: SessionState, _ what: String) {
    let differences = told.differences(from: known)
    if !differences.isEmpty {
      complain("\(what) is not as told: " + differences.joined(separator: "; "))
    }
  }

  /// Checks that everything acknowledged happened exactly once and in its place, and that nothing
  /// refused happened.
  func checkAcknowledgements() {
    for (key, id, seq) in acknowledged {
      let places = sessions[id]?.places[key] ?? []
      if places.isEmpty, sessions[id]?.isUnseen(seq) == true { continue }
      // An acknowledgement of several events names the last one.
      guard places.count == 1, places[0] <= seq else {
        complain("\(key) was acknowledged as \(seq) of \(id), and is \(places)")
        continue
      }
    }
    for (key, id) in refused {
      if let places = sessions[id]?.places[key] {
        complain("\(key) was refused, and is \(places) of \(id)")
      }
    }
    for (id, session) in sessions {
      for (key, places) in session.places where places.count > 1 {
        complain("\(key) took place more than once in \(id): \(places)")
      }
      if !session.waiting.isEmpty {
        complain("events of \(id) are missing before \(session.waiting.keys.sorted())")
      }
    }
  }
}

extension JSONValue {
  /// A key that only one request of the run can cause; `nil` for other events.
  fileprivate var uniqueKey: String? {
    switch self["event"].text {
    case "inserted": self["entries"].elements.first?["title"].text
    case "messageSent": self["payload"].text
    case "activitySet": self["activity"]?["metadata"]?["title"].text
    case "timelineSet":
      self["action"].text == "seek" ? self["mediaTime"].int.map { "seek \($0)" } : nil
    default: nil
    }
  }
}
