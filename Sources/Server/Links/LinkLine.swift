import Coordination
import EventLoops
import Vocabulary

/// A line of a link, between the server that decides and one in front of it, which takes people in
/// and passes on what they say.
///
/// Each begins with a letter, and most name *legs*: the peers of the server in front, by the numbers
/// that it has given them. What a person says or hears stays as it is, behind them.
///
/// | line | says |
/// |---|---|
/// | `c 4.0 4:3221225985` | a peer connected, from that address (``PeerAddress``), or from none |
/// | `s 4.0` | its connection is encrypted |
/// | `l 4.0 {…}` | it said this |
/// | `o 4.0` | it said more than a line may have |
/// | `g 4.0` | it is gone |
/// | `t 4.0,5.1 {…}` | tell these peers this |
/// | `n 4.0,5.1 {…}` | the same, which those may miss that do not keep up |
/// | `k 4.0 {…}` | tell it this, and close it |
/// | `x 4.0` | close it without a word |
/// | `b` | the other end lives |
struct LinkLine: Equatable {
  enum Verb: Character, CaseIterable, Sendable {
    // From the server in front.
    case connected = "c"
    case secured = "s"
    case line = "l"
    case overlong = "o"
    case gone = "g"
    // To it.
    case tell = "t"
    case news = "n"
    case close = "k"
    case shut = "x"
    // Both ways.
    case beat = "b"
  }

  let verb: Verb
  /// The peers that it is about; only what is told is about several.
  let legs: Peers
  /// Where the text begins that follows; the line's end if none does.
  let start: Int

  /// Reads a line without its ending; `nil` if it is none of a link.
  init?(_ line: Span<UInt8>) {
    guard line.count > 0, let verb = Verb(rawValue: Character(Unicode.Scalar(line[0]))) else {
      return nil
    }
    var reader = LinkReader(place: 1)
    var legs: [PeerID] = []
    if verb != .beat {
      guard reader.skip(Self.space, in: line) else { return nil }
      repeat {
        guard let leg = reader.leg(in: line) else { return nil }
        legs.append(leg)
      } while reader.skip(Self.comma, in: line)
    }
    guard reader.place == line.count || reader.skip(Self.space, in: line) else { return nil }
    self.verb = verb
    self.legs = legs.count == 1 ? .one(legs[0]) : .many(legs)
    start = reader.place
  }

  /// The address that a peer connects from, in a line's text.
  static func address(in line: Span<UInt8>, from start: Int) -> PeerAddress? {
    var reader = LinkReader(place: start)
    guard let family = reader.number(in: line), reader.skip(colon, in: line),
      let bits = reader.number(in: line)
    else { return nil }
    return PeerAddress(bits: bits, isIPv6: family == 6, isLoopback: false)
  }

  static let space = UInt8(ascii: " ")
  static let comma = UInt8(ascii: ",")
  static let dot = UInt8(ascii: ".")
  static let colon = UInt8(ascii: ":")
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
    guard let slot = number(in: line).flatMap(UInt32.init(exactly:)),
      skip(LinkLine.dot, in: line),
      let generation = number(in: line).flatMap(UInt32.init(exactly:))
    else { return nil }
    return PeerID(slot: slot, generation: generation)
  }

  /// A number without sign; `nil` if there is none or it is too large.
  mutating func number(in line: Span<UInt8>) -> UInt64? {
    let first = place
    var number: UInt64 = 0
    while place < line.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[place]) {
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(UInt64(line[place] - UInt8(ascii: "0")))
      if isTooLarge || overflows { return nil }
      number = sum
      place += 1
    }
    return place > first ? number : nil
  }
}

/// Writes a line of a link.
struct LinkLineWriter {
  /// What is written; whole after ``end()`` or ``end(with:)``.
  private(set) var bytes: [UInt8]
  private var hasLegs = false

  /// - Parameter leg: the peer that it is about; ``add(_:)`` names more.
  init(_ verb: LinkLine.Verb, _ leg: PeerID? = nil) {
    bytes = Array(String(verb.rawValue).utf8)
    if let leg { add(leg) }
  }

  /// Names one more peer.
  mutating func add(_ leg: PeerID) {
    bytes.append(hasLegs ? LinkLine.comma : LinkLine.space)
    hasLegs = true
    append(UInt64(leg.slot))
    bytes.append(LinkLine.dot)
    append(UInt64(leg.generation))
  }

  /// Adds the address of a peer that connects, unless it is of its server's own machine.
  mutating func add(_ address: PeerAddress?) {
    guard let address, !address.isLoopback else { return }
    bytes.append(LinkLine.space)
    bytes += address.isIPv6 ? "6:".utf8 : "4:".utf8
    append(address.bits)
  }

  /// Adds a text on one line, and ends the line.
  ///
  /// A WebSocket's message may have line feeds between its parts; as tabs they mean the same (RFC
  /// 8259, 2).
  mutating func end(with text: Span<UInt8>) {
    bytes.reserveCapacity(bytes.count + text.count + 2)
    bytes.append(LinkLine.space)
    for place in text.indices {
      let byte = text[place]
      bytes.append(byte == Self.lineFeed || byte == Self.carriageReturn ? Self.tab : byte)
    }
    end()
  }

  /// Adds a message that was encoded as a line, whose end is this one's, too.
  mutating func end(with message: EncodedMessage) {
    bytes.append(LinkLine.space)
    bytes += message.line.array
  }

  /// Ends a line without a text.
  mutating func end() { bytes.append(Self.lineFeed) }

  private mutating func append(_ number: UInt64) {
    bytes += String(number).utf8
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let tab = UInt8(ascii: "\t")
}
