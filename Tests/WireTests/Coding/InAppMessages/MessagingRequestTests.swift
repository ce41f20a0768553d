import InAppMessaging
import JSON
import Naming
import Testing
import Vocabulary
import WireTesting

@testable import Wire

/// What clients say about messages: what may be left out, and how much it may be.
@Suite struct MessagingRequestTests {
  private static let limits: Limits = {
    var limits = Limits()
    limits.identifierBytes = 11
    limits.nameBytes = 13
    limits.eventProperties = 3
    limits.eventBytes = 17
    limits.attributes = 5
    limits.attributeBytes = 19
    limits.listTexts = 7
    limits.deliveries = 9
    return limits
  }()

  private func request(_ fields: String) throws -> MessagingRequest? {
    guard case .request(1, .messaging(let request)) = try clientMessage("{" + fields + #","id":1}"#)
    else { return nil }
    return request
  }

  private func flaw(_ fields: String) -> ProtocolError? {
    let refusal = refusal(of: "{" + fields + #","id":1}"#, limits: Self.limits)
    #expect(refusal == nil || refusal?.request == 1)
    return refusal?.error
  }

  @Test(
    arguments: [
      (#""type":"appState","visible":true"#, .appState(AppState(isVisible: true))),
      (
        #""type":"appState","visible":false,"change":null,"epoch":0,"capabilities":[]"#,
        .appState(AppState(isVisible: false))
      ),
      (
        #""type":"appState","visible":true,"change":"launch","epoch":7,"sequence":1,"app":"tv","#
          + #""version":"1.10","capabilities":["groupWatch","groupWatch"]"#,
        .appState(
          AppState(
            isVisible: true, change: .launch, epoch: 7, sequence: 1, app: "tv", version: "1.10",
            capabilities: ["groupWatch"]))
      ),
      (#""type":"logEvent","name":"e"# + "\"", .logEvent("e", [:], sequence: nil)),
      (
        #""type":"logEvent","name":"e","properties":{"a":1,"b":null,"a":2}"#,
        .logEvent("e", ["a": .number(1)], sequence: nil)
      ),
      (#""type":"logPurchase","product":"p""#, .logPurchase(product: "p", [:], sequence: nil)),
      (#""type":"logPushOpened""#, .logPushOpened(campaign: nil, sequence: nil)),
      (#""type":"setAttributes""#, .setAttributes([:])),
      (
        #""type":"setAttributes","attributes":{"a":"b"},"remove":["c","c"]"#,
        .setAttributes(["a": .string("b"), "c": nil])
      ),
      (#""type":"explainMessages""#, .explain(nil)),
      (#""type":"explainMessages","user":"ann""#, .explain(nil, of: "ann")),
      (#""type":"testMessage","campaign":"c""#, .test("c", variant: nil, event: nil, [:])),
      (
        #""type":"reportMessage","message":"m","report":"clicked""#,
        .report("m", .clicked(button: nil), sequence: nil)
      ),
      (
        #""type":"reportMessage","message":"m","report":"dismissed","reason":"action","button":"1""#,
        .report("m", .dismissed(.action(button: "1")), sequence: nil)
      ),
      (
        #""type":"reportMessage","message":"m","report":"refused","reason":"choice""#,
        .report("m", .refused(.choice), sequence: nil)
      ),
    ] as [(String, MessagingRequest)])
  func `what may be left out is left out`(fields: String, expected: MessagingRequest) throws {
    #expect(try request(fields) == expected)
  }

  @Test(
    arguments: [
      (
        .appState(
          AppState(
            isVisible: true, change: .foreground, epoch: 7, sequence: 1, app: "tv",
            version: "1.10", capabilities: ["video", "groupWatch"])),
        #"{"type":"appState","id":1,"visible":true,"change":"foreground","epoch":7,"sequence":1,"#
          + #""app":"tv","version":"1.10","capabilities":["groupWatch","video"]}"#
      ),
      (
        .logEvent("Added", ["b": .number(4.5), "a": .bool(true)], sequence: 2),
        #"{"type":"logEvent","id":1,"name":"Added","properties":{"a":true,"b":4.5},"sequence":2}"#
      ),
      (
        .report("m-1", .dismissed(.action(button: "1")), sequence: 3),
        #"{"type":"reportMessage","id":1,"message":"m-1","report":"dismissed","reason":"action","#
          + #""button":"1","sequence":3}"#
      ),
      (
        .setAttributes(["b": .list(["x"]), "a": .string("y"), "d": nil, "c": nil]),
        #"{"type":"setAttributes","id":1,"attributes":{"a":"y","b":["x"]},"remove":["c","d"]}"#
      ),
      (
        .setMembership(list: "l", false),
        #"{"type":"setMembership","id":1,"list":"l","member":false}"#
      ),
      (.pause(true), #"{"type":"pauseMessaging","id":1,"paused":true}"#),
      (.revalidate(["m-1"]), #"{"type":"revalidateMessages","id":1,"messages":["m-1"]}"#),
      (.explain("c"), #"{"type":"explainMessages","id":1,"campaign":"c"}"#),
      (
        .explain("c", of: "ann"),
        #"{"type":"explainMessages","id":1,"campaign":"c","user":"ann"}"#
      ),
    ] as [(MessagingRequest, String)])
  func `clients say`(request: MessagingRequest, line: String) throws {
    #expect(text(of: ClientMessage.request(1, .messaging(request))) == line)
    #expect(try clientMessage(line) == .request(1, .messaging(request)))
  }

  @Test(
    arguments: [
      (#""type":"appState""#, "visible"), (#""type":"appState","visible":1"#, "visible"),
      (#""type":"appState","visible":true,"change":"quit""#, "change"),
      (#""type":"appState","visible":true,"epoch":-1"#, "epoch"),
      (#""type":"appState","visible":true,"sequence":"1""#, "sequence"),
      (#""type":"appState","visible":true,"version":"""#, "version"),
      (#""type":"appState","visible":true,"capabilities":[""]"#, "capabilities[0]"),
      (#""type":"logEvent""#, "name"), (#""type":"logEvent","name":"""#, "name"),
      (#""type":"logEvent","name":"e","properties":[]"#, "properties"),
      (#""type":"logEvent","name":"e","properties":{"":1}"#, "properties"),
      (#""type":"logEvent","name":"e","properties":{"a":{}}"#, "properties.a"),
      (#""type":"logEvent","name":"e","properties":{"a":["b",1]}"#, "properties.a[1]"),
      (#""type":"logEvent","name":"e","sequence":-1"#, "sequence"),
      (#""type":"logPurchase""#, "product"), (#""type":"logPushOpened","campaign":7"#, "campaign"),
      (#""type":"reportMessage","report":"waiting""#, "message"),
      (#""type":"reportMessage","message":"m""#, "report"),
      (#""type":"reportMessage","message":"m","report":"seen""#, "report"),
      (#""type":"reportMessage","message":"m","report":"dismissed""#, "reason"),
      (#""type":"reportMessage","message":"m","report":"dismissed","reason":"choice""#, "reason"),
      (#""type":"reportMessage","message":"m","report":"refused","reason":"swipe""#, "reason"),
      (#""type":"setAttributes","attributes":{"a":{"b":1}}"#, "attributes.a"),
      (#""type":"setAttributes","attributes":{"a":1},"remove":["b","a"]"#, "remove[1]"),
      (#""type":"setMembership","member":true"#, "list"),
      (#""type":"setMembership","list":"l""#, "member"),
      (#""type":"setCollection""#, "collecting"), (#""type":"pauseMessaging""#, "paused"),
      (#""type":"revalidateMessages""#, "messages"),
      (#""type":"revalidateMessages","messages":[""]"#, "messages[0]"),
      (#""type":"explainMessages","campaign":"""#, "campaign"),
      (#""type":"explainMessages","user":"""#, "user"),
      (#""type":"testMessage""#, "campaign"),
    ])
  func `a bad field is named by its way, and the request answered`(fields: String, field: String) {
    let flaw = flaw(fields)
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field == field)
  }

  private static let bounds = [
    Bound(line: #""type":"logEvent","name":"%""#, field: "name", limit: 13),
    Bound(
      line: #""type":"logEvent","name":"e","properties":{"%":1}"#, field: "properties", limit: 13),
    Bound(
      line: #""type":"logEvent","name":"e","properties":{#}"#, field: "properties", limit: 3,
      element: #""a":1"#),
    Bound(
      line: #""type":"logEvent","name":"e","properties":{"a":["b"],"c":"%"}"#, field: "properties",
      limit: 14),
    Bound(
      line: #""type":"logEvent","name":"e","properties":{"a":[#]}"#, field: "properties.a",
      limit: 7, element: #""""#),
    Bound(line: #""type":"logPurchase","product":"%""#, field: "product", limit: 13),
    Bound(
      line: #""type":"appState","visible":true,"app":"%""#, field: "app", limit: 11),
    Bound(
      line: #""type":"appState","visible":true,"capabilities":[#]"#, field: "capabilities",
      limit: 32, element: #""c""#),
    Bound(
      line: #""type":"reportMessage","message":"m","report":"clicked","button":"%""#,
      field: "button", limit: 11),
    Bound(
      line: #""type":"setAttributes","attributes":{"a":"%"}"#, field: "attributes.a", limit: 19),
    Bound(
      line: #""type":"setAttributes","attributes":{"a":["%","bc"]}"#, field: "attributes.a",
      limit: 17),
    Bound(
      line: #""type":"setAttributes","attributes":{#}"#, field: "attributes", limit: 5,
      element: #""a":1"#),
    Bound(
      line: #""type":"setAttributes","remove":[#]"#, field: "remove", limit: 5, element: #""a""#),
    Bound(line: #""type":"setAttributes","remove":["%"]"#, field: "remove[0]", limit: 13),
    Bound(line: #""type":"setMembership","member":true,"list":"%""#, field: "list", limit: 13),
    Bound(
      line: #""type":"revalidateMessages","messages":[#]"#, field: "messages", limit: 9,
      element: #""m""#),
    Bound(line: #""type":"explainMessages","campaign":"%""#, field: "campaign", limit: 11),
    Bound(line: #""type":"explainMessages","user":"%""#, field: "user", limit: 11),
    Bound(
      line: #""type":"testMessage","campaign":"c","variant":"%""#, field: "variant", limit: 11),
    Bound(line: #""type":"testMessage","campaign":"c","name":"%""#, field: "name", limit: 13),
  ]

  @Test(arguments: bounds)
  func `a field may be as long as its limit and no longer`(bound: Bound) {
    #expect(flaw(bound.fields(bound.limit)) == nil)
    let flaw = flaw(bound.fields(bound.limit + 1))
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field == bound.field)
  }

  // MARK: For a journal

  private func readBack<Value: Fields>(_ value: Value) throws(DecodingFlaw) -> Value {
    var writer = JSONWriter()
    value.put(to: &writer)
    var parser = JSONParser(maximumBytes: 1 << 16)
    return try parser.parse(writer.bytes.span) { (object) throws(DecodingFlaw) in
      try Value(decoding: object, within: .line)
    }
  }

  private static let seeds: ClosedRange<UInt64> = 1...50

  @Test(arguments: AppEvent.Name.allCases)
  func `what happened in an app reads back`(name: AppEvent.Name) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let event = random.appEvent(name)
      #expect(try readBack(event) == event, "seed \(seed)")
    }
  }

  @Test(arguments: MessageReport.cases.names)
  func `what is told of a delivery reads back`(name: String) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let report = random.report(name)
      #expect(try readBack(report) == report, "seed \(seed)")
    }
  }

  @Test func `how a delivery ended reads back`() throws {
    var random = RandomValues(seed: 1)
    let outcomes =
      InAppMessage.DismissReason.Name.allCases.map {
        .presented(dismissedBy: random.dismissReason($0))
      }
      + InAppMessage.Refusal.allCases.map { .refused($0) } + [InAppMessage.Outcome.control]
    for outcome in outcomes {
      #expect(try readBack(outcome) == outcome)
    }
  }

  @Test func `a delivery reads back in each phase, on its cause's device and on another`() throws {
    let at = Instant(microseconds: 7)
    let phases: [Delivery.Phase] = [
      .scheduled(due: at), .due, .offered(to: "phone", at: at),
      .offered(to: "tv", at: at + .seconds(1)), .waiting(on: "phone"), .waiting(on: "tv"),
      .started(on: "phone"), .started(on: "tv"),
    ]
    for phase in phases {
      let delivery = Delivery(
        id: "m", campaign: "c", variant: "a",
        cause: .init(
          event: .launch, triggerClass: .contextual, at: at, device: "phone", session: nil),
        expires: at + .seconds(9), phase: phase)
      #expect(try readBack(delivery) == delivery)
    }
  }

  @Test func `numbers are written as they are meant, and in the order of their names`() {
    let properties: [String: PropertyValue] = [
      "c": .number(1), "b": .number(-0.5), "a": .number(1e300), "d": .number(9_007_199_254_740_992),
    ]
    var writer = JSONWriter()
    writer.object { $0.properties(properties) }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"properties":{"a":1e+300,"b":-0.5,"c":1,"d":9007199254740992}}"#)
  }
}
