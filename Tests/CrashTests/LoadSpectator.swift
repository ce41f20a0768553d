import EventLoops

/// Somebody who watches a group's sessions from their audience, and checks what they are sent.
///
/// They resume after each break like everybody. A server that was started again knows nothing of
/// who was only visiting; then they come anew.
final class LoadSpectator {
  let device: String
  let group: String
  private let ledger: Ledger
  private let loop: EventLoop
  private lazy var connection = LoadConnection(
    on: loop, onOpen: { [unowned self] in greet() }, onLine: { [unowned self] in hear($0) })
  private var token: String?
  private var isInGroup = false
  private var offer: String?
  private var session: String?
  private var participant: String?
  private var seq = 0
  private var nextID = 1
  /// The requests that wait for an answer, by what they are.
  private var asked: [Int: String] = [:]
  /// How often this one has come into a session's audience.
  private(set) var arrivals = 0
  /// How many events of sessions this one has heard.
  private(set) var eventCount = 0

  init(_ device: String, in group: String, ledger: Ledger, on loop: EventLoop) {
    self.device = device
    self.group = group
    self.ledger = ledger
    self.loop = loop
  }

  var link: LoadConnection.Link { connection.link }

  /// The spectator's state, for a complaint.
  var standing: String {
    "\(device): \(link), \(session ?? "no session") at \(seq), waits for \(asked.values.sorted())"
  }

  /// Whether nothing is asked, and the session is as far as its participants know.
  var isCurrent: Bool {
    guard link == .online, asked.isEmpty else { return false }
    return session.flatMap { ledger.sessions[$0] }.map { $0.state.seq == seq } ?? true
  }

  func connect(to port: UInt16) throws(EndpointError) { try connection.connect(to: port) }

  func lose() { connection.lose() }

  /// Comes into the session once its participants have taken the places.
  func keepWatching(behind places: Int) {
    guard link == .online, isInGroup, session == nil, asked.isEmpty, let offer,
      let state = ledger.sessions[offer]?.state, state.ending == nil, state.people.count >= places
    else { return }
    ask("join", #""session":"\#(offer)""#)
  }

  private func complain(_ what: String) { ledger.complain("\(device): \(what)") }
}

@available(*, unavailable)
extension LoadSpectator: Sendable {}

extension LoadSpectator {
  private func greet() {
    var fields = #""type":"hello","user":"u-\#(device)","device":"\#(device)","name":"\#(device)""#
    fields += #","features":["sessions","audience"]"#
    if let token {
      let place = session.map { #","session":"\#($0)","seq":\#(seq)"# } ?? ""
      fields += #","resume":{"token":"\#(token)"\#(place)}"#
    }
    asked = [:]
    connection.say("{\(fields)}")
  }

  private func ask(_ type: String, _ fields: String) {
    connection.say(#"{"type":"\#(type)","id":\#(nextID),\#(fields)}"#)
    asked[nextID] = type
    nextID += 1
  }

  private func hear(_ line: String) {
    guard let value = JSONValue(line: line), let type = value["type"].text else {
      return complain("heard what is no message: \(line)")
    }
    switch type {
    case "welcome": enter(value)
    case "ok": asked[value["id"].int ?? 0] = nil
    case "error": hearError(value, line)
    case "group": isInGroup = true
    case "closing" where !ledger.mayBeSentBack || value["code"].text != "shuttingDown":
      complain("was hung up on: \(line)")
    case "offer": offer = value["session"].text
    case "offerWithdrawn": if offer == value["session"].text { offer = nil }
    case "snapshot": enterSession(value)
    case "event", "withheld": hearEvent(value, line)
    case "sessionOver", "sessionLeft":
      (session, offer) = (nil, type == "sessionLeft" ? value["session"].text : nil)
    default: break
    }
  }

  private func enter(_ welcome: JSONValue) {
    connection.noteWelcome()
    token = welcome["token"].text
    if !welcome["resumed"].isTrue { (isInGroup, session, offer) = (false, nil, nil) }
    if !isInGroup { ask("joinGroup", #""group":"\#(group)""#) }
  }

  private func hearError(_ error: JSONValue, _ line: String) {
    let code = error["code"].text ?? ""
    guard let id = error["id"].int else {
      guard code == "resumeRefused" else { return complain("was told \(line)") }
      (token, session) = (nil, nil)
      return greet()
    }
    let request = asked.removeValue(forKey: id)
    switch code {
    // The session is over, or its participants are away for a moment.
    case "sessionEnded", "unknownSession", "sessionFull", "notActivated": offer = nil
    case "notEligible": break
    case "journalUnavailable" where ledger.mayFail:
      if request == "joinGroup" { ask("joinGroup", #""group":"\#(group)""#) }
    default: complain("asked for \(request ?? "nothing"), and was told \(line)")
    }
  }

  private func enterSession(_ snapshot: JSONValue) {
    let state = SessionState(snapshot: snapshot)
    if session == snapshot["session"].text, state.seq < seq {
      complain("was at \(seq), and is sent a state of \(state.seq)")
    }
    if let who = snapshot["participant"].text, state.people[who] != nil {
      // A participant has left just now, and the place was free.
      ask("leave", #""session":"\#(snapshot["session"].text ?? "")""#)
    } else if session != snapshot["session"].text {
      arrivals += 1
    }
    (session, offer, seq) = (snapshot["session"].text, nil, state.seq)
    participant = snapshot["participant"].text
    ledger.hearSnapshot(snapshot)
  }

  private func hearEvent(_ event: JSONValue, _ line: String) {
    guard let id = session, event["session"].text == id else {
      return complain("watches \(session ?? "nothing"), and hears \(line)")
    }
    let number = event["seq"].int ?? 0
    if number != seq + 1 { complain("event \(number) of \(id) came after \(seq)") }
    seq = number
    eventCount += 1
    ledger.hearEvent(line, event, of: id)
    switch event["event"].text {
    // It had a place for a moment.
    case "left" where event["participant"].text == participant: (session, offer) = (nil, id)
    case "ended": (session, offer) = (nil, nil)
    default: break
    }
  }
}
