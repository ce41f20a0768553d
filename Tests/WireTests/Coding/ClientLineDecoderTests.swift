import Testing
import Vocabulary
import Wire

@Suite struct ClientLineDecoderTests {
  @Test(arguments: ["", " ", "hello", "[]", "1", #"{"type":"play""#, #"{"type":"play",}"#, "\u{0}"])
  func `what is no JSON object is told so, without an id`(line: String) {
    let refusal = refusal(of: line)
    #expect(refusal?.error.code == .notJSON)
    #expect(refusal?.request == nil)
  }

  @Test(
    arguments: [
      ("18446744073709551615", true), ("18446744073709551616", false),
      ("-9223372036854775808", true), ("-9223372036854775809", false),
      ("100000000000000000000", false), ("1e20", true), (#""\ud83c\udfac""#, true),
      (#""\ud83d""#, false), (nested(62), true), (nested(63), false),
    ])
  func `numbers beyond 64 bits, half a surrogate pair and depths beyond 63 are not read`(
    value: String, isRead: Bool
  ) {
    let refusal = refusal(of: #"{"type":"leave","id":7,"x":\#(value)}"#)
    #expect(refusal?.error.code == (isRead ? nil : .notJSON))
    #expect(refusal?.request == nil)
  }

  @Test(
    arguments: [
      (#""type":"send","payload":%"#, "payload"), (#""type":"message","payload":%"#, "payload"),
      (#""type":"addAttachment","bytes":1,"metadata":%"#, "metadata"),
      (
        #""type":"activate","activity":{"type":"w","metadata":{"title":""},"payload":%}"#,
        "activity.payload"
      ),
      (
        #""type":"stage","activity":{"type":"w","metadata":{"title":""},"payload":%}"#,
        "activity.payload"
      ),
      (
        #""type":"setActivity","activity":{"type":"w","metadata":{"title":""},"payload":%}"#,
        "activity.payload"
      ),
    ])
  func `an app's value nests to its bound and no deeper`(fields: String, field: String) {
    func refusal(_ levels: Int) -> MalformedLine? {
      let value = Self.nested(levels)
      return WireTests.refusal(of: #"{"id":7,\#(fields.replacing("%", with: value))}"#)
    }
    #expect(refusal(Limits.payloadLevels) == nil)
    let deeper = refusal(Limits.payloadLevels + 1)
    #expect(deeper?.request == 7)
    #expect(deeper?.error.code == .invalidField)
    #expect(deeper?.error.field?.hasPrefix(field + "[0]") == true)
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + "0" + String(repeating: "]", count: depth)
  }

  @Test func `a line that is too long is told the limit`() {
    var limits = Limits()
    limits.lineBytes = 32
    let refusal = refusal(of: #"{"type":"leaveGroup","id":1,"x":"y"}"#, limits: limits)
    #expect(refusal?.error == ProtocolError(.lineTooLong, limit: 32))
  }

  @Test func `an unknown type is named, and its request answered`() {
    let refusal = refusal(of: #"{"type":"sek","id":7}"#)
    #expect(refusal?.request == 7)
    #expect(refusal?.error.code == .unknownType)
    #expect(refusal?.error.message.contains("'sek'") == true)
    #expect(refusal?.error.field == "type")
  }

  @Test(arguments: ["welcome", "event", "Play", " play", ""])
  func `types of servers, and almost types, are unknown`(type: String) {
    #expect(refusal(of: #"{"type":"\#(type)","id":7}"#)?.error.code == .unknownType)
  }

  @Test(
    arguments: [
      (#"{}"#, "type"), (#"{"type":null}"#, "type"), (#"{"type":7}"#, "type"),
      (#"{"type":"leaveGroup"}"#, "id"), (#"{"type":"leaveGroup","id":-1}"#, "id"),
      (#"{"type":"leaveGroup","id":"1"}"#, "id"), (#"{"type":"leaveGroup","id":1.5}"#, "id"),
      (#"{"type":"leaveGroup","id":9007199254740993}"#, "id"),
      (#"{"type":"leaveGroup","id":18446744073709551615}"#, "id"),
    ])
  func `a request without a good type or id is answered without one`(line: String, field: String) {
    let refusal = refusal(of: line)
    #expect(refusal?.error.code == .invalidField)
    #expect(refusal?.error.field == field)
    #expect(refusal?.request == nil)
  }

  @Test(
    arguments: [
      // Missing, and of the wrong type.
      (#""type":"joinGroup""#, "group"), (#""type":"joinGroup","group":1"#, "group"),
      (#""type":"setSharing","sharing":1"#, "sharing"), (#""type":"join""#, "session"),
      (#""type":"play","item":{}"#, "item"), (#""type":"insert","media":{}"#, "media"),
      (#""type":"insert","media":[{"url":"a"},{"url":"b","title":7}]"#, "media[1].title"),
      (#""type":"activate","activity":{"type":"a"}"#, "activity.metadata"),
      (#""type":"activate","activity":{"type":"a","metadata":{}}"#, "activity.metadata.title"),
      (#""type":"send","to":7"#, "to"), (#""type":"send","to":["p-1",2]"#, "to[1]"),
      // Empty.
      (#""type":"joinGroup","group":"""#, "group"), (#""type":"play","item":"""#, "item"),
      (#""type":"leave","session":"""#, "session"), (#""type":"suspend","reason":"""#, "reason"),
      (#""type":"insert","media":[{"url":""}]"#, "media[0].url"),
      (#""type":"send","to":[""]"#, "to[0]"),
      // Out of range.
      (#""type":"setRate","item":"a","rate":0.2"#, "rate"),
      (#""type":"setRate","item":"a","rate":4.001"#, "rate"),
      (#""type":"setRate","item":"a","rate":-1"#, "rate"),
      (#""type":"play","item":"a","rate":0"#, "rate"),
      (#""type":"seek","item":"a","mediaTime":-1"#, "mediaTime"),
      (#""type":"seek","item":"a","mediaTime":9007199254740993"#, "mediaTime"),
      (#""type":"seek","item":"a","mediaTime":1.5"#, "mediaTime"),
      (#""type":"transition","item":"a","duration":-1"#, "duration"),
      (#""type":"ready","item":"a","answers":-1"#, "answers"),
      (#""type":"endSuspension","suspension":-1"#, "suspension"),
      (
        #""type":"setActivity","activity":{"type":"a","metadata":{"title":""}},"ifRevision":-1"#,
        "ifRevision"
      ),
      (
        #""type":"setWaitingPolicy","waitingPolicy":{"maximumWait":-1}"#,
        "waitingPolicy.maximumWait"
      ),
      (
        #""type":"setWaitingPolicy","waitingPolicy":{"maximumWait":600000001}"#,
        "waitingPolicy.maximumWait"
      ),
      (
        #""type":"setWaitingPolicy","waitingPolicy":{"participantLimits":{"a":-1}}"#,
        "waitingPolicy.participantLimits.a"
      ),
      // No such word.
      (#""type":"setWaitingPolicy","waitingPolicy":"never""#, "waitingPolicy"),
      (#""type":"setDismissalPolicy","dismissalPolicy":"never""#, "dismissalPolicy"),
      (#""type":"setDismissalPolicy""#, "dismissalPolicy"),
      (#""type":"setWaitingPolicy""#, "waitingPolicy"),
      (#""type":"setRepeat","repeat":"twice""#, "repeat"),
      (#""type":"setRole","participant":"p-1","role":"guests""#, "role"),
      (#""type":"setReadyToStart","ready":1"#, "ready"), (#""type":"setReadyToStart""#, "ready"),
      (#""type":"move","entry":"e1","position":"front""#, "position"),
      (#""type":"move","entry":"e1","position":{}"#, "position.after"),
      (#""type":"send","to":"everyone""#, "to"),
    ])
  func `a bad field is named by its way, and the request answered`(fields: String, field: String) {
    let refusal = refusal(of: "{" + fields + #","id":7}"#)
    #expect(refusal?.error.code == .invalidField)
    #expect(refusal?.error.field == field)
    #expect(refusal?.error.message.contains(field) == true)
    #expect(refusal?.request == 7)
  }

  @Test(
    arguments: [
      (#""type":"hello""#, "user"), (#""type":"hello","user":"a","name":"""#, "name"),
      (#""type":"hello","user":"a","versions":[-1]"#, "versions[0]"),
      (#""type":"hello","user":"a","features":[""]"#, "features[0]"),
      (#""type":"hello","user":"a","resume":{}"#, "resume.token"),
      (#""type":"hello","user":"a","resume":{"token":"t","seq":-1}"#, "resume.seq"),
      (#""type":"ping""#, "sent"), (#""type":"ping","sent":1,"roundTrip":-1"#, "roundTrip"),
      (#""type":"report","item":"a","mediaTime":0,"at":-1,"playing":true"#, "at"),
      (#""type":"report","item":"a","mediaTime":0,"at":1"#, "playing"),
      (#""type":"message","session":"""#, "session"),
    ])
  func `a line that is no request is answered without an id`(fields: String, field: String) {
    let refusal = refusal(of: "{" + fields + "}")
    #expect(refusal?.error.code == .invalidField)
    #expect(refusal?.error.field == field)
    #expect(refusal?.request == nil)
  }

  @Test func `a string that is no Unicode is no JSON`() {
    let refusal = refusal(of: #"{"type":"joinGroup","id":7,"group":"\udc00"}"#)
    #expect(refusal?.error.code == .notJSON)
  }

  @Test func `one decoder reads line after line, good and bad`() throws {
    var decoder = ClientLineDecoder(limits: Limits())
    var refused = 0
    for id in 0..<100 as Range<Int64> {
      let good = Array(#"{"type":"leaveGroup","id":\#(id)}"#.utf8)
      let bad = Array(good.dropLast())
      let message = try decoder.decode(good.span)
      #expect(message == .request(id, .leaveGroup))
      do throws(MalformedLine) {
        _ = try decoder.decode(bad.span)
      } catch { refused += 1 }
    }
    #expect(refused == 100)
  }
}
