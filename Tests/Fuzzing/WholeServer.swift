import Vocabulary

/// A whole server in memory, to which several connections say anything.
///
/// An input is a list of lines. `0{…}` to `7{…}` is what a connection says, which begins when it
/// first does; those with odd numbers speak Syncplay. `-3` ends a connection, `~2` lets some time
/// pass, `!` lets the journal fail once, and `=` restarts the server.
final class WholeServer: FuzzTarget {
  static let name = "server"
  static let claim =
    "whatever is said, each request has one answer, and all that is sent and kept can be read"

  private static let start = Instant(microseconds: 1_795_255_000_000_000)
  /// More steps find nothing new, and take longer.
  private static let steps = 96

  static func seeds() throws -> [[UInt8]] {
    try [nativeEvening()] + Seeds.syncplayScripts().map(script)
  }

  /// All that clients say in the protocol's examples, by two connections in one group, each with
  /// its own hello.
  private static func nativeEvening() throws -> [UInt8] {
    let lines = try Seeds.clientLines().map { String(shown: $0) }
    let hellos = ["ann", "ben"].enumerated().flatMap { number, user in
      [
        "\(2 * number)" + #"{"type":"hello","user":"\#(user)"}"#,
        "\(2 * number)" + #"{"type":"joinGroup","id":1,"group":"friday"}"#,
      ]
    }
    let said = lines.enumerated().map { "\($0 % 2 * 2)\($1)" }
    return Array((hellos + said + ["~3", "=", "~5"]).joined(separator: "\n").utf8)
  }

  /// The lines of a script, whose clients get odd numbers.
  private static func script(_ lines: [String]) -> [UInt8] {
    var names: [String] = []
    let steps = lines.compactMap { line -> String? in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3 else { return "~3" }
      if !names.contains(words[0]) { names.append(words[0]) }
      let number = (names.firstIndex(of: words[0]) ?? 0) * 2 % 8 + 1
      guard words[1] == "enters" else { return "\(number)\(words[2])" }
      return "\(number)"
        + #"{"Hello":{"username":"\#(words[0])","room":{"name":"\#(words[2])"},"version":"1.7.7"}}"#
    }
    return Array(steps.joined(separator: "\n").utf8)
  }

  func check(_ input: [UInt8]) throws {
    var world = World(at: Self.start)
    var peers: [UInt8: PeerID] = [:]
    for step in input.split(separator: UInt8(ascii: "\n")).prefix(Self.steps) {
      guard let first = step.first else { continue }
      let rest = step.dropFirst()
      switch first {
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        let peer =
          try peers[first].flatMap { world.isOpen($0) ? $0 : nil }
          ?? world.connect(speakingSyncplay: first % 2 == 1)
        peers[first] = peer
        try world.receive(Array(rest), from: peer)
      case UInt8(ascii: "-"):
        if let peer = rest.first.flatMap({ peers.removeValue(forKey: $0) }) {
          try world.disconnect(peer)
        }
      case UInt8(ascii: "~"): try world.pass(Self.duration(rest.first))
      case UInt8(ascii: "!"): world.failNextAppend()
      case UInt8(ascii: "="): try world.restart()
      default: break
      }
    }
    try world.restart()
    try world.pass(.seconds(3_600))
  }

  /// From a millisecond to some hours.
  private static func duration(_ digit: UInt8?) -> Duration {
    .milliseconds((0..<min(digit ?? 0, 0x37) % 8).reduce(1) { duration, _ in duration * 10 })
  }
}
