import JSON
import Testing
import Vocabulary

@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `commas stand between fields and elements, and nowhere else`() {
    let text = written { writer in
      writer.object { writer in
        writer.field("a", 1)
        writer.object("empty") { _ in }
        writer.array("list") { writer in
          writer.element("x")
          writer.object { $0.field("y", true) }
          writer.array { _ in }
          writer.elementNull()
        }
        writer.field("numbers", [1, 2])
        writer.null("nothing")
      }
      writer.endLine()
      writer.object { $0.field("b", false) }
      writer.endLine()
    }
    #expect(
      text == """
        {"a":1,"empty":{},"list":["x",{"y":true},[],null],"numbers":[1,2],"nothing":null}
        {"b":false}

        """)
  }

  @Test func `a nil field is left out`() {
    let absent: String? = nil
    let present: Int64? = 3
    #expect(
      written { writer in
        writer.object {
          $0.field("a", absent)
          $0.field("b", present)
        }
      } == #"{"b":3}"#)
  }

  @Test func `what JSON demands is escaped, everything else is not`() {
    #expect(written { $0.element("plain é 😀 / \u{7F}") } == "\"plain é 😀 / \u{7F}\"")
    #expect(
      written { $0.element("\"\\\n\r\t\0\u{8}\u{1F}é") }
        == #""\"\\\n\r\t\u0000\u0008\u001fé""#)
    #expect(written { $0.object { $0.field("a\"b", 1) } } == #"{"a\"b":1}"#)
  }

  @Test(
    arguments: [
      0, 1, -1, 9, 10, 99, 100, 1_000_000, .max, .min, 999_999_999_999_999_999,
      1_000_000_000_000_000_000,
    ] as [Int64])
  func `integers are written in full`(number: Int64) {
    #expect(written { $0.element(number) } == String(number))
  }

  @Test func `integers of any length are written in full`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<20_000 {
      let number = Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 64)
      #expect(written { $0.element(number) } == String(number))
    }
    // Each place once with zeros behind it, and with nines.
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      for number in [power - 1, power, power + 1] {
        #expect(written { $0.element(number) } == String(number))
      }
    }
  }

  @Test(
    arguments: [
      (1000, "1"), (1050, "1.05"), (250, "0.25"), (0, "0"), (1, "0.001"), (-1500, "-1.5"),
      (-1, "-0.001"), (4000, "4"), (1010, "1.01"), (999, "0.999"), (100, "0.1"),
    ] as [(Int64, String)])
  func `thousandths are written as the shortest decimal`(number: Int64, text: String) {
    #expect(written { $0.thousandths(number) } == text)
  }

  @Test func `the vocabulary is written as the wire has it`() throws {
    let rate = try #require(Rate(1.05))
    let payload = try read(#"{"p":{"x" : [1]}}"#) { (o) throws(DecodingFlaw) in
      try o.value("p").rawJSON(maximum: 100)
    }
    let text = written { writer in
      writer.object { writer in
        writer.field("session", SessionID("s-1"))
        writer.field("at", Instant(microseconds: 1_781_234_567_890_123))
        writer.field("mediaTime", MediaTime(microseconds: -5))
        writer.field("rate", rate)
        writer.field("payload", payload)
        writer.field("volume", 0.5)
        writer.field("unknown", Double.nan)
        writer.field("count", UInt64.max)
      }
    }
    #expect(
      text
        == #"{"session":"s-1","at":1781234567890123,"mediaTime":-5,"rate":1.05,"#
        + #""payload":{"x":[1]},"volume":0.5,"unknown":null,"count":18446744073709551615}"#)
  }

  private func text(_ number: Double) -> String {
    var writer = JSONWriter()
    writer.element(number)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `numbers are written as Swift writes them, times in seconds quicker`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<5_000 {
      let whole = Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 63)
      let time = Double(whole) / 1_000_000
      #expect(text(time) == time.description)
      let any = Double(bitPattern: random.next())
      #expect(text(any) == (any.isFinite ? any.description : "null"))
    }
    for number in [
      0, -0.0, 1, -1, 0.1, 0.000_1, 0.000_099, 0.000_001, 1e-7, 0.1 + 0.2, 1_795_254_915.123_456,
      9_007_199_254.740_991, 9_007_199_254.740_993, 1e15, 1e16, 1e17, 1e300, .leastNonzeroMagnitude,
    ] {
      #expect(text(number) == number.description)
    }
  }

  @Test func `whole numbers of any length are written in full`() {
    for number: Int64 in [0, 7, -7, 10, 9_999_999_999_999_999, 10_000_000_000_000_000, .max, .min] {
      var writer = JSONWriter()
      writer.element(number)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == number.description)
    }
  }

  @Test func `a writer starts anew with the memory it had`() {
    var writer = JSONWriter(capacity: 100)
    writer.object { $0.field("a", String(repeating: "x", count: 5000)) }
    let capacity = writer.bytes.capacity
    writer.removeAll()
    writer.object { $0.field("b", 1) }
    #expect(writer.bytes == Array(#"{"b":1}"#.utf8))
    #expect(writer.bytes.capacity == capacity)
  }
}
