import Foundation
import MatineeClient
import Testing
import Vocabulary

@Suite struct GroupLinkTests {
  private static let key = "0123456789abczyxwvtsrqpnm0"
  private static let fingerprint = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"

  @Test(arguments: [
    ("matinee://h:99/friday", "h", 99, true, "friday"),
    ("matinee://h/friday", "h", 7878, true, "friday"),
    ("matinee+plain://127.0.0.1:1/a", "127.0.0.1", 1, false, "a"),
    ("matinee://[2001:db8::1]/a", "2001:db8::1", 7878, true, "a"),
    ("matinee://[::1]:65535/a", "::1", 65_535, true, "a"),
    ("matinee://watch_1.my-home.example/a", "watch_1.my-home.example", 7878, true, "a"),
    ("Matinee+Plain://HOST/Friday", "host", 7878, false, "Friday"),
    ("matinee://h/gr%C3%BCn%2F%20", "h", 7878, true, "grün/ "),
    ("matinee://h/grün", "h", 7878, true, "grün"), ("matinee://h/a:b@c", "h", 7878, true, "a:b@c"),
    (
      "matinee://h/\(String(repeating: "%C3%BC", count: 32))", "h", 7878, true,
      String(repeating: "ü", count: 32)
    ),
    ("matinee://h/", "h", 7878, true, nil), ("matinee://h", "h", 7878, true, nil),
  ])
  func `a link says where a group is`(
    address: String, host: String, port: Int, isEncrypted: Bool, group: String?
  ) throws {
    for padding in ["", " ", "\n\t\u{A0} \r\n"] {
      let link = try GroupLink("\(padding)\(address)#\(Self.key)\(padding)")
      #expect(link.endpoint == Endpoint(host: host, port: UInt16(port)))
      #expect(link.isEncrypted == isEncrypted)
      #expect(link.group == group.map { GroupID($0) })
      #expect(link.key == Self.key)
      #expect(link.fingerprint == nil)
    }
  }

  @Test func `a link may tell the server's key`() throws {
    let text = "matinee://h:7878/a#\(Self.key).\(Self.fingerprint)"
    let link = try GroupLink(text)
    #expect(link.key == Self.key)
    #expect(link.fingerprint == Self.fingerprint)
    #expect(link.text == text)
  }

  /// What is no link, with `KEY` for a key and `PRINT` for a fingerprint.
  private static let flaws: [(text: String, error: GroupLinkError)] = [
    ("", .scheme), ("KEY", .scheme), ("#KEY", .scheme), ("h/a#KEY", .scheme),
    ("https://h/a#KEY", .scheme), ("matinee:/h/a#KEY", .scheme), ("matinees://h/a#KEY", .scheme),
    ("see matinee://h/a#KEY", .scheme), ("matinee+plain//h/a#KEY", .scheme),
    ("matinee:///a#KEY", .host), ("matinee://#KEY", .host), ("matinee://:99/a#KEY", .host),
    ("matinee://a b/a#KEY", .host), ("matinee://me@h/a#KEY", .host),
    ("matinee://h%41/a#KEY", .host),
    ("matinee://::1/a#KEY", .host), ("matinee://2001:db8::1/a#KEY", .host),
    ("matinee://[::1/a#KEY", .host), ("matinee://[]/a#KEY", .host),
    ("matinee://[::1%25eth0]/a#KEY", .host), ("matinee://[h]/a#KEY", .host),
    ("matinee://bücher/a#KEY", .host), ("matinee://h?/a#KEY", .host),
    ("matinee://\(String(repeating: "h", count: 254))/a#KEY", .host),
    ("matinee://h:/a#KEY", .port), ("matinee://h:0/a#KEY", .port),
    ("matinee://h:65536/a#KEY", .port),
    ("matinee://h:+99/a#KEY", .port), ("matinee://h:9x/a#KEY", .port),
    ("matinee://[::1]x/a#KEY", .port), ("matinee://h:0007878/a#KEY", .port),
    ("matinee://h/a/b#KEY", .group), ("matinee://h/a/#KEY", .group), ("matinee://h//#KEY", .group),
    ("matinee://h/a?b#KEY", .group), ("matinee://h/a b#KEY", .group), ("matinee://h/%#KEY", .group),
    ("matinee://h/%FF#KEY", .group), ("matinee://h/a\u{0}#KEY", .group),
    ("matinee://h/\(String(repeating: "a", count: 65))#KEY", .groupTooLong),
    ("matinee://h/\(String(repeating: "%C3%BC", count: 33))#KEY", .groupTooLong),
    ("matinee://h/a", .key), ("matinee://h/a#", .key), ("matinee://h/KEY", .key),
    ("matinee://h/a#KEY0", .key), ("matinee://h/a#KEY#KEY", .key), ("matinee://h/a#KEY KEY", .key),
    ("matinee://h/a#ZKEY", .key), ("matinee://h/a#.PRINT", .key), ("matinee://h/a#KEY?x", .key),
    ("matinee://h/a#zzzzzzzzzzzzgzzzzzzzzzzzzf", .key),
    ("matinee://h/a#ZZZZZZZZZZZZFZZZZZZZZZZZZF", .key),
    ("matinee://h/a#KEY.", .fingerprint), ("matinee://h/a#KEY.PRINT=", .fingerprint),
    ("matinee://h/a#KEY.KEY", .fingerprint), ("matinee://h/a#KEY.PRINT.PRINT", .fingerprint),
    ("matinee://h/a#KEY.47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFV", .fingerprint),
    ("matinee+plain://h/a#KEY.PRINT", .unusedFingerprint),
    ("matinee://h/a#KEY\(String(repeating: "x", count: 1_024))", .tooLong),
  ]

  @Test(arguments: flaws)
  func `what is no link is refused, and the key is not repeated`(
    text: String, error: GroupLinkError
  ) {
    let text = text.replacing("KEY", with: Self.key).replacing("PRINT", with: Self.fingerprint)
    #expect(throws: error) { try GroupLink(text) }
    #expect(!"\(error)".contains(Self.key))
    #expect("\(error)".contains("matinee://host:7878/group#"))
  }

  @Test func `a link has at most 1024 bytes besides the space around it`() {
    let start = "matinee://h/a#\(Self.key)"
    let most = start + String(repeating: "x", count: 1_024 - start.utf8.count)
    #expect(throws: GroupLinkError.key) { try GroupLink("  \(most)\n") }
    #expect(throws: GroupLinkError.tooLong) { try GroupLink(most + "x") }
  }

  @Test func `nothing that is printed shows the key`() throws {
    let link = try GroupLink("matinee://h/gr%C3%BCn#\(Self.key).\(Self.fingerprint)")
    #expect("\(link)" == "matinee://h:7878/gr%C3%BCn")
    var dumped = ""
    dump(["link": link], to: &dumped)
    for printed in ["\([link])", String(reflecting: Optional(link)), dumped] {
      #expect(printed.contains("gr"))
      #expect(!printed.contains(Self.key))
    }
    #expect(Mirror(reflecting: link).children.map(\.label).contains("endpoint"))
  }
}

@Suite struct GroupLinkWritingTests {
  private static let key = "0123456789abczyxwvtsrqpnm0"

  @Test func `a link is made of its parts`() throws {
    let link = try GroupLink(
      endpoint: Endpoint(host: "::1", port: 99), group: GroupID("a b"), key: Self.key)
    #expect(link.text == "matinee://[::1]:99/a%20b#\(Self.key)")
    let founding = try GroupLink(
      endpoint: Endpoint(host: "H"), isEncrypted: false, group: GroupID(""), key: Self.key)
    #expect(founding.text == "matinee+plain://h:7878/#\(Self.key)")
    #expect(founding.group == nil)
    #expect(try GroupLink(founding.text) == founding)
  }

  @Test(arguments: [
    ("", 1, "a", key, nil, GroupLinkError.host), ("a/b", 1, "a", key, nil, .host),
    ("[::1]", 1, "a", key, nil, .host), ("h", 0, "a", key, nil, .port),
    ("h", 1, String(repeating: "a", count: 65), key, nil, .groupTooLong),
    ("h", 1, "a", "", nil, .key), ("h", 1, "a", key + ".", nil, .key),
    ("h", 1, "a", key, "", .fingerprint),
  ])
  func `parts of no link make none`(
    host: String, port: UInt16, group: String, key: String, fingerprint: String?,
    error: GroupLinkError
  ) {
    #expect(throws: error) {
      try GroupLink(
        endpoint: Endpoint(host: host, port: port), group: GroupID(group), key: key,
        fingerprint: fingerprint)
    }
  }

  /// A text of at most 64 bytes from all of Unicode, with more of the characters that matter.
  private func randomGroup(_ random: inout SplitMix64) -> String {
    var text = String.UnicodeScalarView()
    let length = Int.random(in: 1...64, using: &random)
    while true {
      let scalar =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Unicode.Scalar(UInt32.random(in: 0..<0x80, using: &random))
        case 1: "/?#%+ .:\u{301}\u{200D}\r\n".unicodeScalars.randomElement(using: &random)
        case 2: Unicode.Scalar(UInt32.random(in: 0x80..<0x800, using: &random))
        default: Unicode.Scalar(UInt32.random(in: 0x800..<0x11_0000, using: &random))
        }
      guard let scalar else { continue }
      guard String(text).utf8.count + UTF8.width(scalar) <= length else { break }
      text.append(scalar)
    }
    return String(text)
  }

  @Test func `any group's link reads back to the byte`() throws {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      let group = randomGroup(&random)
      let part = try #require(group.addingPercentEncoding(withAllowedCharacters: plain))
      let text = "matinee://host:7878/\(part)#\(Self.key)"
      let link = try GroupLink(text)
      #expect(link.text == text)
      #expect(Array((link.group?.text ?? "").utf8) == Array(group.utf8))
      let made = try GroupLink(
        endpoint: Endpoint(host: "host"), group: GroupID(group), key: Self.key)
      #expect(made.text == text)
    }
  }
}
