import Coordination
import Naming
import Testing
import Vocabulary
import Wire

@testable import Clusters

/// What the two ends of a link write and read.
@Suite struct LinkLineTests {
  private static let seeds: [UInt64] = [1, 2, 3]

  private static func read(_ line: some Sequence<UInt8>) -> LinkLine? { LinkLine(Array(line).span) }

  private static func leg(using source: inout SplitMix64) -> PeerID {
    // Large and small numbers alike.
    let bits = source.next() >> (source.next() % 64)
    return PeerID(
      slot: UInt32(truncatingIfNeeded: bits), generation: UInt32(truncatingIfNeeded: bits >> 32))
  }

  @Test(arguments: seeds) func `what is written is read`(seed: UInt64) throws {
    var source = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let legs = (0...Int(source.next() % 5)).map { _ in Self.leg(using: &source) }
      let text = Array("{\"n\":\(source.next())}".utf8)
      let audience =
        source.next() % 2 == 0 ? AudienceNumber(.random(in: 0 ... .max, using: &source)) : nil
      let written = LinkLineWriter(.tell, audience: audience, legs).ended(with: text[...])
      #expect(written.last == UInt8(ascii: "\n"))
      let line = Array(written.dropLast())
      let read = try #require(Self.read(line), "seed \(seed): \(line)")
      #expect(read.verb == .tell && Array(read.legs) == legs, "seed \(seed)")
      #expect(read.audience == audience, "seed \(seed)")
      #expect(Array(line[read.start...]) == text)
    }
  }

  @Test(arguments: [
    LegArrival(host: "192.0.2.1"), LegArrival(host: "fe80::1%eth0", dialect: "syncplay"),
    LegArrival(host: "::1", dialect: "syncplay", mustEncrypt: true),
  ])
  func `who connects arrives as they came`(arrival: LegArrival) throws {
    let line = LinkLineWriter(.connected, Self.peer).ended(with: arrival.text)
    let read = try #require(Self.read(line.dropLast()))
    let text = Array(line.dropLast()[read.start...])
    let found = LegArrival(text.span)
    #expect(found == arrival)
  }

  private static let peer = PeerID(slot: 1, generation: 2)

  @Test func `a message over several lines stays one line, and means the same`() {
    let words = Array("{\r\n\"a\": 1\n}".utf8)
    let line = LinkLineWriter(.line, Self.peer).ended(with: words[...])
    #expect(line == Array("l 1.2 {\t\t\"a\": 1\t}\n".utf8))
  }

  @Test func `a line about an audience names its number, and legs behind it`() {
    let audience = AudienceNumber(12)
    #expect(LinkLineWriter(.unfollow, audience: audience).ended == Array("u #12\n".utf8))
    #expect(
      LinkLineWriter(.follow, audience: audience, [Self.peer]).ended == Array("f #12,1.2\n".utf8))
    #expect(Self.read("t #12 {}".utf8)?.legs.isEmpty == true)
  }

  @Test func `a line without a text ends behind its peer`() {
    #expect(LinkLineWriter(.gone, Self.peer).ended == Array("g 1.2\n".utf8))
    #expect(LinkLineWriter(.close, Self.peer).ended(with: []) == Array("k 1.2\n".utf8))
    #expect(LinkLineWriter(.beat).ended == Array("b\n".utf8))
  }

  @Test(arguments: [
    StatusReport.Server("10.0.0.2:7879", version: "0.1.0", peers: 812),
    StatusReport.Server("[::1]:7879", version: "0.1.0", peers: 0, isDraining: true),
  ])
  func `a server in front says what it is in its beats`(server: StatusReport.Server) throws {
    let line = LinkLineWriter(.beat).ended(with: server.text)
    let read = try #require(Self.read(line.dropLast()))
    #expect(read.verb == .beat && Array(read.legs).isEmpty)
    let text = Array(line.dropLast()[read.start...])
    let found = StatusReport.Server(text.span)
    #expect(found == server)
  }

  @Test
  func `a server's access stands where older servers look neither for its drain nor its format`()
    throws
  {
    for (beat, access) in [
      ("b:1 9 3 access=keys 2", "keys"), ("b:1 9 3 ! access=tokens 2", "tokens"),
      ("b:1 9 3 2", nil),
      ("b:1 9 3", nil),
    ] as [(String, String?)] {
      let bytes = Array(beat.utf8)
      let state = StatusReport.Server(bytes.span)
      #expect(state?.isDraining == beat.contains("!"))
      #expect(LinkLine.format(in: bytes.span) == (beat.hasSuffix("2") ? 2 : 1))
      #expect(LinkLine.access(in: bytes.span) == access)
    }
  }

  @Test(arguments: [
    "", "a", "a 0.1.0", "a 0.1.0 many", "a 0.1.0 -1", "a\u{1b} 0.1.0 1", "ä 0.1.0 1",
    String(repeating: "a", count: 65) + " 0.1.0 1",
  ])
  func `a beat that says something else says nothing of its server`(text: String) {
    let bytes = Array(text.utf8)
    let isNothing = StatusReport.Server(bytes.span) == nil
    #expect(isNothing)
  }

  @Test func `a last line without an ending is a line, and an empty one is none`() {
    let lines = LinkText.lines(of: Array("\n{}\n\n{\"a\":1}".utf8))
    #expect(lines.map(Array.init) == [Array("{}".utf8), Array("{\"a\":1}".utf8)])
  }

  @Test func `lines of any dialect go over a link one by one`() {
    let lines = LinkText.lines(of: Array("{\"a\":1}\r\n{}\r\n".utf8))
    #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":1}", "{}"])
  }

  @Test(arguments: [
    "", " ", "y 1.0", "d1", "l", "l ", "l 1", "l 1.", "l .0", "l 1.0,", "l 1.0, 2.0", "l -1.0",
    "l 1.0x",
    "t #", "t # {}", "t #12, {}", "t #12,#13 {}", "t #4294967296 {}", "t 4.0,#12 {}", "t #-1 {}",
    "l 4294967296.0 {}", "l 1.4294967296 {}", "l 99999999999999999999.0 {}", "l  1.0", "b1.0", "{}",
  ])
  func `what is not of a link is not read`(text: String) {
    #expect(Self.read(Array(text.utf8)) == nil)
  }

  @Test func `a link is silent too long after five beats without a word`() {
    var silence = LinkSilence()
    #expect((0..<6).map { _ in silence.isTooLong() } == [false, false, false, false, false, true])
    silence.end()
    let isTooLong = silence.isTooLong()
    #expect(!isTooLong)
  }
}
