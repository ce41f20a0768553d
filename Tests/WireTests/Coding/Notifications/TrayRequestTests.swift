import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

/// What clients ask about notifications: what may be left out, and how much it may be.
@Suite struct TrayRequestTests {
  private static let limits: Limits = {
    var limits = Limits()
    limits.identifierBytes = 11
    limits.nameBytes = 13
    return limits
  }()

  private func request(_ fields: String) throws -> TrayRequest? {
    guard
      case .request(1, .notifications(let request)) = try clientMessage("{" + fields + #","id":1}"#)
    else { return nil }
    return request
  }

  private func flaw(_ fields: String) -> ProtocolError? {
    let refusal = refusal(of: "{" + fields + #","id":1}"#, limits: Self.limits)
    #expect(refusal == nil || refusal?.request == 1)
    return refusal?.error
  }

  private static let options: PushOptions = {
    var options = PushOptions()
    options.sendsAppID = true
    options.sendsSender = false
    options.transports[.webPush] = PushOptions.Transport(data: ["seat": 12])
    options.transports[.apns] = PushOptions.Transport(isEnabled: false)
    return options
  }()

  @Test(
    arguments: [
      (#""type":"registerForNotifications""#, .register()),
      (
        #""type":"registerForNotifications","mode":null,"development":false,"webPush":null"#,
        .register()
      ),
      (
        #""type":"registerForNotifications","mode":"center","apns":{"token":"0f","topic":"a.b"}"#,
        .register(.apns(token: "0f", topic: "a.b", isSandbox: false))
      ),
      // As a browser writes it.
      (
        #""type":"registerForNotifications","webPush":{"endpoint":"https://p.org/1","#
          + #""expirationTime":null,"keys":{"p256dh":"BP4z","auth":"BTBZ"}}"#,
        .register(.webPush(endpoint: "https://p.org/1", publicKey: "BP4z", secret: "BTBZ"))
      ),
      (#""type":"publish","topic":"app/news""#, .publish(TopicPublication(to: "app/news"))),
      (
        #""type":"publish","topic":"app/news","alert":{"body":"Hello"},"data":{},"options":{}"#,
        .publish(
          TopicPublication(
            to: "app/news", alert: NotificationPayload.Alert(body: "Hello")))
      ),
      (
        #""type":"publish","topic":"t","alert":"Hello","category":"PROPOSAL""#,
        .publish(
          TopicPublication(
            to: "t", alert: NotificationPayload.Alert(body: "Hello"), category: "PROPOSAL"))
      ),
      (
        #""type":"publish","topic":"t","options":{"sendSender":true,"transports":{"apns":{}}}"#,
        .publish(TopicPublication(to: "t", options: named(.apns)))
      ),
      (
        #""type":"push","user":"ben","payload":{}"#,
        .push(DirectPush(to: "ben", NotificationPayload()))
      ),
      (
        #""type":"reportNotification","notification":"n","report":"responded","action":"a""#,
        .report("n", .responded(actionID: "a", text: nil))
      ),
      (#""type":"removeNotifications","notifications":[]"#, .remove([])),
    ] as [(String, TrayRequest)])
  func `what may be left out is left out`(fields: String, expected: TrayRequest) throws {
    #expect(try request(fields) == expected)
  }

  /// A way that is as usual, and named all the same.
  private static func named(_ kind: TransportKind) -> PushOptions {
    var options = PushOptions()
    options.transports[kind] = PushOptions.Transport()
    return options
  }

  @Test(
    arguments: [
      (
        .register(
          mode: .legacySettings, isDevelopment: true,
          .apns(token: "0f", topic: "a.b", isSandbox: true)),
        #"{"type":"registerForNotifications","id":1,"mode":"legacySettings","development":true,"#
          + #""apns":{"token":"0f","topic":"a.b","sandbox":true}}"#
      ),
      (
        .register(.webPush(endpoint: "https://p.org/1", publicKey: "BP4z", secret: "BTBZ")),
        #"{"type":"registerForNotifications","id":1,"webPush":{"endpoint":"https://p.org/1","#
          + #""keys":{"p256dh":"BP4z","auth":"BTBZ"}}}"#
      ),
      (.unregister, #"{"type":"unregisterFromNotifications","id":1}"#),
      (
        .subscribe(.topic("group/club")), #"{"type":"subscribe","id":1,"topic":"group/club"}"#
      ),
      (
        .subscribe(.object(.part(.queue, of: "s-1"))),
        #"{"type":"subscribe","id":1,"session":"s-1","part":"queue"}"#
      ),
      (
        .subscribe(.object(.own("votes", of: "club"))),
        #"{"type":"subscribe","id":1,"group":"club","object":"votes"}"#
      ),
      (
        .unsubscribe(.object(.part(.state, of: "s-1"))),
        #"{"type":"unsubscribe","id":1,"session":"s-1","part":"state"}"#
      ),
      (
        .publish(
          TopicPublication(
            to: "app/news", alert: NotificationPayload.Alert(title: "News", body: "Hello"),
            data: ["b": 2, "a": "x"], options: options, key: "secret")),
        #"{"type":"publish","id":1,"topic":"app/news","alert":{"body":"Hello","title":"News"},"#
          + #""data":{"a":"x","b":2},"options":{"sendAppID":true,"sendSender":false,"transports":"#
          + #"{"webPush":{"data":{"seat":12}},"apns":{"enabled":false}}},"key":"secret"}"#
      ),
      (
        .push(
          DirectPush(
            to: "ben",
            NotificationPayload(NotificationPayload.Alert(body: "Ready"), custom: ["seat": 12]),
            collapseID: "seat", timeToLive: .seconds(60), key: "secret")),
        #"{"type":"push","id":1,"user":"ben","payload":{"aps":{"alert":"Ready"},"seat":12},"#
          + #""collapseID":"seat","timeToLive":60000000,"key":"secret"}"#
      ),
      (.list, #"{"type":"listNotifications","id":1}"#),
      (
        .report("n-1", .acknowledged(.notPresented)),
        #"{"type":"reportNotification","id":1,"notification":"n-1","report":"acknowledged","#
          + #""result":"notPresented"}"#
      ),
      (
        .report("n-1", .responded(actionID: ActionIdentifier.reply, text: "Save me a seat")),
        #"{"type":"reportNotification","id":1,"notification":"n-1","report":"responded","#
          + #""action":"REPLY_IDENTIFIER","text":"Save me a seat"}"#
      ),
      (
        .report("n-1", .removed),
        #"{"type":"reportNotification","id":1,"notification":"n-1","report":"removed"}"#
      ),
      (
        .remove(["n-1", "n-2"]),
        #"{"type":"removeNotifications","id":1,"notifications":["n-1","n-2"]}"#
      ),
      (.wipe, #"{"type":"wipeNotifications","id":1}"#),
      (
        .objectState(ServerObject.part(.state, of: "s-1")),
        #"{"type":"objectState","id":1,"session":"s-1","part":"state"}"#
      ),
    ] as [(TrayRequest, String)])
  func `clients say`(request: TrayRequest, line: String) throws {
    #expect(text(of: ClientMessage.request(1, .notifications(request))) == line)
    #expect(try clientMessage(line) == .request(1, .notifications(request)))
  }

  @Test(
    arguments: [
      (#""type":"registerForNotifications","mode":"silent""#, "mode"),
      (#""type":"registerForNotifications","development":1"#, "development"),
      (#""type":"registerForNotifications","webPush":"https://p.org/1""#, "webPush"),
      (#""type":"registerForNotifications","webPush":{"endpoint":"e"}"#, "webPush.keys"),
      (
        #""type":"registerForNotifications","webPush":{"endpoint":"e","keys":{}}"#,
        "webPush.keys.p256dh"
      ),
      (
        #""type":"registerForNotifications","webPush":{"keys":{"p256dh":"k","auth":"a"}}"#,
        "webPush.endpoint"
      ),
      (
        #""type":"registerForNotifications","webPush":{"endpoint":"e","keys":{"p256dh":"k"}}"#,
        "webPush.keys.auth"
      ),
      (#""type":"registerForNotifications","apns":{"topic":"t"}"#, "apns.token"),
      (#""type":"registerForNotifications","apns":{"token":"t"}"#, "apns.topic"),
      (
        #""type":"registerForNotifications","apns":{"token":"t","topic":"t","sandbox":1}"#,
        "apns.sandbox"
      ),
      (
        #""type":"registerForNotifications","apns":{"token":"t","topic":"t"},"webPush":{}"#,
        "webPush"
      ),
      (#""type":"subscribe""#, "topic"), (#""type":"subscribe","topic":"""#, "topic"),
      (#""type":"subscribe","session":"s","topic":"t""#, "topic"),
      (#""type":"subscribe","session":"s""#, "part"),
      (#""type":"subscribe","session":"s","part":"participants""#, "part"),
      (#""type":"unsubscribe","part":"queue""#, "topic"),
      (#""type":"publish""#, "topic"), (#""type":"publish","topic":7"#, "topic"),
      (#""type":"publish","topic":"t","alert":"""#, "alert"),
      (#""type":"publish","topic":"t","alert":7"#, "alert"),
      (#""type":"publish","topic":"t","alert":{"launch-image":"i"}"#, "alert"),
      (#""type":"publish","topic":"t","data":[]"#, "data"),
      (#""type":"publish","topic":"t","options":7"#, "options"),
      (#""type":"publish","topic":"t","options":{"sendWhen":1}"#, "options.sendWhen"),
      (#""type":"publish","topic":"t","options":{"transports":[]}"#, "options.transports"),
      (
        #""type":"publish","topic":"t","options":{"transports":{"apns":{"enabled":1}}}"#,
        "options.transports.apns.enabled"
      ),
      (
        #""type":"publish","topic":"t","options":{"transports":{"connection":{"data":1}}}"#,
        "options.transports.connection.data"
      ),
      (#""type":"push","payload":{},"key":"k""#, "user"),
      (#""type":"push","user":"u","key":"k""#, "payload"),
      (#""type":"push","user":"u","payload":"text","key":"k""#, "payload"),
      (#""type":"push","user":"u","payload":{},"key":7"#, "key"),
      (#""type":"push","user":"u","payload":{},"key":"k","timeToLive":0"#, "timeToLive"),
      (
        #""type":"push","user":"u","payload":{},"key":"k","timeToLive":2419200000001"#,
        "timeToLive"
      ),
      (#""type":"push","user":"u","payload":{},"key":"k","collapseID":"""#, "collapseID"),
      (#""type":"reportNotification","report":"removed""#, "notification"),
      (#""type":"reportNotification","notification":"n""#, "report"),
      (#""type":"reportNotification","notification":"n","report":"seen""#, "report"),
      (#""type":"reportNotification","notification":"n","report":"acknowledged""#, "result"),
      (
        #""type":"reportNotification","notification":"n","report":"acknowledged","result":"ok""#,
        "result"
      ),
      (#""type":"reportNotification","notification":"n","report":"responded""#, "action"),
      (
        #""type":"reportNotification","notification":"n","report":"responded","action":"a","#
          + #""text":7"#,
        "text"
      ),
      (#""type":"removeNotifications""#, "notifications"),
      (#""type":"removeNotifications","notifications":["n",""]"#, "notifications[1]"),
      (#""type":"objectState","part":"queue""#, "session"),
      (#""type":"objectState","session":"s""#, "part"),
    ])
  func `a bad field is named by its way, and the request answered`(fields: String, field: String) {
    let flaw = flaw(fields)
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field == field)
  }

  private static let bounds = [
    Bound(line: #""type":"subscribe","topic":"%""#, field: "topic", limit: 30),
    Bound(line: #""type":"objectState","part":"queue","session":"%""#, field: "session", limit: 11),
    Bound(
      line: #""type":"registerForNotifications","webPush":{"endpoint":"%","keys":{"p256dh":"k","#
        + #""auth":"a"}}"#, field: "webPush.endpoint", limit: 2_304),
    Bound(
      line: #""type":"registerForNotifications","apns":{"token":"%","topic":"t"}"#,
      field: "apns.token", limit: 2_304),
    Bound(line: #""type":"publish","topic":"t","key":"%""#, field: "key", limit: 512),
    Bound(line: #""type":"push","payload":{},"key":"k","user":"%""#, field: "user", limit: 11),
    Bound(
      line: #""type":"push","user":"u","payload":{},"key":"k","collapseID":"%""#,
      field: "collapseID", limit: 64),
    Bound(
      line: #""type":"reportNotification","report":"removed","notification":"%""#,
      field: "notification", limit: 256),
    Bound(
      line: #""type":"reportNotification","notification":"n","report":"responded","action":"%""#,
      field: "action", limit: 13),
    Bound(
      line: #""type":"reportNotification","notification":"n","report":"responded","action":"a","#
        + #""text":"%""#, field: "text", limit: 4_096),
    Bound(
      line: #""type":"removeNotifications","notifications":[#]"#, field: "notifications", limit: 64,
      element: #""n""#),
    Bound(
      line: #""type":"removeNotifications","notifications":["%"]"#, field: "notifications[0]",
      limit: 256),
  ]

  @Test(arguments: bounds)
  func `a field may be as long as its limit and no longer`(bound: Bound) {
    #expect(flaw(bound.fields(bound.limit)) == nil)
    let flaw = flaw(bound.fields(bound.limit + 1))
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field == bound.field)
  }

  @Test(arguments: ["payload", "data", "alert", "options.transports.apns.data"])
  func `what an app nests deeper than its bound is refused`(field: String) {
    func line(_ levels: Int) -> String {
      let nest = ["[", "]"].map { String(repeating: $0, count: levels - 1) }.joined()
      let value = #"{"title":"t","x":\#(nest)}"#
      return switch field {
      case "payload": #""type":"push","user":"u","key":"k","payload":\#(value)"#
      case "options.transports.apns.data":
        #""type":"publish","topic":"t","options":{"transports":{"apns":{"data":\#(value)}}}"#
      default: #""type":"publish","topic":"t","\#(field)":\#(value)"#
      }
    }
    #expect(flaw(line(Limits.payloadLevels)) == nil)
    let flaw = flaw(line(Limits.payloadLevels + 1))
    #expect(flaw?.code == .invalidField)
    #expect(flaw?.field?.hasPrefix(field + ".x[0]") == true)
  }
}
