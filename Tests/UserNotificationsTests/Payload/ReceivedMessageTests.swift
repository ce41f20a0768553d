import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct ReceivedMessageTests {
  static let now = Instant(microseconds: 1_795_292_100_123_456)

  /// Every field that a message can have.
  static var everything: PushOptions {
    var options = PushOptions()
    options.sendsAppID = true
    options.sendsWhen = true
    options.sendsOrigin = true
    return options
  }

  private static let change = ObjectChange(
    .objectUpdated, of: "queue", in: "s1", modified: now, scope: .group("friday"),
    appID: "matinee", sender: "ann")

  // Proves: K15, K16, K25
  @Test func `a change travels under its short names`() {
    #expect(
      Self.change.payload(Self.everything, at: Self.now).fields == [
        "aps": ["content-available": 1], "a": "matinee", "s": "ann", "o": "EVENT",
        "w": 1_795_292_100_123, "t": "DATA_OBJECT_UPDATED", "bi": "s1", "bt": "rw",
        "oi": "queue", "om": 1_795_292_100_123, "st": "APP_AND_GROUP", "sa": "matinee",
        "sg": "friday",
      ])
    #expect(
      Self.change.payload(at: Self.now).custom.keys.sorted()
        == ["bi", "bt", "oi", "om", "s", "sa", "sg", "st", "t"])
  }

  // Proves: K15, K16, K25
  @Test func `a change is read as it was sent`() {
    let message = ReceivedMessage(Self.change.payload(Self.everything, at: Self.now))
    #expect(message.kind == .pushToApp)
    #expect(message.appID == "matinee")
    #expect(message.sender == "ann")
    #expect(message.senderThing == nil)
    #expect(message.origin == .event)
    #expect(message.when == Instant(microseconds: 1_795_292_100_123_000))
    #expect(message.change == .objectUpdated)
    #expect(message.bucketID == "s1")
    #expect(message.bucketType == .readWrite)
    #expect(message.objectID == "queue")
    #expect(message.modified == message.when)
    #expect(message.scope == .group("friday"))
    #expect(message.sourceGroup == "friday")
    #expect(message.sourceUser == nil)
    #expect(message.containsObject && message.containsBucket && !message.containsTopic)
    #expect(message.alertBody == nil)
    #expect(message.serverObject == ServerObject.part(.queue, of: "s1"))
  }

  @Test func `the kinds of changes are Kii's, to the letter`() {
    #expect(
      ObjectChange.Kind.allCases.map(\.rawValue) == [
        "DATA_OBJECT_CREATED", "DATA_OBJECT_DELETED", "DATA_OBJECT_UPDATED",
        "DATA_OBJECT_BODY_UPDATED", "DATA_OBJECT_BODY_DELETED", "DATA_OBJECT_ACL_MODIFIED",
        "BUCKET_DELETED",
      ])
    for kind in ObjectChange.Kind.allCases {
      let change = ServerObject.part(.state, of: "s1")
        .change(kind, group: "friday", modified: Self.now, appID: "matinee")
      let message = ReceivedMessage(change.payload(at: Self.now))
      #expect(message.change == kind)
      #expect(message.containsObject == (kind != .bucketDeleted))
      #expect(message.sender == nil)
    }
  }

  // Proves: K15, K16, K25
  @Test func `a topic's message travels with its sender's fields`() throws {
    let said = TopicMessage(
      to: "group/friday", scope: .user("ann"), alert: .init(body: "Popcorn?"),
      data: ["mood": "good", "hunger": 3], appID: "matinee", sender: "ann")
    let payload = try said.payload(Self.everything, at: Self.now)
    #expect(
      payload.fields == [
        "aps": ["alert": "Popcorn?"], "a": "matinee", "s": "ann", "o": "EXPLICIT",
        "w": 1_795_292_100_123, "to": "group/friday", "st": "APP_AND_USER", "sa": "matinee",
        "su": "ann", "mood": "good", "hunger": 3,
      ])
    let message = ReceivedMessage(userInfo: payload.fields)
    #expect(message.kind == .pushToUser)
    #expect(message.topicID == "group/friday")
    #expect(message.containsTopic && !message.containsBucket && !message.containsObject)
    #expect(message.sourceUser == "ann")
    #expect(message.alertBody == "Popcorn?")
    #expect(message.value(of: "mood") == "good")
    #expect(message.value(of: "hunger") == 3)
    #expect(message.value(of: "aps") == nil)
  }

  @Test func `a topic's message without a text is silent`() throws {
    let said = TopicMessage(to: "t", scope: .app, data: ["x": 1], appID: "matinee")
    #expect(try said.payload(at: Self.now).isSilent)
  }

  @Test(
    arguments: [
      ("x", ["a": 1], .nested(field: "x")), ("x", [1], .nested(field: "x")),
      ("aps", 1, .reserved(field: "aps")), ("to", "other", .reserved(field: "to")),
      ("sth", "th.1", .reserved(field: "sth")), ("s", "bob", .reserved(field: "s")),
      ("t", "BUCKET_DELETED", .reserved(field: "t")),
      ("revoke", ["i5"], .nested(field: "revoke")),
      ("delta", ["from": 1, "to": 2, "set": ["x": 1]], .nested(field: "delta")),
    ] as [(String, PayloadValue, PayloadFault)])
  func `a sender's fields are flat, and forge nothing`(
    name: String, value: PayloadValue, fault: PayloadFault
  ) {
    let said = TopicMessage(to: "t", scope: .app, data: [name: value], appID: "matinee")
    #expect(throws: fault) { try said.payload(at: Self.now) }
    let plain = TopicMessage(to: "t", scope: .app, appID: "matinee")
    for transport in TransportKind.allCases {
      let options = Self.fields([name: value], over: transport)
      #expect(throws: fault.over(transport)) { try plain.payload(options, at: Self.now) }
    }
  }

  /// Options with fields of the sender's own for one transport.
  private static func fields(
    _ data: [String: PayloadValue], over transport: TransportKind
  ) -> PushOptions {
    var options = PushOptions()
    options.transports[transport] = .init(data: data)
    return options
  }

  @Test func `a sender's flat fields for one transport are sent`() throws {
    let options = Self.fields(["icon": "popcorn.png"], over: .webPush)
    let said = TopicMessage(to: "t", scope: .app, data: ["x": 1], appID: "matinee")
    let payload = options.payload(try said.payload(options, at: Self.now), over: .webPush)
    #expect(payload.custom["icon"] == "popcorn.png" && payload.custom["x"] == 1)
  }

  // Proves: K17
  @Test func `userInfo is read as a payload before anything is asked of it`() {
    let change = Self.change.payload(Self.everything, at: Self.now).fields
    for spoilt in ["t", "o", "w", "st", "aps", "a", "bi", "om"] {
      for nonsense in [.null, 7, [1], ["a": 1], "nonsense"] as [PayloadValue] {
        var userInfo = change
        userInfo[spoilt] = nonsense
        let message = ReceivedMessage(userInfo: userInfo)
        #expect(message.payload == NotificationPayload(userInfo))
        #expect(message.objectID == "queue", "\(spoilt): \(nonsense)")
      }
    }
  }

  // Proves: K15, K16, K25
  @Test func `a direct push has its sender's fields only`() {
    let message = ReceivedMessage(
      userInfo: ["aps": ["alert": ["title": "News", "body": "We are back"]], "reason": "update"])
    #expect(message.kind == .directPush)
    #expect(message.value(of: "reason") == "update")
    #expect(message.alertBody == "We are back")
    #expect(message.sender == nil && message.scope == nil && message.when == nil)
    #expect(!message.containsTopic && !message.containsBucket && !message.containsObject)
  }

  @Test func `each flag adds its own fields, and takes them away`() throws {
    let flags: [(WritableKeyPath<PushOptions, Bool>, Set<String>, Bool)] = [
      (\.sendsAppID, ["a"], false), (\.sendsSender, ["s"], true), (\.sendsWhen, ["w"], false),
      (\.sendsOrigin, ["o"], false), (\.sendsObjectScope, ["st", "sa", "sg"], true),
      (\.sendsTopicID, ["to"], true),
    ]
    let said = TopicMessage(to: "t", scope: .group("g"), appID: "matinee", sender: "ann")
    for (flag, names, isUsual) in flags {
      var options = PushOptions()
      #expect(options[keyPath: flag] == isUsual)
      let before = Set(try said.payload(options, at: Self.now).custom.keys)
      options[keyPath: flag].toggle()
      let after = Set(try said.payload(options, at: Self.now).custom.keys)
      #expect(before.symmetricDifference(after) == names)
    }
  }

  @Test func `without its topic a message is known by its origin, if it says so`() throws {
    var options = PushOptions()
    options.sendsTopicID = false
    let said = TopicMessage(to: "t", scope: .app, appID: "matinee", sender: "ann")
    #expect(ReceivedMessage(try said.payload(options, at: Self.now)).kind == .directPush)
    options.sendsOrigin = true
    #expect(ReceivedMessage(try said.payload(options, at: Self.now)).kind == .pushToUser)
    #expect(ReceivedMessage(userInfo: ["o": "EVENT"]).kind == .pushToApp)
  }

  @Test(
    arguments: [.app, .user("ann"), .group("friday"), .thing("th.hall")] as [MessageScope])
  func `whose it is comes through`(scope: MessageScope) throws {
    let said = TopicMessage(to: "t", scope: scope, appID: "matinee", sender: "th.hall")
    let message = ReceivedMessage(try said.payload(at: Self.now))
    #expect(message.scope == scope)
    #expect(message.sourceThing == (scope == .thing("th.hall") ? "th.hall" : nil))
    #expect(message.senderThing == "th.hall")
    #expect(message.sender == nil)
  }

  // Proves: K18
  @Test func `fields of the wrong type are as good as none`() {
    let names = ["a", "s", "o", "w", "t", "to", "bi", "bt", "oi", "om", "st", "su", "sg", "sth"]
    let values: [PayloadValue] = [.null, true, .number(.nan), [], [:]]
    for value in values {
      let fields = Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
      let message = ReceivedMessage(userInfo: fields)
      #expect(message.kind == .directPush)
      #expect(message.when == nil && message.scope == nil && message.change == nil)
    }
    #expect(ReceivedMessage(userInfo: ["st": "APP_AND_USER"]).scope == nil)
    #expect(ReceivedMessage(userInfo: ["st": "NOBODY"]).scope == nil)
    let latest = Instant(microseconds: .max)
    #expect(ReceivedMessage(userInfo: ["w": .integer(.max)]).when == latest)
  }

  @Test func `a way can be left out, or have fields of its own`() {
    var options = PushOptions()
    options.sendsToDevelopment = false
    options.transports[.apns] = .init(isEnabled: false)
    options.transports[.webPush] = .init(data: ["icon": "popcorn.png", "x": 2, "aps": 1])
    #expect(options.reaches(.connection, isDevelopment: false))
    #expect(!options.reaches(.connection, isDevelopment: true))
    #expect(!options.reaches(.apns, isDevelopment: false))
    let payload = NotificationPayload.silent(["x": 1])
    #expect(options.payload(payload, over: .connection) == payload)
    #expect(
      options.payload(payload, over: .webPush)
        == .silent(["x": 2, "icon": "popcorn.png"]))
    options = PushOptions()
    for way in TransportKind.allCases {
      #expect(
        options.reaches(way, isDevelopment: true) && options.reaches(way, isDevelopment: false))
    }
  }
}

extension PayloadFault {
  /// The same fault of a field for one transport.
  fileprivate func over(_ transport: TransportKind) -> PayloadFault {
    switch self {
    case .nested(let field, _): .nested(field: field, over: transport)
    case .reserved(let field, _): .reserved(field: field, over: transport)
    case .tooLarge: self
    }
  }
}
