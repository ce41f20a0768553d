import InAppMessaging
import JSON
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

/// A message as JSON: what may be left out, what is told apart by a tag, and what is wrong with it.
@Suite struct InAppMessageCodingTests {
  private static let seeds: ClosedRange<UInt64> = 1...100

  /// A message in which nothing is as its kind has it.
  private static let modal: InAppMessage = {
    let text = InAppMessage.Text(
      "Tonight at eight", header: "Film club", alignment: .leading, headerAlignment: .trailing,
      graphic: .image(InAppMessage.Image(url: "https://e.org/p.png", alternativeText: "Poster")),
      landscapeImage: InAppMessage.Image(url: "https://e.org/l.png"))
    var message = InAppMessage(id: "m-1", kind: .modal, body: .text(text))
    message.campaign = CampaignReference(
      id: "friday", name: "Film night", variant: "b", isTest: true, user: "ann")
    message.surface = .fullScreen
    message.clickAction = .deepLink("club://tonight")
    message.buttons = [
      .init(
        id: "0", text: "Later", clickAction: .setAttribute(key: "asked", value: .bool(true))),
      .init(id: "1", text: "Join", clickAction: .session(.join), themes: themes),
    ]
    message.closing = .init(
      after: .seconds(20), bySwipe: true, byButton: false, byTapOutside: true)
    message.orientation = .portrait
    message.themes = themes
    message.animatesIn = false
    message.animatesOut = false
    message.extras = [
      "view_type": .string("video"), "stars": .number(4.5), "age": .number(12), "new": .bool(true),
      "cast": .list(["Ann", "Ben"]),
    ]
    message.language = "en"
    message.impression = .afterVisible(.seconds(1))
    message.session = "s-1"
    return message
  }()

  private static let themes: InAppMessage.Themes = {
    var light = InAppMessage.Theme()
    light.background = Color(argb: 0xFFFF_8800)
    light.frame = Color(argb: 0x0080_0001)
    var dark = InAppMessage.Theme()
    dark.text = Color(argb: 0xFF00_0000)
    return InAppMessage.Themes(light: light, dark: dark)
  }()

  /// The fields of the message, each by its name.
  private static let fields: KeyValuePairs<String, String> = [
    "message": #""m-1""#,
    "campaign": #"{"id":"friday","name":"Film night","variant":"b","test":true,"user":"ann"}"#,
    "kind": #""modal""#,
    "surface": #""fullScreen""#,
    "body":
      #"{"type":"text","header":"Film club","headerAlignment":"trailing","#
      + #""message":"Tonight at eight","messageAlignment":"leading","#
      + #""image":{"url":"https://e.org/p.png","alternativeText":"Poster"},"#
      + #""landscapeImage":{"url":"https://e.org/l.png"}}"#,
    "clickAction": #"{"type":"deepLink","url":"club://tonight"}"#,
    "buttons":
      ##"[{"id":"0","text":"Later","clickAction":{"type":"setAttribute","key":"asked","##
      + ##""value":true}},{"id":"1","text":"Join","clickAction":{"type":"session","##
      + ##""action":"join"},"themes":\##(theme)}]"##,
    "closing": #"{"after":20000000,"bySwipe":true,"byButton":false,"byTapOutside":true}"#,
    "orientation": #""portrait""#,
    "themes": theme,
    "animatesIn": "false",
    "animatesOut": "false",
    "extras":
      #"{"age":12,"cast":["Ann","Ben"],"new":true,"stars":4.5,"view_type":"video"}"#,
    "language": #""en""#,
    "impression": #"{"afterVisible":1000000}"#,
    "session": #""s-1""#,
  ]

  private static let theme =
    ##"{"light":{"background":"#ff8800","frame":"#00800001"},"dark":{"text":"#000000"}}"##

  private static func object(without name: String? = nil) -> String {
    let fields = fields.filter { $0.key != name }.map { #""\#($0.key)":\#($0.value)"# }
    return "{" + fields.joined(separator: ",") + "}"
  }

  private func message(_ text: String) throws(DecodingFlaw) -> InAppMessage {
    var parser = JSONParser(maximumBytes: 1 << 16)
    return try parser.parse(Array(text.utf8).span) { (object) throws(DecodingFlaw) in
      try InAppMessage(decoding: object)
    }
  }

  private func message(of kind: InAppMessage.Kind, _ fields: String) throws(DecodingFlaw)
    -> InAppMessage
  {
    try message(#"{"message":"m","kind":"\#(kind.rawValue)","# + fields + "}")
  }

  private func flaw(_ fields: String, in kind: InAppMessage.Kind = .modal) -> DecodingFlaw? {
    do throws(DecodingFlaw) {
      _ = try message(of: kind, fields)
      return nil
    } catch { return error }
  }

  // Proves: A10, B13, F14, F16, F23
  @Test func `a message is written so, and read again`() throws {
    var writer = JSONWriter()
    Self.modal.write(to: &writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == Self.object())
    #expect(try message(Self.object()) == Self.modal)
  }

  @Test(arguments: InAppMessage.Kind.allCases)
  func `every message reads back as it was`(kind: InAppMessage.Kind) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      let message = random.inAppMessage(kind)
      let again = try read(message) { (object) throws(DecodingFlaw) in
        try InAppMessage(decoding: object)
      }
      #expect(again == message, "seed \(seed)")
    }
  }

  /// What a field that is left out means, for each.
  private static let defaults: [String: @Sendable (inout InAppMessage) -> Void] = [
    "campaign": { $0.campaign = nil },
    "surface": { $0.surface = .dialog },
    "body": { $0.body = .empty },
    "clickAction": { $0.clickAction = nil },
    "buttons": { $0.buttons = [] },
    "closing": { $0.closing = InAppMessage.ClosePolicy() },
    "orientation": { $0.orientation = .any },
    "themes": { $0.themes = InAppMessage.Themes() },
    "animatesIn": { $0.animatesIn = true },
    "animatesOut": { $0.animatesOut = true },
    "extras": { $0.extras = [:] },
    "language": { $0.language = nil },
    "impression": { $0.impression = .onPresent },
    "session": { $0.session = nil },
  ]

  @Test(arguments: fields.map(\.key))
  func `a field that is left out is as the kind has it`(name: String) throws {
    guard let change = Self.defaults[name] else {
      #expect(throws: DecodingFlaw.missing(field: name)) { try message(Self.object(without: name)) }
      return
    }
    var expected = Self.modal
    change(&expected)
    #expect(try message(Self.object(without: name)) == expected)
    let null = Self.object(without: name).dropLast() + #","\#(name)":null}"#
    #expect(try message(String(null)) == expected)
  }

  // Proves: F2
  @Test(arguments: InAppMessage.Kind.allCases)
  func `a message needs an id and a kind only`(kind: InAppMessage.Kind) throws {
    let usual = InAppMessage(id: "m", kind: kind, body: .empty)
    #expect(try message(of: kind, #""body":null"#) == usual)
    var writer = JSONWriter()
    usual.write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text == #"{"message":"m","kind":"\#(kind.rawValue)"}"#)
  }

  @Test func `what a closing leaves out is as the kind has it, and never is a word`() throws {
    let slideup = try message(of: .slideup, #""closing":{"byTapOutside":true}"#)
    #expect(slideup.closing.after == .seconds(5))
    #expect(slideup.closing.bySwipe && slideup.closing.byTapOutside && !slideup.closing.byButton)
    let staying = try message(of: .slideup, #""closing":{"after":"never"}"#)
    #expect(staying.closing.after == nil)
    #expect(staying.closing.bySwipe)
    #expect(flaw(#""closing":{"after":"soon"}"#)?.field == "closing.after")
    #expect(flaw(#""closing":{"after":-1}"#)?.field == "closing.after")
  }

  @Test(
    arguments: [
      (#""onPresent""#, .onPresent), (#""explicit""#, .explicit),
      (#"{"afterVisible":3000000}"#, .afterVisible(.seconds(3))),
    ] as [(String, InAppMessage.ImpressionPolicy)])
  func `an impression is a word or a time`(
    text: String, policy: InAppMessage.ImpressionPolicy
  ) throws {
    #expect(try message(of: .modal, #""impression":"# + text).impression == policy)
    #expect(try message(of: .banner, #""impression":"# + text).impression == policy)
  }

  // Proves: B18
  @Test func `a missing light theme is the view's own, and other names are for others`() throws {
    let message = try message(
      of: .modal,
      ##""themes":{"dark":{"text":"#102030"},"sepia":{"text":7}},"buttons":[{"id":"1","##
        + ##""text":"Go","themes":{}}]"##)
    #expect(message.themes.light == InAppMessage.Theme())
    #expect(message.themes.dark?.text == Color(argb: 0xFF10_2030))
    #expect(message.buttons[0].themes == InAppMessage.Themes())
  }

  @Test(arguments: ["#12345", "#1234567", "123456", "#+12345", "#-1234567", "#12345g", "", "red"])
  func `a colour is six or eight hexadecimal digits`(text: String) {
    #expect(flaw(#""themes":{"light":{"icon":"\#(text)"}}"#)?.field == "themes.light.icon")
  }

  // Proves: A13
  @Test func `extras that nobody can read are left out, and the others stay`() throws {
    let message = try message(
      of: .modal,
      #""extras":{"a":{"b":1},"c":[1],"d":null,"e":"x","e":"y","f":["z",2],"g":[]}"#)
    #expect(message.extras == ["e": .string("x"), "g": .list([])])
    #expect(try self.message(of: .modal, #""extras":["view_type"]"#).extras == [:])
    #expect(try self.message(of: .modal, #""extras":7"#).extras == [:])
  }

  @Test func `an image beside an icon counts`() throws {
    let message = try message(
      of: .modal,
      #""body":{"type":"text","message":"","icon":"!","image":{"url":"https://e.org/i"}}"#)
    guard case .text(let text) = message.body else {
      Issue.record("it is a text")
      return
    }
    #expect(text.graphic == .image(InAppMessage.Image(url: "https://e.org/i")))
    #expect(text.messageAlignment == .center && text.headerAlignment == .center)
  }

  // Proves: F33
  @Test func `a button without an action closes`() throws {
    let message = try message(of: .card, #""buttons":[{"id":"primary","text":"Fine"}]"#)
    #expect(message.button("primary")?.clickAction == .close)
  }

  @Test(arguments: InAppMessage.ClickAction.Name.allCases)
  func `every click action is told apart by its type`(name: InAppMessage.ClickAction.Name) throws {
    for seed in Self.seeds {
      var random = RandomValues(seed: seed)
      var message = InAppMessage(id: "m", kind: .full, body: .empty)
      message.clickAction = random.clickAction(name)
      let again = try read(message) { (object) throws(DecodingFlaw) in
        try InAppMessage(decoding: object)
      }
      #expect(again == message, "seed \(seed)")
    }
  }

  @Test func `a message from a server is bounded by its line alone`() throws {
    let long = String(repeating: "x", count: 10_000)
    var message = InAppMessage(id: "m", kind: .modal, body: .text(.init(long, header: long)))
    message.buttons = [.init(id: long, text: long)]
    let again = try read(message) { (object) throws(DecodingFlaw) in
      try InAppMessage(decoding: object)
    }
    #expect(again == message)
  }

  @Test func `sequences nest as deep as a line may, and no deeper`() {
    func nested(_ depth: Int) -> String {
      let open = String(repeating: #"{"type":"sequence","actions":["#, count: depth)
      return #""clickAction":"# + open + #"{"type":"close"}"#
        + String(repeating: "]}", count: depth)
    }
    #expect(flaw(nested(20)) == nil)
    guard case .notJSON = flaw(nested(40)) else {
      Issue.record("the parser bounds the depth")
      return
    }
  }

  @Test(
    arguments: [
      (#""body":{"type":"film"}"#, "body.type"), (#""body":{}"#, "body.type"),
      (#""body":"text""#, "body"), (#""body":{"type":"text"}"#, "body.message"),
      (#""body":{"type":"image"}"#, "body.image"),
      (#""body":{"type":"image","image":{}}"#, "body.image.url"),
      (#""body":{"type":"html"}"#, "body.source"),
      (#""body":{"type":"text","message":"","messageAlignment":"left"}"#, "body.messageAlignment"),
      (#""surface":"side""#, "surface"), (#""orientation":"square""#, "orientation"),
      (#""clickAction":{"type":"explode"}"#, "clickAction.type"),
      (#""clickAction":{"type":"open"}"#, "clickAction.url"),
      (#""clickAction":{"type":"session","action":"stay"}"#, "clickAction.action"),
      (
        #""clickAction":{"type":"sequence","actions":[{"type":"x"}]}"#,
        "clickAction.actions[0].type"
      ),
      (#""clickAction":{"type":"setAttribute","key":"k"}"#, "clickAction.value"),
      (#""buttons":[{"id":"0","text":"A"},{"id":1,"text":"B"}]"#, "buttons[1].id"),
      (#""impression":"seen""#, "impression"), (#""impression":{}"#, "impression.afterVisible"),
      (#""campaign":{"id":"c"}"#, "campaign.name"), (#""animatesIn":1"#, "animatesIn"),
      (#""session":"""#, "session"), (#""language":7"#, "language"),
    ])
  func `what is wrong is named by its way`(fields: String, field: String) {
    #expect(flaw(fields)?.field == field)
  }

  // MARK: Deliveries

  private static let siblings = [
    #"{"type":"inAppMessage","message":"m-1","expires":5,"kind":"modal"}"#,
    #"{"type":"inAppMessage","message":"m-2","expires":5,"kind":"hologram","size":[1,2.5]}"#,
    #"{"type":"inAppMessage","message":"m-3","expires":5,"kind":"banner"}"#,
  ]

  // Proves: F9
  @Test func `a kind that nobody knows costs that message, and no other`() throws {
    let messages = try Self.siblings.map(serverMessage)
    let shown = messages.compactMap {
      if case .inAppMessage(let delivery) = $0 { delivery.message.id } else { nil }
    }
    #expect(shown == ["m-1", "m-3"])
    guard case .unreadableMessage(let unreadable) = messages[1] else {
      Issue.record("it is one that cannot be read")
      return
    }
    #expect(unreadable.id == "m-2")
    #expect(unreadable.error.field == "kind")
    #expect(text(of: messages[1]) == Self.siblings[1])
  }

  @Test func `a delivery that says no time cannot be shown, and one without an id is no line`()
    throws
  {
    let timeless = try serverMessage(#"{"type":"inAppMessage","message":"m","kind":"modal"}"#)
    guard case .unreadableMessage(let unreadable) = timeless else {
      Issue.record("it is one that cannot be read")
      return
    }
    #expect(unreadable.error.field == "expires")
    #expect(throws: MalformedLine.self) {
      try serverMessage(#"{"type":"inAppMessage","expires":5,"kind":"modal"}"#)
    }
  }
}

extension DecodingFlaw {
  /// The field it is about; `nil` if it is about none.
  fileprivate var field: String? {
    switch self {
    case .notJSON: nil
    case .missing(let field), .wrongType(let field, _), .outOfRange(let field, _),
      .tooLong(let field, _):
      field
    }
  }
}
