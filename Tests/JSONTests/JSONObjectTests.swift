import JSON
import Testing

@Suite struct JSONObjectTests {
  enum Mode: String, CaseIterable { case play, pause }

  @Test func `fields are read in any order`() throws {
    let line = #"{"s":"Zoë","i":-7,"d":1.5,"b":true,"o":{"x":1},"a":[1,2],"m":"pause"}"#
    try read(line) { (line) throws(DecodingFlaw) in
      #expect(try line.choice("m", among: Mode.self) == .pause)
      #expect(
        try line.array("a", maximum: 2).map { (x) throws(DecodingFlaw) in try x.int64() } == [1, 2])
      #expect(try line.object("o").int("x") == 1)
      #expect(try line.bool("b"))
      #expect(try line.double("d") == 1.5)
      #expect(try line.double("i") == -7)
      #expect(try line.int64("i") == -7)
      #expect(try line.string("s", maximum: 4) == "Zoë")
      #expect(line.count == 7)
      let has = line.has("s")
      #expect(has)
    }
  }

  /// Names are compared eight bytes at a time.
  @Test(arguments: 1...26)
  func `names of a length are told apart by any of their letters`(length: Int) throws {
    let name = String("abcdefghijklmnopqrstuvwxyz".prefix(length))
    for place in 0..<length {
      var other = Array(name)
      other[place] = "X"
      let line = "{\"\(String(other))\":1,\"\(name)Y\":2,\"\(name)\":3}"
      #expect(try read(line) { (o) throws(DecodingFlaw) in try o.int(name) } == 3)
      let absent = try read("{\"\(String(other))\":1}") { $0.has(name) }
      #expect(!absent)
    }
  }

  @Test func `of two fields with the same name the first counts`() throws {
    #expect(try read(#"{"a":1,"a":2}"#) { (o) throws(DecodingFlaw) in try o.int("a") } == 1)
  }

  @Test func `escaped names and strings read as what they mean`() throws {
    let line = #"{"\u0061":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"}"#
    let text = try read(line) { (o) throws(DecodingFlaw) in try o.string("a", maximum: 100) }
    #expect(text == "\"\\/\u{8}\u{c}\n\r\té😀\0")
  }

  @Test(arguments: [#"{}"#, #"{"a":null}"#, #"{"A":1,"ab":2,"":3}"#])
  func `absent and null are nil where a field is optional`(line: String) throws {
    try read(line) { (line) throws(DecodingFlaw) in
      let has = line.has("a")
      #expect(!has)
      #expect(try line.optionalString("a", maximum: 1) == nil)
      #expect(try line.optionalInt("a") == nil)
      #expect(try line.optionalInt64("a") == nil)
      #expect(try line.optionalDouble("a") == nil)
      #expect(try line.optionalBool("a") == nil)
      #expect(try line.optionalRawJSON("a", maximum: 1) == nil)
      #expect(try line.optionalChoice("a", among: Mode.self) == nil)
      let object = try line.optionalObject("a") == nil
      let array = try line.optionalArray("a", maximum: 1) == nil
      #expect(object)
      #expect(array)
    }
  }

  @Test(arguments: [#"{}"#, #"{"a":null}"#])
  func `absent and null are missing where a field is required`(line: String) {
    let missing = DecodingFlaw.missing(field: "a")
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.string("a", maximum: 1) } == missing)
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.int("a") } == missing)
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.int64("a") } == missing)
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.double("a") } == missing)
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.bool("a") } == missing)
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.object("a") } == missing)
    #expect(flaw(line) { (o) throws(DecodingFlaw) in _ = try o.array("a", maximum: 1) } == missing)
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.value("a").rawJSON(maximum: 1) } == missing
    )
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.choice("a", among: Mode.self) } == missing)
  }

  @Test(arguments: ["{}", "[]", "\"x\"", "1", "1.5", "true", "18446744073709551615"])
  func `a field of another type is refused, and no other`(json: String) {
    let line = #"{"a":"# + json + "}"
    func expected(_ type: JSONType) -> DecodingFlaw { .wrongType(field: "a", expected: type) }
    let number = json == "1" || json == "1.5" || json.count == 20
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalString("a", maximum: 1) }
        == (json == "\"x\"" ? nil : expected(.string)))
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalDouble("a") }
        == (number ? nil : expected(.number)))
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalBool("a") }
        == (json == "true" ? nil : expected(.boolean)))
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalObject("a") }
        == (json == "{}" ? nil : expected(.object)))
    #expect(
      flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalArray("a", maximum: 1) }
        == (json == "[]" ? nil : expected(.array)))
    if json.count != 20 {
      #expect(
        flaw(line) { (o) throws(DecodingFlaw) in _ = try o.optionalInt("a") }
          == (json == "1" ? nil : expected(.integer)))
    }
  }

  @Test func `an object gives its fields in order`() throws {
    let names = try read(#"{"b":1,"a":{"x":[]},"c":null}"#) { (o) throws(DecodingFlaw) in
      var names: [String] = []
      try o.forEachField(nameMaximum: 1) { (name, value) throws(DecodingFlaw) in
        names.append("\(name): \(value.type.phrase)")
      }
      return names
    }
    #expect(names == ["b: an integer", "a: an object", "c: null"])
    let long = flaw(#"{"o":{"ab":1}}"#) { (o) throws(DecodingFlaw) in
      try o.object("o").forEachField(nameMaximum: 1) { (_, _) throws(DecodingFlaw) in }
    }
    #expect(long == .tooLong(field: "o", limit: 1))
  }

  @Test func `a word that is no case is refused with those that are`() {
    let found = flaw(#"{"m":"stop"}"#) { (o) throws(DecodingFlaw) in
      _ = try o.choice("m", among: Mode.self)
    }
    #expect(found == .outOfRange(field: "m", allowed: "one of 'play', 'pause'"))
    #expect(found?.description == "The field 'm' must be one of 'play', 'pause'.")
  }
}
