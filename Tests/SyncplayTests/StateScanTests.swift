import JSON
import Testing
import Vocabulary

@testable import Syncplay

/// A State read in one pass is the State that the parser finds.
@Suite struct StateScanTests {
  /// What the parser makes of a line; `nil` if it holds no State, or not only one.
  private static func parse(_ line: [UInt8]) -> SyncplayClientState? {
    var parser = JSONParser(maximumBytes: 4096)
    let reader = SyncplayLineReader(SyncplayOptions(salt: "x"))
    do throws(DecodingFlaw) {
      return try parser.parse(line.span) { (object) throws(DecodingFlaw) in
        guard object.count == 1 else { return nil }
        return try reader.state(object.object("State"))
      }
    } catch {
      return nil
    }
  }

  private static func scan(_ line: [UInt8]) -> SyncplayClientState? {
    SyncplayClientState(scanning: line.span)
  }

  /// As clients write them.
  static let lines = [
    // Debian's 1.6.9, playing, and after a change.
    #"{"State": {"ping": {"clientRtt": 0.0006399154663085938, "clientLatencyCalculation": 1764000000.1234567, "latencyCalculation": 1764000000.123456}, "playstate": {"position": 12.345678, "paused": false}}}"#,
    #"{"State": {"ping": {"clientRtt": 0, "clientLatencyCalculation": 1764000000.123}, "playstate": {"position": 0.0, "paused": true, "doSeek": true}, "ignoringOnTheFly": {"server": 3, "client": 1}}}"#,
    #"{"State":{"playstate":{"position":7,"paused":true},"ping":{"latencyCalculation":1764000000.25,"clientLatencyCalculation":1764000001,"clientRtt":0},"ignoringOnTheFly":{"client":2}}}"#,
    #"{"State":{"ping":{"clientLatencyCalculation":9007199254740993.0}}}"#,
    #"{ "State": { "playstate": { "paused": false , "position": 9999999999999999999 } } } "#,
  ]

  @Test(arguments: lines)
  func `what clients write is read in one pass`(line: String) throws {
    let scanned = try #require(Self.scan(Array(line.utf8)))
    #expect(scanned == Self.parse(Array(line.utf8)))
    #expect(scanned != SyncplayClientState())
  }

  /// States, and what is none.
  static let others = [
    "", " ", "{}", #"{"State":{}}"#, #"{"State":null}"#, #"{"State":{"playstate":{}}}"#,
    #"{"State":{"playstate":{"position":1e3}}}"#, #"{"State":{"playstate":{"position":-1}}}"#,
    #"{"State":{"playstate":{"position":01}}}"#, #"{"State":{"playstate":{"position":1.}}}"#,
    #"{"State":{"playstate":{"position":.5}}}"#, #"{"State":{"playstate":{"position":}}}"#,
    #"{"State":{"playstate":{"position":1.2.3}}}"#, #"{"State":{"playstate":{"position":1 2}}}"#,
    #"{"State":{"playstate":{"position":12345678901234567890}}}"#,
    #"{"State":{"playstate":{"position":null}}}"#, #"{"State":{"playstate":{"paused":tru}}}"#,
    #"{"State":{"playstate":{"paused":truely}}}"#, #"{"State":{"playstate":{"paused":1}}}"#,
    #"{"State":{"playstate":{"paused":true,}}}"#, #"{"State":{"playstate":{"paused":true}}"#,
    #"{"State":{"playstate":{"paused":true}}}}"#, #"{"State":{"playstate":{"paused":true}}},"#,
    #"{"State":{"playstate":{"paused":true}},"Chat":"a"}"#, #"{"Chat":"a"}"#,
    #"{"State":{"playstate":{"paused":true "position":1}}}"#,
    #"{"State":{"playstate":{"position":"paused":true}}}"#,
    #"{"State":{"ping":{"latencyCalculation":"clientRtt":1}}}"#,
    #"{"State":{"ignoringOnTheFly":{"server":"client":1}}}"#,
    #"{"State":{"playstate":{"paused":true},"playstate":{"paused":false}}}"#,
    #"{"State":{"playstate":{"paused":true,"paused":false}}}"#,
    #"{"State":{"playstate":{"position":1,"position":2}}}"#,
    #"{"State":{"playstate":{"doSeek":true,"doSeek":false}}}"#,
    #"{"State":{"ping":{"clientRtt":1},"ping":{"clientRtt":2}}}"#,
    #"{"State":{"ping":{"clientRtt":1,"clientRtt":2}}}"#,
    #"{"State":{"ping":{"latencyCalculation":1,"latencyCalculation":2}}}"#,
    #"{"State":{"ping":{"clientLatencyCalculation":1,"clientLatencyCalculation":2}}}"#,
    #"{"State":{"ignoringOnTheFly":{"server":1},"ignoringOnTheFly":{"client":2}}}"#,
    #"{"State":{"ignoringOnTheFly":{"server":1.5}}}"#,
    #"{"State":{"ignoringOnTheFly":{"server":1,"server":2}}}"#,
    #"{"State":{"ignoringOnTheFly":{"client":1,"client":2}}}"#,
    #"{"State":{"ignoringOnTheFly":{"server":9223372036854775808}}}"#,
    #"{"State":{"playstate":{"posit\u0069on":1}}}"#, #"{"State":{"playstates":{"position":1}}}"#,
    #"{"State":{"playstate":{"position":1},"more":1}}"#, #"{"State":{"playstate":{"pos"#,
    #"{"State":{"playstate""#, #"{"State":{"playstate":{"paused""#, #"{"State"#, #"{"Status":{}}"#,
  ]

  @Test(arguments: others)
  func `what is unusual or wrong is the parser's`(line: String) {
    #expect(Self.scan(Array(line.utf8)) == nil)
  }

  @Test(arguments: 0..<8)
  func `whatever is read in one pass is read as the parser does`(seed: Int) {
    var chance = SplitMix64(seed: UInt64(seed))
    let letters = Array(#"{}":,.019 eE-+\tfn"#.utf8) + [0, 0xFF]
    var scanned = 0
    for _ in 0..<20_000 {
      guard var line = Self.lines.randomElement(using: &chance).map({ Array($0.utf8) }) else {
        return
      }
      for _ in 0..<Int.random(in: 1...2, using: &chance) {
        let place = Int.random(in: 0..<line.count, using: &chance)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: line.remove(at: place)
        case 1: line.insert(letters.randomElement(using: &chance) ?? 0, at: place)
        case 2: line[place] = letters.randomElement(using: &chance) ?? 0
        default: line.insert(contentsOf: line[place..<min(place + 9, line.count)], at: place)
        }
      }
      guard let state = Self.scan(line) else { continue }
      scanned += 1
      #expect(state == Self.parse(line), "\(String(decoding: line, as: UTF8.self))")
    }
    #expect(scanned > 500)
  }
}
