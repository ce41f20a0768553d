import Coordination
import GroupSessions
import Journals
import Naming
import Playback
import Vocabulary
import Wire

/// An export of a small journal: a group, its two members, and their session.
struct SampleExport {
  static let began = Instant(microseconds: 1_795_254_916_000_000)
  static let ann = Identity(user: "ann", device: "ann-1", name: "Ann")
  static let ben = Identity(user: "ben", device: "ben-1", name: "Ben")
  static let session: SessionID = "s-1"
  static let film = MediaItem(item: "film", title: "The Film", url: "film.mp4")

  /// The session's events, one second apart.
  static let events: [SessionEvent] = [
    .began(
      SessionBeginning(
        group: "friday",
        activity: GroupActivity(
          type: "watch", payload: JSONText(validated: #"{"n":[1.5,"é\n"]}"#),
          metadata: GroupActivityMetadata(title: "Friday's film"), media: film),
        initiator: ann, joinBy: began + .seconds(60))),
    .joined(Participant(id: "p-a", identity: ann, role: .host, joinedAt: began + .seconds(1))),
    .joined(Participant(id: "p-b", identity: ben, role: .guest, joinedAt: began + .seconds(2))),
    .playback(.itemSelected("film", by: "p-a")),
    .playback(
      .timelineSet("film", .paused(at: .zero), rate: .normal, action: .propose, by: "p-a")),
    .messageSent(JSONText(validated: #""hello""#), to: .all, by: "p-b"),
    .lost("p-b", until: began + .seconds(40)),
  ]

  static func at(_ seq: Int) -> Instant { began + .seconds(seq - 1) }

  static func state(at seq: Int) -> GroupSession? {
    guard case .began(let beginning) = events[0] else { return nil }
    var session = GroupSession(id: session, beginning)
    for number in 2...max(seq, 2) where number <= seq {
      session.evolve(events[number - 1], at: at(number))
    }
    return session
  }

  /// The events of the session that are included, and the position of its snapshot.
  var kept = 1...events.count
  var snapshot: Int?
  var ended: Instant?

  var lines: [String] {
    var writer = RecordWriter()
    func event(_ stream: Int, _ seq: Int, _ event: AggregateEvent) -> String {
      #"{"type":"event","stream":\#(stream),"seq":\#(seq),"at":\#(Self.at(seq).microseconds),"#
        + #""format":1,"body":\#(writer.text(of: event))}"#
    }
    func stream(_ number: Int, _ kind: String, _ name: String, _ ended: Instant? = nil) -> String {
      let end = ended.map { #","ended":\#($0.microseconds)"# } ?? ""
      return #"{"type":"stream","stream":\#(number),"kind":"\#(kind)","name":"\#(name)","#
        + #""began":\#(Self.began.microseconds)\#(end)}"#
    }
    var lines = [
      #"{"type":"journal","export":1,"format":1,"devices":true}"#,
      #"{"type":"clock","boot":"b","host":5,"instant":\#(Self.began.microseconds)}"#,
      stream(1, "group", "friday"),
      event(1, 1, .group(.opened(by: "ann"))),
      event(1, 2, .group(.memberJoined(Member(identity: Self.ann)))),
      event(1, 3, .group(.memberJoined(Member(identity: Self.ben)))),
      event(1, 4, .group(.sessionStarted(Self.session, by: "ann-1"))),
      stream(2, "session", Self.session.text, ended),
    ]
    for seq in kept { lines.append(event(2, seq, .session(Self.events[seq - 1]))) }
    if let snapshot, let state = Self.state(at: snapshot) {
      lines.append(
        #"{"type":"snapshot","stream":2,"seq":\#(snapshot),"at":\#(Self.at(snapshot).microseconds),"#
          + #""format":1,"body":\#(writer.text(of: .session(state)))}"#)
    }
    for (number, identity) in [(3, Self.ann), (4, Self.ben)] {
      let greeting = Greeting(
        identity: identity, token: Secret(high: 1, low: UInt64(number)),
        understandsSessions: true)
      lines += [
        stream(number, "device", identity.device.text),
        event(number, 1, .device(.greeted(greeting))),
      ]
    }
    lines.append(
      #"{"type":"answer","stream":4,"slot":1,"number":1,"request":7,"format":1,"#
        + #""body":\#(writer.text(of: RequestOutcome.refused(ProtocolError(.busy))))}"#)
    return lines + [#"{"type":"end","lines":\#(lines.count)}"#]
  }
}
