import Coordination
import GroupSessions
import InAppMessaging
import JSON
import Journals
import Naming
import Testing
import UserNotifications
import Vocabulary
import WireTesting

@testable import Wire

/// This build and later ones read a journal's records unchanged.
@Suite struct RecordCodingTests {
  private static let seeds: ClosedRange<UInt64> = 1...50
  private static let sessionEvents = SessionEvent.names

  private func expectSame(
    _ event: AggregateEvent, _ kind: AggregateKind, named name: String, _ seed: UInt64
  ) throws {
    var writer = RecordWriter()
    var reader = RecordReader()
    let text = writer.text(of: event)
    #expect(text.hasPrefix(#"{"event":"\#(name)""#))
    #expect(!text.contains("\n"))
    #expect(
      try reader.event(text, of: kind, format: JournalFormat.current) == event,
      "seed \(seed): \(text)")
  }

  @Test(arguments: GroupEvent.names)
  func `every event of a group reads back`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      try expectSame(.group(random.groupEvent(name)), .group, named: name, seed)
    }
  }

  @Test(arguments: sessionEvents)
  func `every event of a session reads back`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      try expectSame(.session(random.sessionEvent(name)), .session, named: name, seed)
    }
  }

  @Test func `every event of a device reads back`() throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      try expectSame(.device(random.deviceEvent()), .device, named: "greeted", seed)
    }
  }

  @Test func `every event of an attachment reads back`() throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let began = AttachmentEvent.began(random.attachment(), of: random.id())
      try expectSame(.attachment(began), .attachment, named: "began", seed)
      try expectSame(.attachment(.added(random.part())), .attachment, named: "added", seed)
      try expectSame(.attachment(.discarded), .attachment, named: "discarded", seed)
    }
  }

  /// Older servers accepted values of apps up to 62 levels, and snapshots hold them deeper.
  @Test func `the deepest values that older servers accepted are read back`() throws {
    let deep = ["[", "]"].map { String(repeating: $0, count: 62) }.joined()
    var random = RandomValues(seed: 1)
    var session = random.session()
    var activity = session.activity
    activity.payload = JSONText(validated: deep)
    let attachment = SessionAttachment(
      id: "a-1", by: "p-1", byteCount: 1, metadata: JSONText(validated: deep))
    let chat = JSONText(validated: #"{"chat":\#(deep.dropFirst().dropLast())}"#)
    let events: [(String, SessionEvent)] = [
      ("activitySet", .activitySet(activity, revision: 2, by: "p-1")),
      ("attachmentAdded", .attachmentAdded(attachment)),
      ("messageSent", .messageSent(chat, to: .all, by: "p-1")),
    ]
    for (name, event) in events {
      try expectSame(.session(event), .session, named: name, 1)
      session.evolve(event, at: Instant(microseconds: 1))
    }
    var writer = RecordWriter()
    var reader = RecordReader()
    let text = writer.text(of: .session(session))
    let state = try reader.state(text, of: .session, format: JournalFormat.current)
    #expect(state == .session(session))
    let snapshot = SessionSnapshot(
      session: session, participant: "p-1", at: Instant(microseconds: 1))
    var decoder = ServerLineDecoder(maximumBytes: 1 << 20)
    let line = Array(encode(.snapshot(snapshot)).dropLast())
    guard case .snapshot(let joined) = try decoder.decode(line.span) else {
      Issue.record("no snapshot")
      return
    }
    #expect(joined.session.chat == session.chat)
    #expect(joined.session.attachments == session.attachments)
    #expect(joined.session.activity == session.activity)
  }

  @Test(arguments: MessagingEvent.cases.names)
  func `every event of a person reads back`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      try expectSame(.user(random.messagingEvent(name)), .user, named: name, seed)
    }
  }

  @Test(arguments: TrayEvent.cases.names)
  func `every event of a tray reads back`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      try expectSame(.tray(random.trayEvent(name)), .tray, named: name, seed)
    }
  }

  /// This build ignores fields that a later build adds to a person's records.
  @Test func `fields of a person's records that nobody knows are ignored`() throws {
    var reader = RecordReader()
    let samples = try Sample.written(inFormat: 1)
      .filter { [.userEvent, .userState, .trayEvent, .trayState].contains($0.kind) }
    #expect(samples.count > MessagingEvent.cases.names.count + TrayEvent.cases.names.count)
    let unknown = #""later":{"a":[1,null]},"#
    for sample in samples {
      let body = sample.body.replacing(#"{"event":"#, with: #"{\#(unknown)"event":"#)
        .replacing(#"{"user":"#, with: #"{\#(unknown)"user":"#)
        .replacing(#"{"message":"#, with: #"{\#(unknown)"message":"#)
        .replacing(#"{"device":"#, with: #"{\#(unknown)"device":"#)
        .replacing(#"{"client":"#, with: #"{\#(unknown)"client":"#)
        .replacing(#"{"last":"#, with: #"{\#(unknown)"last":"#)
        .replacing(#"{"foreground":"#, with: #"{\#(unknown)"foreground":"#)
        .replacing(#"{"endpoint":"#, with: #"{\#(unknown)"endpoint":"#)
        .replacing(#"{"token":"#, with: #"{\#(unknown)"token":"#)
        .replacing(#"{"notification":"#, with: #"{\#(unknown)"notification":"#)
        .replacing(#"{"action":"#, with: #"{\#(unknown)"action":"#)
      #expect(body != sample.body)
      let extended = Sample(kind: sample.kind, body: body)
      #expect(try extended.rewritten(&reader) == sample.body)
    }
  }

  @Test func `a person of whom little is known takes few bytes`() {
    var writer = RecordWriter()
    #expect(writer.text(of: .user(UserMessaging("ann"))) == #"{"user":"ann","seq":0}"#)
    let logged = MessagingEvent.logged(EventIdentity(.client("phone"), 12))
    #expect(
      writer.text(of: .user(logged)) == #"{"event":"logged","client":"phone","sequence":12}"#)
    let at = Instant(microseconds: 7)
    let delivery = Delivery(
      id: "m-1", campaign: "c", variant: "a",
      cause: .init(
        event: .launch, triggerClass: .foreground, at: at, device: "phone", session: nil),
      expires: Instant(microseconds: 9), phase: .offered(to: "phone", at: at))
    #expect(
      writer.text(of: .user(.reserved(delivery)))
        == #"{"event":"reserved","delivery":{"message":"m-1","campaign":"c","variant":"a","#
        + #""cause":{"type":"launch"},"class":"foreground","at":7,"device":"phone","#
        + #""expires":9,"phase":"offered"}}"#)
  }

  @Test func `a tray in which little stands takes few bytes`() {
    var writer = RecordWriter()
    #expect(writer.text(of: .tray(NotificationTray("ann"))) == #"{"user":"ann","seq":0}"#)
    let at = Instant(microseconds: 7)
    let notification = RemoteNotification(
      id: "n-1", date: at, payload: NotificationPayload(NotificationPayload.Alert(body: "Hi")),
      expires: Instant(microseconds: 9))
    #expect(
      writer.text(of: .tray(.posted(notification, TrayAddressing())))
        == #"{"event":"posted","notification":"n-1","at":7,"expires":9,"#
        + #""payload":{"aps":{"alert":"Hi"}}}"#)
    // An empty list of devices differs from none, which means all devices.
    #expect(
      writer.text(of: .tray(.posted(notification, TrayAddressing(devices: []))))
        == #"{"event":"posted","notification":"n-1","at":7,"expires":9,"#
        + #""payload":{"aps":{"alert":"Hi"}},"devices":[]}"#)
    #expect(
      writer.text(of: .tray(.acknowledged("n-1", .presented, on: "phone")))
        == #"{"event":"acknowledged","notification":"n-1","result":"presented","device":"phone"}"#)
    #expect(
      writer.text(of: .tray(.ended(["n-1"], .answered)))
        == #"{"event":"ended","notifications":["n-1"],"reason":"answered"}"#)
  }

  @Test func `every state reads back, and a device has none`() throws {
    var writer = RecordWriter()
    var reader = RecordReader()
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let (group, session) = (random.group(), random.session())
      let messaging = random.messaging(random.id(), seq: random.count())
      let tray = random.tray(random.id(), seq: random.count())
      let states: [(AggregateState, AggregateKind)] = [
        (.group(group), .group), (.session(session), .session), (.user(messaging), .user),
        (.tray(tray), .tray),
      ]
      for (state, kind) in states {
        let text = writer.text(of: state)
        #expect(try reader.state(text, of: kind, format: JournalFormat.current) == state, "\(seed)")
      }
    }
    #expect(try reader.state("{}", of: .device, format: JournalFormat.current) == nil)
  }

  @Test(arguments: RandomValues.AnswerKind.allCases)
  func `every answer reads back, and every refusal`(kind: RandomValues.AnswerKind) throws {
    var writer = RecordWriter()
    var reader = RecordReader()
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      for outcome: RequestOutcome in [.answered(random.answer(kind)), .refused(random.error())] {
        let text = writer.text(of: outcome)
        #expect(try reader.outcome(text, format: JournalFormat.current) == outcome, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    ("0", 0), ("7", 7), ("12", 12), ("900719925474099", 900_719_925_474_099), ("7.0", 7),
    (" 7", 7), ("", nil), ("-1", nil), ("+1", nil), ("07", nil), ("7x", nil), ("}", nil),
    ("999999999999999999", nil), ("9999999999999999999", nil),
    (String(repeating: "1", count: 40), nil),
  ])
  func `what most answers say is read as any other`(number: String, seq: Int?) throws {
    var reader = RecordReader()
    let text = "{\"answer\":{\"seq\":\(number)}}"
    if let seq {
      #expect(try reader.outcome(text, format: 1) == .answered(.done(seq: seq)))
    } else {
      #expect(throws: UnreadableRecord.self) { try reader.outcome(text, format: 1) }
    }
  }

  // MARK: Formats

  /// A failure means that the coding has changed: raise ``JournalFormat/current``, add an upcaster
  /// for the previous format and samples of the new one, and keep these samples.
  @Test func `what the first format wrote is read, and written the same`() throws {
    var reader = RecordReader()
    for sample in try Sample.written(inFormat: 1) {
      #expect(try sample.rewritten(&reader) == sample.body, "\(sample.kind)")
    }
  }

  @Test func `a session kept before there were dismissals ends with its initiator`() throws {
    var reader = RecordReader()
    var seen: Set<DismissalPolicy> = []
    for sample in try Sample.written(inFormat: 1) {
      let policy: DismissalPolicy
      switch (sample.kind, sample.name) {
      case (.sessionEvent, "began"):
        let event = try reader.event(sample.body, of: .session, format: 1)
        guard case .session(.began(let beginning)) = event else { throw Mixed() }
        policy = beginning.dismissalPolicy
      case (.sessionState, _):
        let state = try reader.state(sample.body, of: .session, format: 1)
        guard case .session(let session) = state else { throw Mixed() }
        policy = session.dismissalPolicy
      default: continue
      }
      let says = sample.body.contains("dismissalPolicy")
      #expect(says == (policy != .endsWithInitiator))
      seen.insert(policy)
    }
    #expect(seen == Set(DismissalPolicy.allCases))
  }

  /// A sample whose name does not match its content.
  private struct Mixed: Error {}

  @Test func `there is a sample of everything`() throws {
    let samples = try Sample.written(inFormat: 1)
    func names(_ kind: Sample.Kind) -> Set<String> {
      Set(samples.filter { $0.kind == kind }.compactMap(\.name))
    }
    #expect(names(.groupEvent) == Set(GroupEvent.names))
    #expect(names(.sessionEvent) == Set(Self.sessionEvents))
    #expect(names(.attachmentEvent) == ["began", "added", "discarded"])
    #expect(names(.deviceEvent) == ["greeted"])
    #expect(names(.nameEvent) == ["claimed", "paired", "freed"])
    #expect(names(.userEvent) == Set(MessagingEvent.cases.names))
    #expect(names(.trayEvent) == Set(TrayEvent.cases.names))
    #expect(Set(samples.map(\.kind)) == Set(Sample.Kind.allCases))
    #expect(samples.count { $0.kind == .outcome } == RandomValues.AnswerKind.allCases.count + 1)
  }

  @Test func `a newer format is refused, and said to be newer`() throws {
    var reader = RecordReader()
    let body = #"{"event":"closed"}"#
    let error = #expect(throws: NewerRecord.self) {
      try reader.event(body, of: .group, format: JournalFormat.current + 1)
    }
    #expect("\(try #require(error))" == "a newer Matinee wrote it, in format 2")
  }

  @Test func `an older format is read by its upcasters, one step after the other`() throws {
    // Simulates that in format 0 a group was "shut", and that the field was called "kind" before
    // that.
    let upcasters = [
      Upcaster(from: 0) { (object, record, writer) throws(DecodingFlaw) in
        let name = try object.string("event", maximum: 100)
        writer.object {
          $0.field("event", record == .event(.group) && name == "shut" ? "closed" : name)
        }
      },
      Upcaster(from: -1) { (object, _, writer) throws(DecodingFlaw) in
        let name = try object.string("kind", maximum: 100)
        writer.object { $0.field("event", name) }
      },
    ]
    var reader = RecordReader(upcasters: upcasters)
    #expect(try reader.event(#"{"event":"shut"}"#, of: .group, format: 0) == .group(.closed))
    #expect(try reader.event(#"{"kind":"shut"}"#, of: .group, format: -1) == .group(.closed))
    #expect(try reader.event(#"{"event":"closed"}"#, of: .group, format: 1) == .group(.closed))
    #expect(throws: UnreadableRecord.self) {
      try reader.event(#"{"event":"shut"}"#, of: .group, format: -2)
    }
  }

  @Test func `every format before this one has an upcaster`() {
    #expect(JournalFormat.upcasters.map(\.format).sorted() == Array(1..<JournalFormat.current))
  }

  @Test(arguments: ["", "{", "[]", #"{"event":"dance"}"#, #"{"event":"memberLost"}"#])
  func `nonsense is unreadable, and says why`(body: String) throws {
    var reader = RecordReader()
    let error = #expect(throws: UnreadableRecord.self) {
      try reader.event(body, of: .group, format: 1)
    }
    #expect(try #require(error).description.isEmpty == false)
  }
}
