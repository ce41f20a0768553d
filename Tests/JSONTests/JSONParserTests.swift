import JSON
import Testing

@Suite struct JSONParserTests {
  @Test(arguments: [
    "", " ", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{'a':1}", "{\"a\":1} x",
    "{\"a\":1}{\"a\":2}", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":-Infinity}", "{\"a\":01}",
    "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e400}",
    "{\"a\":123456789012345678901234567890}", "{\"a\":tru}", "{\"a\":\"\\ud800\"}",
    "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\u{1}\"}",
    "{\"a\":\"", "\u{FEFF}{}", "{\"a\":1}\0",
  ])
  func `what is not JSON is refused with a reason`(text: String) {
    #expect(reading(text) == "not JSON")
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
    let line = Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)
    #expect(reading(line) { (_) throws(DecodingFlaw) in } == "not JSON")
  }

  @Test func `a low surrogate alone is refused when its string is read`() {
    #expect(reading(#"{"a":"\udc00"}"#) == "not JSON")
  }

  @Test(arguments: ["[]", "[{}]", "1", "\"a\"", "null", "true"])
  func `a line that is no object is refused`(text: String) {
    #expect(
      reading(Array(text.utf8)) { (_) throws(DecodingFlaw) in }
        == "The line must be an object.")
  }

  @Test(arguments: ["{}", "{\"a\":1}", " \t{ \"a\" : [ 1 , 2 ] }\r"])
  func `white space is no matter`(text: String) {
    #expect(reading(text) == "read")
  }

  @Test func `containers nest to the maximum and no deeper`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "{\"a\":", count: depth - 1) + "{}"
        + String(repeating: "}", count: depth - 1)
    }
    #expect(reading(nested(JSONParser.maximumDepth - 1)) == "read")
    #expect(reading(nested(JSONParser.maximumDepth + 1)) == "not JSON")
    #expect(reading(nested(10_000)) == "not JSON")
    #expect(reading(String(repeating: "[", count: 30_000)) == "not JSON")
  }

  @Test func `a line may be as long as the maximum and no longer`() throws {
    var parser = JSONParser(maximumBytes: 40)
    let longest = #"{"a":""# + String(repeating: "x", count: 32) + #""}"#
    #expect(longest.utf8.count == 40)
    let length = try parser.parse(longest.utf8.span) { (line) throws(DecodingFlaw) in
      try line.string("a", maximum: 40).utf8.count
    }
    #expect(length == 32)
    #expect(throws: DecodingFlaw.tooLong(field: "", limit: 40)) {
      try parser.parse((longest + " ").utf8.span) { (_) throws(DecodingFlaw) in }
    }
  }

  @Test func `a parser reads on after a flaw, without a trace of the line before`() throws {
    var parser = JSONParser(maximumBytes: 1000)
    for _ in 0..<3 {
      #expect(throws: DecodingFlaw.self) {
        try parser.parse(#"{"a":"left over"#.utf8.span) { (_) throws(DecodingFlaw) in }
      }
      let has = try parser.parse(#"{"b":1}"#.utf8.span) { $0.has("a") }
      #expect(!has)
    }
  }

  /// Reads a line and everything in it.
  private func reading(_ text: String) -> String {
    reading(Array(text.utf8)) { (line) throws(DecodingFlaw) in
      try line.forEachField(nameMaximum: 1000) { (_, value) throws(DecodingFlaw) in
        _ = try value.rawJSON(maximum: .max)
      }
    }
  }

  private func reading(
    _ bytes: [UInt8], _ body: (JSONObject) throws(DecodingFlaw) -> Void
  ) -> String {
    var parser = JSONParser(maximumBytes: 100_000)
    do throws(DecodingFlaw) {
      try parser.parse(bytes.span, body)
      return "read"
    } catch {
      guard case .notJSON(let reason) = error else { return error.description }
      return reason.isEmpty ? "no reason" : "not JSON"
    }
  }
}
