import JSON
import Naming
import Testing
import UserNotifications
import Vocabulary
import WireTesting

@testable import Wire

/// A payload as it travels: real JSON, which comes back as it was, and has as many bytes as counted.
@Suite struct PayloadCodingTests {
  private func text(_ value: PayloadValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func value(_ json: String) throws -> PayloadValue? {
    var parser = JSONParser(maximumBytes: 1 << 16)
    return try parser.parse(#"{"v":{"x":\#(json)}}"#.utf8.span) { (object) throws(DecodingFlaw) in
      try object.payloadFields("v", within: .line)["x"]
    }
  }

  private func payload(_ json: String) throws -> NotificationPayload {
    var parser = JSONParser(maximumBytes: 1 << 16)
    return try parser.parse(#"{"payload":\#(json)}"#.utf8.span) { (object) throws(DecodingFlaw) in
      try NotificationPayload.read("payload", of: object, within: .line)
    }
  }

  @Test(
    arguments: [
      ("7", .integer(7)), ("-1", .integer(-1)), ("0", .integer(0)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("7.0", .number(7)), ("7e0", .number(7)), ("1.5", .number(1.5)), ("-0.25", .number(-0.25)),
      ("1E2", .number(100)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("true", true), ("false", false), ("null", .null), (#""é \" \u0041""#, "é \" A"),
      ("[]", []), ("{}", [:]), (#"[1,[1.0,null]]"#, [1, [1.0, .null]]),
      (#"{"b":1,"a":{"":2}}"#, ["a": ["": 2], "b": 1]), (#"{"a":1,"a":2}"#, ["a": 1]),
    ] as [(String, PayloadValue)])
  func `a value is read as what it is`(json: String, expected: PayloadValue) throws {
    let read = try #require(try value(json))
    #expect(read == expected)
    #expect(try value(text(read)) == read)
  }

  @Test(
    arguments: [
      (.integer(7), "7"), (.number(7), "7.0"), (.number(-0.5), "-0.5"), (.number(1e300), "1e+300"),
      (.number(.nan), "null"), (.number(.infinity), "null"), (.null, "null"), (true, "true"),
      ("a\n\u{1}\"\\/é😀", #""a\n\u0001\"\\/é😀""#), ([1, 2.5, []], "[1,2.5,[]]"),
      (["b": [:], "a": .null], #"{"a":null,"b":{}}"#),
    ] as [(PayloadValue, String)])
  func `a value is written minified, in the order of its names`(
    value: PayloadValue, json: String
  ) {
    #expect(text(value) == json)
    #expect(value.jsonByteCount == json.utf8.count)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `what is counted is what is written`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let value = random.payloadValue()
    #expect(value.jsonByteCount == text(value).utf8.count)
    #expect(try self.value(text(value)) == value)
    let payload = random.notificationPayload()
    var writer = JSONWriter()
    payload.write(to: &writer)
    #expect(payload.jsonByteCount == writer.bytes.count)
    #expect(try self.payload(String(decoding: writer.bytes, as: UTF8.self)) == payload)
  }

  /// Every byte there is within a text, so that no escape is counted otherwise than written.
  @Test func `all characters are counted as they are written`() {
    for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
      let value = PayloadValue.dictionary([String(scalar): .string(String(scalar))])
      #expect(value.jsonByteCount == text(value).utf8.count, "\(scalar.value)")
    }
  }

  @Test(arguments: [4_096, 4_097])
  func `4096 bytes on the wire may travel, and no more`(bytes: Int) throws {
    let frame = #"{"aps":{"alert":""},"x":1}"#.utf8.count
    let body = String(repeating: "x", count: bytes - frame)
    let line =
      #"{"type":"push","id":1,"user":"ben","payload":{"aps":{"alert":"\#(body)"},"x":1},"#
      + #""key":"k"}"#
    guard case .request(1, .notifications(.push(let push))) = try clientMessage(line) else {
      Issue.record("no push")
      return
    }
    #expect(push.payload.jsonByteCount == bytes)
    guard bytes > NotificationPayload.byteLimit else { return try push.payload.check() }
    #expect(throws: PayloadFault.tooLarge(bytes: 4_097, limit: 4_096)) {
      try push.payload.check()
    }
  }

  /// Escapes and spaces that a sender did not need are not counted: only what goes on is.
  @Test func `what counts is the minified payload`() throws {
    let payload = try payload(#"{ "aps" : { "alert" : "\u0061\/" }, "x" : 1 }"#)
    #expect(payload.jsonByteCount == #"{"aps":{"alert":"a/"},"x":1}"#.utf8.count)
  }

  // Proves: K18
  @Test(arguments: [
    "{}", #"{"aps":null}"#, #"{"aps":7}"#, #"{"aps":[{"alert":"a"}]}"#, #"{"aps":{"category":7}}"#,
    #"{"aps":{"category":null,"alert":7,"badge":"1","sound":true,"thread-id":{}}}"#,
    #"{"aps":{"alert":{},"badge":-1,"sound":{"volume":1},"relevance-score":2}}"#,
    #"{"aps":{"alert":{"title":7,"launch-image":"i"},"interruption-level":"loud","badge":1.5}}"#,
    #"{"aps":{"content-available":"1","mutable-content":2,"target-content-id":[]}}"#,
  ])
  func `whatever aps is, the notification arrives`(json: String) throws {
    let line = #"{"type":"notification","notification":"n","at":7,"payload":\#(json)}"#
    guard case .notification(let notification) = try serverMessage(line) else {
      Issue.record("no notification")
      return
    }
    var expected = NotificationPayload()
    expected.otherFields = notification.payload.otherFields
    #expect(notification.payload == expected)
    #expect(notification.payload.categoryID == nil)
    #expect(notification.payload.otherFields.isEmpty)
    // Read once, it is the same for good.
    let again = ServerMessage.notification(notification)
    #expect(try serverMessage(WireTests.text(of: again)) == again)
  }

  /// Otherwise it would be one before it is written, and none afterwards.
  @Test(arguments: [#""""#, #"{"body":""}"#, #"{"body":"","launch-image":"i"}"#])
  func `an alert that says nothing is none`(alert: String) throws {
    #expect(try payload(#"{"aps":{"alert":\#(alert)}}"#) == NotificationPayload())
  }

  @Test func `a payload that is no object is no notification`() {
    for payload in ["7", #""text""#, "[]", "null"] {
      let line = #"{"type":"notification","notification":"n","at":7,"payload":\#(payload)}"#
      #expect(throws: MalformedLine.self) { try serverMessage(line) }
    }
  }
}
