import Coordination
import EventLoops
import Testing
import Vocabulary

@testable import Server

/// What the two ends of a link write and read.
@Suite struct LinkLineTests {
  private static let seeds: [UInt64] = [1, 2, 3]

  private static func read(_ line: [UInt8]) -> LinkLine? { LinkLine(line.span) }

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
      var writer = LinkLineWriter(.tell)
      for leg in legs { writer.add(leg) }
      writer.end(with: text.span)
      #expect(writer.bytes.last == UInt8(ascii: "\n"))
      let line = Array(writer.bytes.dropLast())
      let read = try #require(Self.read(line), "seed \(seed): \(line)")
      #expect(read.verb == .tell && Array(read.legs) == legs, "seed \(seed)")
      #expect(Array(line[read.start...]) == text)
    }
  }

  @Test(arguments: ["192.0.2.1", "255.255.255.255", "2001:db8::1", "ffff:ffff:ffff:ffff::"])
  func `an address arrives as it was`(host: String) throws {
    let address = try #require(PeerAddress(host: host))
    var writer = LinkLineWriter(.connected, PeerID(slot: 4, generation: 0))
    writer.add(address)
    writer.end()
    let line = Array(writer.bytes.dropLast())
    let read = try #require(Self.read(line))
    let found = LinkLine.address(in: line.span, from: read.start)
    #expect(found == address)
  }

  @Test func `people of a server's own machine come from nowhere`() throws {
    var writer = LinkLineWriter(.connected, PeerID(slot: 4, generation: 0))
    writer.add(PeerAddress(host: "127.0.0.1"))
    writer.end()
    #expect(writer.bytes == Array("c 4.0\n".utf8))
  }

  @Test func `a message over several lines stays one line, and means the same`() {
    var writer = LinkLineWriter(.line, PeerID(slot: 1, generation: 2))
    writer.end(with: Array("{\r\n\"a\": 1\n}".utf8).span)
    #expect(writer.bytes == Array("l 1.2 {\t\t\"a\": 1\t}\n".utf8))
  }

  @Test(arguments: [
    "", " ", "z 1.0", "l", "l ", "l 1", "l 1.", "l .0", "l 1.0,", "l 1.0, 2.0", "l -1.0", "l 1.0x",
    "l 4294967296.0 {}", "l 1.4294967296 {}", "l 99999999999999999999.0 {}", "l  1.0", "b1.0", "{}",
  ])
  func `what is not of a link is not read`(text: String) {
    #expect(Self.read(Array(text.utf8)) == nil)
  }

  @Test(arguments: ["4:", ":1", "4", "4:18446744073709551616", "x:1"])
  func `an address that is none is none`(text: String) throws {
    let line = Array("c 1.0 \(text)".utf8)
    let read = try #require(Self.read(line))
    let found = LinkLine.address(in: line.span, from: read.start)
    #expect(found == nil)
  }

  @Test func `a link is silent too long after five beats without a word`() {
    var silence = LinkSilence()
    #expect((0..<6).map { _ in silence.isTooLong() } == [false, false, false, false, false, true])
    silence.end()
    let isTooLong = silence.isTooLong()
    #expect(!isTooLong)
  }
}
