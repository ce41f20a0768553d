import WebSocketTesting

/// What clients may send, and what comes of it (RFC 6455, sections 5 to 8).
struct WireCase: Sendable {
  let what: String
  let bytes: [UInt8]
  let events: [String]

  init(_ what: String, _ bytes: [UInt8], _ events: String...) {
    self.what = what
    self.bytes = bytes
    self.events = events
  }

  private static func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

  /// A text of one letter a frame: `abb…`.
  private static func inFrames(_ count: Int) -> [UInt8] {
    let more = (2...count).flatMap { [UInt8].more("b", isLast: $0 == count) }
    return .text("a", isLast: false) + more
  }

  static let texts = [
    WireCase("a text", .text("hello"), "text hello"),
    WireCase("an empty text", .text(""), "text"),
    WireCase("two texts", .text("a") + .text("b"), "text a", "text b"),
    WireCase("a text beyond ASCII", .text("κόσμε 🎬"), "text κόσμε 🎬"),
    WireCase("the longest of the short lengths", .text(letters(125)), "text " + letters(125)),
    WireCase("the shortest of the next", .text(letters(126)), "text " + letters(126)),
    WireCase("the longest text", .text(letters(1_000)), "text 1000 bytes"),
    WireCase("a longer text", .text(letters(1_001)), "close 1009", "over"),
    WireCase(
      "a text that claims a terabyte", .frame(.text, [1]) { $0.claimed = 1 << 40 }, "close 1009",
      "over"),
    WireCase(
      "the highest bit of a length", .frame(.text) { $0.claimed = 1 << 63 }, "close 1002", "over"),
    WireCase(
      "a length that makes 2^64 with its header", .frame(.text) { $0.claimed = UInt64.max - 13 },
      "close 1002", "over"),
    WireCase(
      "the same without a mask",
      .frame(.text) {
        $0.claimed = UInt64.max - 9
        $0.isMasked = false
      }, "close 1002", "over"),
    WireCase(
      "two bytes for a short length", .frame(.text, [1]) { $0.form = .two }, "close 1002", "over"),
    WireCase(
      "eight bytes for a short length", .frame(.text, [1]) { $0.form = .eight }, "close 1002",
      "over"),
    WireCase(
      "a binary message", .frame(.binary, [1, 2]), "close 1003 only texts are understood", "over"),
    WireCase(
      "a text without a mask", .frame(.text, [1]) { $0.isMasked = false }, "close 1002", "over"),
    WireCase(
      "a ping without a mask", .frame(.ping) { $0.isMasked = false }, "close 1002", "over"),
  ]

  static let fragments = [
    WireCase("two fragments", .text("a", isLast: false) + .more("b"), "text ab"),
    WireCase(
      "many",
      .text("a", isLast: false) + .more("", isLast: false) + .more("b", isLast: false)
        + .more("c"), "text abc"),
    WireCase(
      "a ping among them", .text("a", isLast: false) + .ping("p") + .more("b"), "text ab",
      "pong p"),
    WireCase(
      "in as many frames as may be, and again",
      inFrames(Conversation.maximumFrames) + inFrames(Conversation.maximumFrames),
      "text a" + String(repeating: "b", count: Conversation.maximumFrames - 1),
      "text a" + String(repeating: "b", count: Conversation.maximumFrames - 1)),
    WireCase(
      "in one frame too many", inFrames(Conversation.maximumFrames + 1) + .text("c"),
      "close 1008 a message has too many frames", "over"),
    WireCase("a continuation of nothing", .more("a"), "close 1002", "over"),
    WireCase(
      "a continuation behind the last", .text("a", isLast: false) + .more("b") + .more("c"),
      "text ab", "close 1002", "over"),
    WireCase(
      "a text among them", .text("a", isLast: false) + .text("b"), "close 1002", "over"),
    WireCase(
      "together too long", .text(letters(600), isLast: false) + .more(letters(401)), "close 1009",
      "over"),
    WireCase(
      "together the longest", .text(letters(600), isLast: false) + .more(letters(400)),
      "text 1000 bytes"),
    WireCase(
      "a binary message in fragments",
      .frame(.binary, [1]) { $0.isLast = false } + .more("b"),
      "close 1003 only texts are understood", "over"),
  ]

  static let utf8 = [
    WireCase("a byte that never is", .frame(.text, [0xFF]), "close 1007", "over"),
    WireCase("a letter cut off", .frame(.text, [0xCE]), "close 1007", "over"),
    WireCase("a letter too long", .frame(.text, [0xC0, 0xAF]), "close 1007", "over"),
    WireCase("half a pair", .frame(.text, [0xED, 0xA0, 0x80]), "close 1007", "over"),
    WireCase(
      "a letter cut by fragments",
      .frame(.text, [0xCE]) { $0.isLast = false } + .frame(.continuation, [0xBA]), "text κ"),
    WireCase(
      "a wrong byte in a later fragment", .text("a", isLast: false) + .frame(.continuation, [0xFF]),
      "close 1007", "over"),
  ]

  static let control = [
    WireCase("an empty ping", .ping(""), "pong"),
    WireCase("a full ping", .ping(letters(125)), "pong " + letters(125)),
    WireCase("a ping that is too long", .ping(letters(126)), "close 1002", "over"),
    WireCase("a ping in fragments", .frame(.ping) { $0.isLast = false }, "close 1002", "over"),
    WireCase("a pong that nobody asked for", .frame(.pong, [1]) + .text("a"), "text a"),
    WireCase("a reserved opcode", .frame(.reserved), "close 1002", "over"),
    WireCase("a reserved opcode of control", .frame(.reservedControl), "close 1002", "over"),
    WireCase(
      "the first reserved bit", .frame(.text, [1]) { $0.reserved = 4 }, "close 1002", "over"),
    WireCase("the second", .frame(.text, [1]) { $0.reserved = 2 }, "close 1002", "over"),
    WireCase("the third", .frame(.ping, [1]) { $0.reserved = 1 }, "close 1002", "over"),
  ]

  static let closes = [
    WireCase("no code", .frame(.close), "close", "over"),
    WireCase("the usual", .close(1000), "close 1000", "over"),
    WireCase("a reason", .close(1001, "bye"), "close 1001 bye", "over"),
    WireCase("a reason beyond ASCII", .close(1001, "κόσμε 🎬"), "close 1001 κόσμε 🎬", "over"),
    WireCase("an application's code", .close(4999), "close 4999", "over"),
    WireCase("half a code", .frame(.close, [3]), "close 1002", "over"),
    WireCase("no code there is", .close(999), "close 1002", "over"),
    WireCase("a code that is never sent", .close(1005), "close 1002", "over"),
    WireCase("another", .close(1006), "close 1002", "over"),
    WireCase("a code for later", .close(2000), "close 1002", "over"),
    WireCase("a code too high", .close(5000), "close 1002", "over"),
    WireCase(
      "a reason that is no text", .frame(.close, [0x03, 0xE8, 0xFF]), "close 1007", "over"),
    WireCase(
      "a reason that is too long", .close(1000, letters(124)), "close 1002", "over"),
    WireCase("a text behind it", .close(1000) + .text("a"), "close 1000", "over"),
    WireCase("a text before it", .text("a") + .close(1000), "text a", "close 1000", "over"),
  ]

  static let all = texts + fragments + utf8 + control + closes
}
