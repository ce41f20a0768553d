import JSON
import Testing
import Vocabulary

@Suite struct JSONFuzzTests {
  /// 20 000 lines with one to eight changes each; every seed yields some that still parse.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a mutated line gives a value or a flaw, and never a trap`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var parser = JSONParser(maximumBytes: 4096)
    var read = 0
    var flawed = 0
    for _ in 0..<1000 {
      let line = mutated(using: &generator)
      do throws(DecodingFlaw) {
        try parser.parse(line.span) { (line) throws(DecodingFlaw) in try readAll(line) }
        read += 1
      } catch {
        flawed += 1
        #expect(!error.description.isEmpty)
      }
    }
    #expect(read > 0 && flawed > 0, "seed \(seed): \(read) read, \(flawed) flawed")
  }

  /// Every prefix of every line, and every line with one byte set to each of 256 values.
  @Test func `no single byte of a line can do harm`() {
    var parser = JSONParser(maximumBytes: 4096)
    var outcomes = 0
    for valid in Self.lines {
      let bytes = Array(valid.utf8)
      for index in bytes.indices {
        outcomes += Self.outcome(of: Array(bytes[..<index]), parser: &parser)
        for byte in UInt8.min...UInt8.max {
          var changed = bytes
          changed[index] = byte
          outcomes += Self.outcome(of: changed, parser: &parser)
        }
      }
    }
    #expect(outcomes == Self.lines.map { $0.utf8.count * 257 }.reduce(0, +))
  }

  private static let lines = [
    #"{"type":"seek","id":42,"item":"https://example.org/film.mp4","mediaTime":83250000}"#,
    #"{"type":"x","o":{"a":[1,2.5e3,-7,{"b":null}],"s":"\u00e9\ud83d\ude00\n"},"t":true,"f":false}"#,
    #"{"payload":[[[]],{},"é😀",18446744073709551615,0.000001],"a":1,"a":2}"#,
  ]

  private static func outcome(of line: [UInt8], parser: inout JSONParser) -> Int {
    do throws(DecodingFlaw) {
      try parser.parse(line.span) { (line) throws(DecodingFlaw) in try readAll(line) }
    } catch {
      return error.description.isEmpty ? 0 : 1
    }
    return 1
  }

  private func mutated(using generator: inout SplitMix64) -> [UInt8] {
    var line = Array(Self.lines[Int.random(in: 0..<Self.lines.count, using: &generator)].utf8)
    for _ in 0..<(1 << Int.random(in: 0...3, using: &generator)) {
      let place = Int.random(in: 0..<max(line.count, 1), using: &generator)
      guard !line.isEmpty else { break }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: line[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: line[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: line.remove(at: place)
      case 3: line.insert(Self.spice.randomElement(using: &generator) ?? 0, at: place)
      case 4: line.insert(contentsOf: line[place...].prefix(20), at: place)
      default: line.swapAt(place, Int.random(in: line.indices, using: &generator))
      }
    }
    return line
  }

  private static let spice = Array(#"{}[]":,\u0123-+.eEdD tfn"#.utf8)
}

/// Reads everything in an object in every way there is.
private func readAll(_ object: borrowing JSONObject) throws(DecodingFlaw) {
  _ = try object.optionalString("type", maximum: 100)
  _ = try object.optionalInt64("id", in: 0...1_000_000)
  _ = try object.optionalDouble("mediaTime")
  _ = try object.optionalBool("t")
  try object.forEachField(nameMaximum: 200) { (_, value) throws(DecodingFlaw) in
    try readAll(value)
  }
}

private func readAll(_ value: borrowing JSONValue) throws(DecodingFlaw) {
  _ = try value.rawJSON(maximum: 10_000)
  switch value.type {
  case .object: try readAll(value.object())
  case .array:
    try value.array(maximum: 1000).forEach { (element) throws(DecodingFlaw) in
      try readAll(element)
    }
  case .string: _ = try value.string(maximum: 1000)
  case .integer: _ = try value.int64()
  case .number: _ = try value.double()
  case .boolean: _ = try value.bool()
  case .null: break
  }
}
