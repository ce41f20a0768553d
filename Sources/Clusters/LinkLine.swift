package import Coordination
package import Vocabulary
package import Wire

/// A line of a link, between the server that decides and one in front of it, which takes people in
/// and passes on what they say.
///
/// Each begins with a letter, and most name *legs*: the peers of the server in front, by the numbers
/// that it has given them. An *audience* is legs that hear the same, by the number that the server that
/// decides has given it. What a person says or hears stays as it is, behind them.
///
/// | line | says |
/// |---|---|
/// | `c 4.0 192.0.2.1` | a peer connected, from that host |
/// | `c 4.0 192.0.2.1 syncplay` | the same, in that dialect; with `!` at the end it has to encrypt |
/// | `s 4.0` | its connection is encrypted |
/// | `l 4.0 {…}` | it said this |
/// | `o 4.0` | it said more than a line may have |
/// | `g 4.0` | it is gone |
/// | `t 4.0,5.1 {…}` | tell these peers this |
/// | `t #12 {…}` | tell the audience this; with legs behind the number, everybody in it but them |
/// | `n 4.0,5.1 {…}`, `n #12 {…}` | the same, which those may miss that do not keep up |
/// | `z 4.0 6250` | what it said took so many µs of this server's time, which its address has to pay |
/// | `f #12,4.0` | the leg is in the audience from here on |
/// | `u #12,4.0` | it is no longer; without legs, the audience is over |
/// | `k 4.0 {…}` | tell it this, and close it |
/// | `x 4.0` | close it without a word |
/// | `e 4.0` | encrypt what it says and hears from here on |
/// | `m 7.0 /media/…` | which file is this address for? The number is the question's |
/// | `m 7.0 film.mp4` | that one; without a text the address lets nobody in |
/// | `d` | send everybody to the other servers, and stop |
/// | `b` | the other end lives |
/// | `b 10.0.0.2:7879 0.1.0 812` | the same, and its name, version and connections |
/// | `b 10.0.0.2:7879 0.1.0 812 ! 2` | it drains (`!`), and knows the lines of format 2: `f`, `u`, `#`, `z` |
/// | `b 10.0.0.2:7879 0.1.0 812 access=keys 2` | so people prove who they are, once it decides |
package struct LinkLine: Equatable {
  package enum Verb: Character, CaseIterable, Sendable {
    // From the server in front.
    case connected = "c"
    case secured = "s"
    case line = "l"
    case overlong = "o"
    case gone = "g"
    // To it.
    case tell = "t"
    case news = "n"
    case follow = "f"
    case unfollow = "u"
    case charge = "z"
    case close = "k"
    case shut = "x"
    case encrypt = "e"
    case drain = "d"
    // Both ways.
    case media = "m"
    case beat = "b"

    /// Whether it is about peers, and not about a server.
    var hasLegs: Bool { self != .beat && self != .drain }
  }

  package let verb: Verb
  /// The audience that it is about; `nil` if it is about legs alone.
  package let audience: AudienceNumber?
  /// The peers that it is about; only what is told is about several.
  ///
  /// With an audience that is told something, those in it that are not.
  package let legs: Peers
  /// Where the text begins that follows; the line's end if none does.
  package let start: Int

  /// Reads a line without its ending; `nil` if it is none of a link.
  package init?(_ line: Span<UInt8>) {
    guard line.count > 0, let verb = Verb(rawValue: Character(Unicode.Scalar(line[0]))) else {
      return nil
    }
    var reader = LinkReader(place: 1)
    var audience: AudienceNumber?
    var legs: [PeerID] = []
    if verb.hasLegs {
      guard reader.skip(Self.space, in: line) else { return nil }
      if reader.skip(Self.hash, in: line) {
        guard let number = reader.number(in: line) else { return nil }
        audience = AudienceNumber(number)
      }
      if audience == nil || reader.skip(Self.comma, in: line) {
        repeat {
          guard let leg = reader.leg(in: line) else { return nil }
          legs.append(leg)
        } while reader.skip(Self.comma, in: line)
      }
    }
    guard reader.place == line.count || reader.skip(Self.space, in: line) else { return nil }
    self.verb = verb
    self.audience = audience
    self.legs = legs.count == 1 ? .one(legs[0]) : .many(legs)
    start = reader.place
  }

  /// The format of this build.
  static let format = 2

  /// The format that a server in front names in a beat; older ones name none.
  static func format(in beat: Span<UInt8>) -> Int {
    let words = String(decoding: beat.array, as: UTF8.self).split(separator: " ")
    return words.dropFirst(3).last.flatMap { Int($0) } ?? 1
  }

  /// What a beat says before a server's access.
  static let accessWord = "access="

  /// How people prove who they are at a server, as it says in a beat; `nil` from an older one.
  ///
  /// It stands before the format, which older servers take to be the last word.
  static func access(in beat: Span<UInt8>) -> String? {
    let words = String(decoding: beat.array, as: UTF8.self).split(separator: " ")
    return words.dropFirst(3).first { $0.hasPrefix(accessWord) && ServerID.canBe($0) }
      .map { String($0.dropFirst(accessWord.count)) }
  }

  static let space = UInt8(ascii: " ")
  static let comma = UInt8(ascii: ",")
  static let hash = UInt8(ascii: "#")
  static let dot = UInt8(ascii: ".")
}

/// Reads the parts of a line.
private struct LinkReader {
  private(set) var place: Int

  init(place: Int) { self.place = place }

  mutating func skip(_ byte: UInt8, in line: Span<UInt8>) -> Bool {
    guard place < line.count, line[place] == byte else { return false }
    place += 1
    return true
  }

  mutating func leg(in line: Span<UInt8>) -> PeerID? {
    guard let slot = number(in: line), skip(LinkLine.dot, in: line),
      let generation = number(in: line)
    else { return nil }
    return PeerID(slot: slot, generation: generation)
  }

  /// A number without sign; `nil` if there is none or it is too large.
  mutating func number(in line: Span<UInt8>) -> UInt32? {
    let first = place
    var number: UInt32 = 0
    while place < line.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[place]) {
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(UInt32(line[place] - UInt8(ascii: "0")))
      if isTooLarge || overflows { return nil }
      number = sum
      place += 1
    }
    return place > first ? number : nil
  }
}

/// Writes lines of a link that begin alike.
package struct LinkLineWriter {
  private var bytes: [UInt8]

  /// - Parameters:
  ///   - audience: the audience that the lines are about.
  ///   - legs: the peers that they are about.
  package init(
    _ verb: LinkLine.Verb, audience: AudienceNumber? = nil, _ legs: [PeerID] = []
  ) {
    bytes = Array(String(verb.rawValue).utf8)
    if let audience {
      bytes += [LinkLine.space, LinkLine.hash]
      append(audience.value)
    }
    for (place, leg) in legs.enumerated() {
      bytes.append(place > 0 || audience != nil ? LinkLine.comma : LinkLine.space)
      append(leg.slot)
      bytes.append(LinkLine.dot)
      append(leg.generation)
    }
  }

  /// Writes the digits themselves, and without an allocation, because a line may name ten thousand
  /// peers.
  private mutating func append(_ number: UInt32) {
    if number >= 10 { append(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  package init(_ verb: LinkLine.Verb, _ leg: PeerID) { self.init(verb, [leg]) }

  /// A line without a text.
  package var ended: [UInt8] { bytes + [LinkText.lineFeed] }

  /// A line with a text; an empty one is none.
  ///
  /// No text ends the line, so that nobody says something else over a link.
  package func ended(with text: ArraySlice<UInt8>) -> [UInt8] {
    guard !text.isEmpty else { return ended }
    var line = bytes
    line.reserveCapacity(bytes.count + text.count + 2)
    line.append(LinkLine.space)
    LinkText.append(text, to: &line)
    line.append(LinkText.lineFeed)
    return line
  }

  package func ended(with text: String) -> [UInt8] { ended(with: Array(text.utf8)[...]) }
}

/// The texts of a link's lines.
package enum LinkText {
  package static let lineFeed = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
  static let tab = UInt8(ascii: "\t")

  /// Appends a text with tabs in place of line feeds.
  ///
  /// A browser's address may have them, and a WebSocket's message between its parts, where tabs mean
  /// the same (RFC 8259, 2).
  ///
  /// No generic collection: all that is said over links comes through here, and across modules each
  /// byte of one would cost several calls.
  static func append(_ text: ArraySlice<UInt8>, to line: inout [UInt8]) {
    let start = line.count
    line += text
    for index in start..<line.count where line[index] == lineFeed || line[index] == carriageReturn {
      line[index] = tab
    }
  }

  /// The lines of encoded bytes, without their endings.
  package static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == lineFeed {
      let hasReturn = index > start && bytes[index - 1] == carriageReturn
      if index > start { lines.append(bytes[start..<(hasReturn ? index - 1 : index)]) }
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }
}

/// Who connected to a server in front, in a line of a link.
package struct LegArrival: Equatable, Sendable {
  /// The numeric address that it connects from.
  package var host: String
  /// Its dialect; `nil` for the native protocol.
  package var dialect: String?
  /// Whether the dialect has to make it encrypt.
  package var mustEncrypt = false

  package init(host: String, dialect: String? = nil, mustEncrypt: Bool = false) {
    (self.host, self.dialect, self.mustEncrypt) = (host, dialect, mustEncrypt)
  }

  /// Reads the text of a line.
  package init(_ text: Span<UInt8>) {
    let text = String(decoding: text.array, as: UTF8.self)
    let words = text.split(separator: " ")
    self.init(
      host: words.first.map(String.init) ?? "", dialect: words.dropFirst().first.map(String.init),
      mustEncrypt: words.dropFirst(2).first == "!")
  }

  /// The text of a line.
  package var text: String {
    ([host] + [dialect, mustEncrypt ? "!" : nil].compactMap(\.self)).joined(separator: " ")
  }
}

/// What a server in front says of itself, in a beat of its link.
extension StatusReport.Server {
  /// Reads the text of a beat; `nil` if it has none.
  package init?(_ text: Span<UInt8>) {
    let words = String(decoding: text.array, as: UTF8.self).split(separator: " ")
    guard words.count >= 3, let peers = Int(words[2]), peers >= 0,
      words.prefix(2).allSatisfy({ ServerID.canBe($0) })
    else { return nil }
    self.init(
      ServerID(String(words[0])), version: String(words[1]), peers: peers,
      isDraining: words.dropFirst(3).first == "!")
  }

  /// The text of a beat.
  package var text: String {
    ([id.text, version, "\(peers)"] + (isDraining ? ["!"] : [])).joined(separator: " ")
  }
}

extension ServerID {
  /// The most bytes of a name: those of any identifier.
  package static var mostBytes: Int { Limits().identifierBytes }

  /// Whether a text can be a server's name, or its version: a short word of visible ASCII, so that it
  /// is one word of a beat and does nothing to a terminal.
  package static func canBe(_ text: some StringProtocol) -> Bool {
    (1...mostBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension Span<UInt8> {
  /// A copy of the bytes.
  package var array: [UInt8] { indices.map { self[$0] } }
}
