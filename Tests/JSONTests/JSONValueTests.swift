import JSON
import Testing
import Vocabulary

@Suite struct JSONValueTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("5.0", 5), ("5e0", 5), ("-1.5e1", -15), ("9007199254740992.0", 1 << 53),
    ] as [(String, Int64)])
  func `whole numbers read exactly, however they are written`(text: String, number: Int64) throws {
    #expect(
      try read(#"{"a":"# + text + "}") { (o) throws(DecodingFlaw) in try o.int64("a") } == number)
  }

  @Test(arguments: ["9223372036854775808", "18446744073709551615", "1e16", "-1e16", "9e18"])
  func `whole numbers beyond the range are refused`(text: String) {
    let found = flaw(#"{"a":"# + text + "}") { (o) throws(DecodingFlaw) in _ = try o.int64("a") }
    #expect(
      found
        == .outOfRange(
          field: "a", allowed: "between -9223372036854775808 and 9223372036854775807"))
  }

  @Test(arguments: ["1.5", "1e300", "-0.1", "1e-300"])
  func `numbers with a fraction are no integers`(text: String) {
    let found = flaw(#"{"a":"# + text + "}") { (o) throws(DecodingFlaw) in _ = try o.int64("a") }
    #expect(found == .wrongType(field: "a", expected: .integer))
  }

  @Test func `the ends of a range belong to it`() throws {
    for (text, inside) in [("-1", false), ("0", true), ("10", true), ("11", false)] {
      let line = #"{"a":"# + text + "}"
      let range = DecodingFlaw.outOfRange(field: "a", allowed: "between 0 and 10")
      #expect(
        flaw(line) { (o) throws(DecodingFlaw) in _ = try o.int64("a", in: 0...10) }
          == (inside ? nil : range))
      #expect(
        flaw(line) { (o) throws(DecodingFlaw) in _ = try o.int("a", in: 0...10) }
          == (inside ? nil : range))
      #expect(
        flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalInt64("a", in: 0...10) }
          == (inside ? nil : range))
      #expect(
        flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalInt("a", in: 0...10) }
          == (inside ? nil : range))
    }
    let found = flaw(#"{"a":4.5}"#) { (o) throws(DecodingFlaw) in
      _ = try o.double("a", in: 0.25...4)
    }
    #expect(found == .outOfRange(field: "a", allowed: "between 0.25 and 4.0"))
    #expect(
      try read(#"{"a":4}"#) { (o) throws(DecodingFlaw) in try o.double("a", in: 0.25...4) } == 4)
  }

  @Test func `lengths are counted in bytes and elements, up to the maximum`() {
    func atMost(_ maximum: Int) -> (JSONObject) throws(DecodingFlaw) -> Void {
      { (o) throws(DecodingFlaw) in
        _ = try o.string("s", maximum: maximum)
        _ = try o.array("a", maximum: maximum)
        _ = try o.value("r").rawJSON(maximum: maximum)
      }
    }
    #expect(flaw(#"{"s":"é","a":[1,2],"r":12}"#, atMost(2)) == nil)
    #expect(flaw(#"{"s":"éa","a":[1],"r":1}"#, atMost(2)) == .tooLong(field: "s", limit: 2))
    #expect(flaw(#"{"s":"a","a":[1,[],3],"r":1}"#, atMost(2)) == .tooLong(field: "a", limit: 2))
    #expect(flaw(#"{"s":"a","a":[1],"r":123}"#, atMost(2)) == .tooLong(field: "r", limit: 2))
  }

  @Test func `a flaw names the way to its field`() {
    let line = #"{"a":{"b":[[],{"c":[0,"x"],"d":{}}]},"e":1}"#
    let wrong = flaw(line) { (o) throws(DecodingFlaw) in
      try o.object("a").array("b", maximum: 2).forEach { (element) throws(DecodingFlaw) in
        guard element.type == .object else { return }
        _ = try element.object().array("c", maximum: 2).map { (x) throws(DecodingFlaw) in
          try x.int64()
        }
      }
    }
    #expect(wrong == .wrongType(field: "a.b[1].c[1]", expected: .integer))
    let missing = flaw(line) { (o) throws(DecodingFlaw) in
      try o.object("a").array("b", maximum: 2).forEach { (element) throws(DecodingFlaw) in
        guard element.type == .object else { return }
        _ = try element.object().object("d").bool("é")
      }
    }
    #expect(missing == .missing(field: "a.b[1].d.é"))
    let last = flaw(line) { (o) throws(DecodingFlaw) in
      throw o.outOfRange("e", allowed: "even")
    }
    #expect(last == .outOfRange(field: "e", allowed: "even"))
    let one = flaw(line) { (o) throws(DecodingFlaw) in
      throw try o.value("e").outOfRange(allowed: "even")
    }
    #expect(one == last)
  }

  @Test func `a flaw stays short however long a peer's names are`() {
    let name = String(repeating: "n", count: 5000)
    let found = flaw("{\"\(name)\":{}}") { (o) throws(DecodingFlaw) in
      try o.forEachField(nameMaximum: 5000) { (_, value) throws(DecodingFlaw) in
        _ = try value.bool()
      }
    }
    #expect(
      found
        == .wrongType(field: String(repeating: "n", count: 64) + "…", expected: .boolean))
  }

  @Test(arguments: [
    (#" { "b" : [ 1 , 2.50 , -3e2 ] , "a" : null } "#, #"{"b":[1,2.5,-300.0],"a":null}"#),
    (#""\u00e9\/\u0001\"""#, #""é/\u0001\"""#),
    ("18446744073709551615", "18446744073709551615"),
    ("[18446744073709551615,1,1.5,-1,\"x\"]", "[18446744073709551615,1,1.5,-1,\"x\"]"),
    ("[ ]", "[]"), ("{ }", "{}"), ("true", "true"), ("[false,[[]],{}]", "[false,[[]],{}]"),
    (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
  ])
  func `raw JSON is the value's text, minified`(text: String, minified: String) throws {
    let raw = try read(#"{"p":"# + text + "}") { (o) throws(DecodingFlaw) in
      try o.value("p").rawJSON(maximum: 1000)
    }
    #expect(raw.text == minified)
  }
}
