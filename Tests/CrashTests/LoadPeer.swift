import EventLoops
import Vocabulary

/// A peer that sends all kinds of requests and checks the server's answers.
///
/// It implements the protocol itself. After each crash it resumes with its token and last number,
/// and repeats its unanswered requests and some of the answered ones.
final class LoadPeer {
  struct Asked {
    let line: String
    /// Identifies the request among all of the run, if it is unique.
    let key: String?
    /// The session in which it was sent.
    let session: String?
    let type: String
    /// Whether an earlier server was asked, and did not answer.
    var isRepeated = false
    var answer: String?
  }

  let device: String
  let group: String
  let ledger: Ledger
  private let loop: EventLoop
  /// Called for each received line.
  private let onLine: (LoadPeer) -> Void
  private lazy var connection = LoadConnection(
    on: loop, onOpen: { [unowned self] in greet() },
    onLine: { [unowned self] line in
      hear(line)
      onLine(self)
    })
  private var token: String?
  private var groupSeq = 0
  private(set) var isMember = false
  private var members: Set<String> = []
  /// The group members that are lost, as far as this peer was told.
  private(set) var lostMembers: Set<String> = []
  private(set) var isEligible = false
  private(set) var offer: String?
  private(set) var session: String?
  private(set) var participant: String?
  /// Whether its join was answered and the snapshot is pending.
  private(set) var isJoining = false
  private(set) var seq = 0
  private(set) var asked: [Int: Asked] = [:]
  /// How many answers the connection before expected, if its server was in front of the one that
  /// decides: this one gets those to requests that were still under way there.
  private var overtaken: [Int: Int] = [:]
  /// How many answers this connection expects for each request.
  private(set) var awaited: [Int: Int] = [:]
  private var nextID = 1
  /// The last status report.
  private(set) var status: JSONValue?
  /// A barrier that waits for this peer's readiness.
  var barrier: (item: String, seq: Int)?
  var chance: SplitMix64

  init(
    _ device: String, in group: String, ledger: Ledger, seed: UInt64, on loop: EventLoop,
    onLine: @escaping (LoadPeer) -> Void
  ) {
    self.device = device
    self.group = group
    self.ledger = ledger
    self.loop = loop
    self.onLine = onLine
    chance = SplitMix64(seed: seed)
  }

  var state: SessionState? { session.flatMap { ledger.sessions[$0]?.state } }

  private func complain(_ what: String) { ledger.complain("\(device): \(what)") }
}

@available(*, unavailable)
extension LoadPeer: Sendable {}

// MARK: Connection

extension LoadPeer {
  var link: LoadConnection.Link { connection.link }

  func connect(to port: UInt16) throws(EndpointError) { try connection.connect(to: port) }

  func say(_ line: String) { connection.say(line) }

  func lose() { connection.lose() }

  private func greet() {
    var fields = #""type":"hello","user":"u-\#(device)","device":"\#(device)","name":"\#(device)""#
    if let token {
      let place = session.map { #","session":"\#($0)","seq":\#(seq)"# } ?? ""
      fields += #","resume":{"token":"\#(token)"\#(place)}"#
    }
    say("{\(fields)}")
    if ledger.mayBeSentBack { overtaken = awaited }
    awaited = [:]
    isJoining = false
    status = nil
    barrier = nil
  }
}

// MARK: Requests

extension LoadPeer {
  /// Sends a request; `fields` follow the `id`.
  @discardableResult
  func ask(_ type: String, _ fields: String = "", key: String? = nil) -> Int {
    let id = nextID
    nextID += 1
    let rest = fields.isEmpty ? "" : "," + fields
    let line = #"{"type":"\#(type)","id":\#(id)\#(rest)}"#
    if type != "status" {
      asked[id] = Asked(line: line, key: key, session: session, type: type)
    }
    send(id, line)
    return id
  }

  private func send(_ id: Int, _ line: String) {
    awaited[id, default: 0] += 1
    say(line)
  }

  /// Repeats the unanswered requests in their order, mixed with some answered ones.
  private func repeatRequests() {
    var ids = asked.filter { $0.value.answer == nil }.keys.sorted()
    for id in ids { asked[id]?.isRepeated = true }
    // Stays well within the 256 answers that a server remembers.
    let answered = asked.filter { $0.value.answer != nil && $0.key > nextID - 200 }.keys.sorted()
    for _ in 0..<5 {
      guard let id = answered.randomElement(using: &chance) else { break }
      ids.insert(id, at: Int.random(in: 0...ids.count, using: &chance))
    }
    for id in ids { if let line = asked[id]?.line { send(id, line) } }
  }

  private func hearAnswer(_ id: Int, _ line: String, _ value: JSONValue) {
    guard takeAwaited(id) else { return complain("nobody asked for \(line)") }
    guard let request = asked[id] else { return }
    if ledger.mayFail, value["code"].text == "journalUnavailable" {
      // This is no answer that is remembered.
      asked[id] = nil
      return
    }
    if let answer = request.answer {
      if answer != line {
        complain("\(request.line) was answered\n  \(answer)\nand then\n  \(line)")
      }
      return
    }
    asked[id]?.answer = line
    if value["type"].text == "ok" {
      accept(request, value)
    } else {
      refuse(request, value["code"].text ?? "", line)
    }
  }

  /// Counts an answer off; false if none is due.
  private func takeAwaited(_ id: Int) -> Bool {
    if let count = awaited[id] {
      awaited[id] = count > 1 ? count - 1 : nil
      return true
    }
    guard let count = overtaken[id] else { return false }
    overtaken[id] = count > 1 ? count - 1 : nil
    return true
  }

  private func accept(_ request: Asked, _ value: JSONValue) {
    switch request.type {
    case "joinGroup": isMember = true
    case "join":
      isJoining = session == nil
      // A peer that resumed already has its snapshot and its participant id.
      if session != nil, session == value["session"].text, participant != value["participant"].text
      {
        complain("joined as \(value["participant"].text ?? ""), was \(participant ?? "")")
      }
    default: break
    }
    if let key = request.key, let session = request.session {
      guard let seq = value["seq"].int else {
        return complain("\(key) was acknowledged without a number")
      }
      ledger.acknowledge(key, in: session, seq: seq)
    }
  }

  private static let mistakes: Set = [
    "invalidField", "unknownType", "rateLimited", "journalUnavailable", "busy", "notEligible",
  ]

  private func refuse(_ request: Asked, _ code: String, _ line: String) {
    // Who is back before the others is alone for a moment; so is, while its request is under way,
    // who hears first that the others' connections broke.
    let isAlone = code == "notEligible" && (request.isRepeated || !isEligible)
    if Self.mistakes.contains(code), !isAlone { complain("\(request.line) was refused: \(line)") }
    if request.type == "join" { offer = nil }
    if let key = request.key, let session = request.session { ledger.refuse(key, in: session) }
  }
}

// MARK: Answers and events

extension LoadPeer {
  private func hear(_ line: String) {
    guard let value = JSONValue(line: line), let type = value["type"].text else {
      return complain("said what is no message: \(line)")
    }
    switch type {
    case "welcome": enter(value)
    case "ok": hearAnswer(value["id"].int ?? 0, line, value)
    case "error":
      if let id = value["id"].int { hearAnswer(id, line, value) } else { hearError(value, line) }
    case "status":
      awaited[value["id"].int ?? 0] = nil
      status = value
    case "pong":
      ledger.hearTime(
        sent: HostTime(microseconds: Int64(value["sent"].int ?? 0)),
        heard: Int64(value["heard"].int ?? 0), answered: Int64(value["answered"].int ?? 0),
        at: loop.now)
    case "eligibility": isEligible = value["eligible"].isTrue
    case "group": enterGroup(value)
    case "groupEvent": hearGroupEvent(value, line)
    case "closing" where ledger.mayBeSentBack && value["code"].text == "shuttingDown": break
    case "closing": complain("was hung up on: \(line)")
    default: hearOfSession(type, value, line)
    }
  }

  private func enter(_ welcome: JSONValue) {
    connection.noteWelcome()
    if token != nil {
      if !welcome["resumed"].isTrue { complain("is welcome, but not resumed") }
      if welcome["token"].text != token { complain("got another token") }
    }
    token = welcome["token"].text
    say(#"{"type":"ping","sent":\#(loop.now.microseconds)}"#)
    repeatRequests()
  }

  private func hearError(_ error: JSONValue, _ line: String) {
    guard error["code"].text == "resumeRefused", !asked.contains(where: { $0.value.answer != nil })
    else {
      let known = session.flatMap { ledger.sessions[$0]?.state.ending } ?? "goes on"
      return complain("was told \(line) at \(seq), and the session: \(known)")
    }
    // Nothing was acknowledged, so the server need not know this device.
    token = nil
    greet()
  }

  private func enterGroup(_ group: JSONValue) {
    groupSeq = group["seq"].int ?? 0
    let told = group["members"].elements
    members = Set(told.compactMap { $0["device"].text })
    lostMembers = Set(told.filter { $0["lostUntil"] != nil }.compactMap { $0["device"].text })
  }

  private func hearGroupEvent(_ event: JSONValue, _ line: String) {
    let seq = event["seq"].int ?? 0
    if seq != groupSeq + 1 { complain("event \(seq) of the group came after \(groupSeq)") }
    groupSeq = seq
    ledger.hearGroupEvent(line, seq: seq, of: group)
    let device = event["device"].text ?? ""
    switch event["event"].text {
    case "memberJoined": members.insert(device)
    case "memberLeft":
      members.remove(device)
      lostMembers.remove(device)
    case "memberLost": lostMembers.insert(device)
    case "memberResumed": lostMembers.remove(device)
    case "interrupted": lostMembers = members
    default: break
    }
  }

  private func hearOfSession(_ type: String, _ value: JSONValue, _ line: String) {
    let id = value["session"].text
    switch type {
    case "offer": offer = id
    case "offerWithdrawn": if offer == id { offer = nil }
    case "snapshot": enterSession(value)
    case "event", "withheld": hearEvent(value, line)
    case "sessionOver", "sessionLeft":
      if session != id { complain("hears of the end of another session: \(line)") }
      if let id { ledger.hearEnd(of: id) }
      session = nil
      offer = type == "sessionLeft" ? id : nil
    default: break
    }
  }

  private func enterSession(_ snapshot: JSONValue) {
    let who = snapshot["participant"].text
    if session != nil, session == snapshot["session"].text {
      if participant != who { complain("was \(participant ?? ""), and is \(who ?? "")") }
      let now = snapshot["seq"].int ?? 0
      if now < seq { complain("resumed at \(seq), and the session is at \(now)") }
      // Whoever missed nothing is told the state only if its return cannot be stored.
      if now == seq, !ledger.mayFail { complain("missed nothing, and got a snapshot") }
      // The load's events are too small for the other bound, that of bytes.
      if now > seq, now - seq <= Limits().retainedEvents {
        complain("missed the events from \(seq + 1) to \(now), and got a snapshot")
      }
    }
    session = snapshot["session"].text
    isJoining = false
    offer = nil
    participant = who
    seq = snapshot["seq"].int ?? 0
    ledger.hearSnapshot(snapshot)
  }

  private func hearEvent(_ event: JSONValue, _ line: String) {
    guard let id = session, event["session"].text == id else {
      return complain("takes part in \(session ?? "nothing"), and hears \(line)")
    }
    let number = event["seq"].int ?? 0
    if number != seq + 1 { complain("event \(number) of \(id) came after \(seq)") }
    seq = number
    ledger.hearEvent(line, event, of: id)
    switch event["event"].text {
    case "left" where event["participant"].text == participant:
      session = nil
      offer = id
    case "ended":
      session = nil
      offer = nil
    case "timelineSet" where event["phase"].text == "preparing",
      "itemAdvanced" where event["phase"].text == "preparing":
      barrier = event["item"].text.map { ($0, number) }
    default: break
    }
  }
}

extension LoadPeer {
  /// The peer's state, for a complaint.
  var standing: String {
    let missing = awaited.keys.sorted().compactMap { asked[$0]?.line }
    return "\(device): \(link), \(session ?? "no session") at \(seq), waits for \(missing)"
  }
}
