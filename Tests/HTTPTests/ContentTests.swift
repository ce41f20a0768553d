import HTTP
import Testing

@Suite("Parts of a content")
struct ByteRangeTests {
  private static let tag = EntityTag(of: Array("film".utf8))

  @Test(
    "a single range is a part; all else is the whole",
    arguments: [
      ("bytes=0-", 10, ByteRange.part(0..<10)), ("bytes=0-0", 10, .part(0..<1)),
      ("bytes=2-5", 10, .part(2..<6)), ("bytes=9-", 10, .part(9..<10)),
      ("bytes=2-99", 10, .part(2..<10)), ("bytes=-3", 10, .part(7..<10)),
      ("bytes=-99", 10, .part(0..<10)), ("Bytes = 2-5 ", 10, .part(2..<6)),
      ("bytes=0-99999999999999999999", 10, .part(0..<10)),
      ("bytes=-99999999999999999999", 10, .part(0..<10)),
      ("bytes=10-", 10, .unsatisfiable), ("bytes=10-20", 10, .unsatisfiable),
      ("bytes=99999999999999999999-", 10, .unsatisfiable), ("bytes=-0", 10, .unsatisfiable),
      ("bytes=0-", 0, .unsatisfiable), ("bytes=-1", 0, .whole),
      ("bytes=5-2", 10, .whole), ("bytes=0-1,4-5", 10, .whole), ("bytes=", 10, .whole),
      ("bytes=-", 10, .whole), ("bytes=a-", 10, .whole), ("bytes=+1-", 10, .whole),
      ("bytes=1 -2", 10, .whole), ("bytes=--1", 10, .whole), ("bytes", 10, .whole),
      ("items=0-1", 10, .whole), ("", 10, .whole),
    ])
  func judges(field: String, size: Int, range: ByteRange) throws {
    let request = try #require(asked("Range: \(field)"))
    #expect(ByteRange(askedBy: request, size: size, tag: Self.tag) == range)
  }

  @Test("a part is of the content that the client has the beginning of")
  func ifRange() throws {
    let other = EntityTag(of: Array("another film".utf8))
    let judged = { (tag: String) throws in
      ByteRange(
        askedBy: try #require(asked("Range: bytes=1-", "If-Range: \(tag)")), size: 10,
        tag: Self.tag)
    }
    #expect(try judged(Self.tag.text) == .part(1..<10))
    #expect(try judged(other.text) == .whole)
    #expect(try judged("W/" + Self.tag.text) == .whole)
    #expect(try judged("Sun, 06 Nov 1994 08:49:37 GMT") == .whole)
  }

  @Test("only GET has parts")
  func methods() throws {
    let head = try #require(asked("Range: bytes=1-", method: "HEAD"))
    #expect(ByteRange(askedBy: head, size: 10, tag: Self.tag) == .whole)
    let plain = try #require(asked())
    #expect(ByteRange(askedBy: plain, size: 10, tag: Self.tag) == .whole)
  }

  @Test("the answer says which part it is")
  func answers() {
    #expect(ByteRange.part(2..<6).contentRange(size: 10) == "bytes 2-5/10")
    #expect(ByteRange.unsatisfiable.contentRange(size: 10) == "bytes */10")
    #expect(ByteRange.whole.contentRange(size: 10) == nil)
    let ranges: [ByteRange] = [.whole, .part(0..<1), .unsatisfiable]
    #expect(ranges.map(\.status.rawValue) == [200, 206, 416])
  }
}

@Suite("Tags of contents")
struct EntityTagTests {
  @Test("a content has one tag, and another content another")
  func differs() {
    let tag = EntityTag(of: Array("a".utf8))
    // The first half of SHA-256 of "a", in Base64URL.
    #expect(tag.text == "\"ypeBEsobvcr6wjGzmiPcTQ\"")
    #expect(EntityTag(of: Array("b".utf8)) != tag)
    #expect(EntityTag(opaque: "12-34")?.text == "\"12-34\"")
    for text in ["a\"b", "a b", "a\n", "é"] { #expect(EntityTag(opaque: text) == nil) }
  }

  @Test(
    "a client that has the content is known by its list",
    arguments: [
      ("\"x\"", true), ("*", true), (" * ", true), ("W/\"x\"", true), ("\"a\", \"x\"", true),
      ("\"a,b\" ,,W/\"x\"", true), ("\"a\"\t,\"x\",\"b\"", true),
      ("", false), ("x", false), ("\"X\"", false), ("\"a\"", false), ("\"a, \"x\"", false),
      ("w/\"x\"", false), ("\"x", false), ("\"*\"", false), (nil, false),
    ] as [(String?, Bool)])
  func isHeld(field: String?, isHeld: Bool) throws {
    #expect(try #require(EntityTag(opaque: "x")).isHeld(byClientWith: field) == isHeld)
  }
}

@Suite("Packed contents")
struct ContentCodingTests {
  @Test(
    "gzip is for those who ask for it",
    arguments: [
      ("gzip, deflate, br, zstd", ContentCoding.gzip), ("GZIP", .gzip), ("x-gzip", .gzip),
      ("*", .gzip), ("gzip;q=0.001", .gzip), ("gzip ; q=1.000", .gzip), ("br, *;q=0.5", .gzip),
      ("identity;q=0.5, gzip;q=0.5", .gzip), ("identity;q=0, gzip", .gzip),
      (nil, .identity), ("", .identity), ("br", .identity), ("gzip;q=0", .identity),
      ("gzip;q=0.000", .identity), ("gzip;q=0, *", .identity), ("*;q=0", .identity),
      ("identity, gzip;q=0.5", .identity), ("gzip;q=x", .identity), ("gzip;q=0.1234", .identity),
      ("gzip;q=2", .identity), ("gzip;level=1", .identity), ("gzippo", .identity),
    ] as [(String?, ContentCoding)])
  func negotiates(field: String?, coding: ContentCoding) {
    #expect(ContentCoding(acceptedBy: field) == coding)
  }
}
