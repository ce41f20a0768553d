import Vocabulary

/// What all peers together were told, over all the server's lives, and whatever is wrong with it.
///
/// Whoever was told a thing once was told for good: an event of that number never says anything
/// else to anybody, and nothing that was acknowledged is ever missing.
final class Ledger {
  /// One session as it was told.
  struct SessionRecord {
    /// Who was told what under which number: a line, the same for everybody.
    fileprivate var lines: [Int: String] = [:]
    fileprivate var waiting: [Int: JSONValue] = [:]
    /// Numbers that nobody was told, since all resumed behind them.
    fileprivate var holes: Set<Int> = []
    /// The numbers under which a thing that was asked once took place.
    fileprivate var places: [String: [Int]] = [:]
    /// Whether somebody came back and was told only that their part was over, not what came before.
    fileprivate var isCutShort = false
    fileprivate var latest = 0
    fileprivate(set) var state: SessionState
    let group: String

    /// Whether nobody was told what took place under a number: everybody was elsewhere, it was
    /// withheld from those who were there, or the last one there had left when they came back.
    fileprivate func isUnseen(_ seq: Int) -> Bool {
      if isCutShort, seq > state.seq { return true }
      return holes.contains(seq) || lines[seq]?.contains(#""withheld""#) == true
    }
  }

  private(set) var sessions: [String: SessionRecord] = [:]
  private(set) var violations: [String] = []
  /// How often somebody who resumed got a snapshot instead of what was missed.
  var snapshotResumptions = 0
  private var groupLines: [String: [Int: String]] = [:]
  private var acknowledged: [(key: String, session: String, seq: Int)] = []
  private var refused: [(key: String, session: String)] = []
  private var uniques = 0
  /// The group's time less this host's, from below and from above, in microseconds.
  private var clock: (low: Int64, high: Int64)?
  /// When it is, for complaints.
  var moment = ""

  /// A server under load stamps what it heard when it woke for it.
  private static let clockTolerance: Int64 = 250_000

  func complain(_ what: String) { violations.append("\(moment): \(what)") }

  /// A number that nothing else in this run has.
  func unique() -> Int {
    uniques += 1
    return uniques
  }

  /// How many acknowledgements of things that can be told apart there were.
  var acknowledgementCount: Int { acknowledged.count }

  var eventCount: Int { sessions.values.reduce(0) { $0 + $1.lines.count } }

  /// The sessions of a group that are over, as somebody was told.
  func endedSessions(of group: String) -> [String] {
    sessions.filter { $0.value.group == group && $0.value.state.ending != nil }.keys.sorted()
  }
}

// MARK: What peers are told

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
    // One that everybody else resumed behind changes nothing any more.
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

  /// Whether the group's time goes on as one clock, whatever server tells it.
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

// MARK: Judging

extension Ledger {
  func compare(_ told: SessionState, _ known: SessionState, _ what: String) {
    let differences = told.differences(from: known)
    if !differences.isEmpty {
      complain("\(what) is not as told: " + differences.joined(separator: "; "))
    }
  }

  /// All that was acknowledged took place, once and there where it was said; all that was refused
  /// did not.
  func checkAcknowledgements() {
    for (key, id, seq) in acknowledged {
      let places = sessions[id]?.places[key] ?? []
      if places.isEmpty, sessions[id]?.isUnseen(seq) == true { continue }
      // An acknowledgement names the last event of several.
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
  /// What only one request of the whole run can have brought about; `nil` of other events.
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
